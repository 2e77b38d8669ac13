//! The laws of an exchange, held against servers of every kind.

mod exchanges;
mod limits;
mod secure;

use gannet_model::{Failure, PageUrl, Response};

use crate::loopback::Server;
use crate::{Config, FetchError, Fetcher, Request};

/// Asks for `http://a.test/page`, which is at the server whatever the name.
async fn ask(fetcher: &Fetcher) -> Result<Response, FetchError> {
    fetcher.fetch(request(fetcher, "http://a.test/page").await).await
}

async fn request(fetcher: &Fetcher, url: &str) -> Request {
    let url = PageUrl::parse(url).unwrap();
    let target = fetcher.resolve(&url.host()).await.unwrap();
    Request::new(url, target)
}

/// Asks once and checks the name of the failure.
#[track_caller]
fn check_failure(result: Result<Response, FetchError>, expected: Failure) {
    let error = result.expect_err("the exchange should fail");
    assert_eq!(error.failure(), expected, "{error:?}");
    assert!(error.to_string().contains("a.test"), "{error} names no host");
}

/// Asks a server once, under a tweaked configuration.
async fn ask_once(
    server: &Server,
    tweak: impl FnOnce(&mut Config),
) -> Result<Response, FetchError> {
    ask(&crate::loopback::fetcher(server.address, tweak)).await
}
