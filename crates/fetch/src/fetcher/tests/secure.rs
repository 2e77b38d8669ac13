//! TLS, and both versions of HTTP over it.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use gannet_model::{Failure, HttpVersion};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::server::conn::{http1, http2};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

use super::{check_failure, request};
use crate::loopback::fetcher;
use crate::{Config, Fetcher, RootCertificates};

struct SecureServer {
    address: SocketAddr,
    /// For `a.test`, signed by nobody but itself.
    certificate: rcgen::Certificate,
    connections: Arc<AtomicUsize>,
    _tasks: JoinSet<()>,
}

impl SecureServer {
    /// Speaks the protocols named, HTTP/1.1 if none is.
    async fn start(protocols: &[&str]) -> SecureServer {
        let identity = rcgen::generate_simple_self_signed(vec!["a.test".to_owned()]).unwrap();
        let key = PrivateKeyDer::try_from(identity.signing_key.serialize_der()).unwrap();
        let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![identity.cert.der().clone()], key)
            .unwrap();
        config.alpn_protocols = protocols.iter().map(|name| name.as_bytes().to_vec()).collect();
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let connections = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&connections);
        let mut tasks = JoinSet::new();
        tasks.spawn(async move {
            let mut open = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                count.fetch_add(1, Ordering::SeqCst);
                open.spawn(converse(acceptor.clone(), stream));
            }
        });
        SecureServer { address, certificate: identity.cert, connections, _tasks: tasks }
    }

    /// A fetcher that trusts this server.
    fn trusted(&self, tweak: impl FnOnce(&mut Config)) -> Fetcher {
        let root = RootCertificates::Der(self.certificate.der().to_vec());
        fetcher(self.address, |config| {
            config.extra_roots.push(root);
            tweak(config);
        })
    }
}

async fn converse(acceptor: TlsAcceptor, stream: TcpStream) {
    let Ok(stream) = acceptor.accept(stream).await else { return };
    let is_http2 = stream.get_ref().1.alpn_protocol() == Some(b"h2");
    let (io, service) = (TokioIo::new(stream), service_fn(answer));
    // Clients that hang up are what these tests are about.
    if is_http2 {
        let _ = http2::Builder::new(TokioExecutor::new()).serve_connection(io, service).await;
    } else {
        let _ = http1::Builder::new().serve_connection(io, service).await;
    }
}

/// Answers a path with itself, and `/heavy` with a head of 100 KB as well.
async fn answer(
    request: http::Request<Incoming>,
) -> Result<http::Response<Full<Bytes>>, hyper::Error> {
    let path = request.uri().path().to_owned();
    let is_heavy = path == "/heavy";
    let mut response = http::Response::new(Full::from(path));
    if is_heavy {
        let value = http::HeaderValue::from_str(&"x".repeat(100 << 10)).unwrap();
        response.headers_mut().insert("x-heavy", value);
    }
    Ok(response)
}

async fn check(protocols: &[&str], offers_http2: bool, expected: HttpVersion) {
    let server = SecureServer::start(protocols).await;
    let fetcher = server.trusted(|config| config.http2 = offers_http2);
    for _ in 0..3 {
        let asked = request(&fetcher, "https://a.test/page").await;
        let response = fetcher.fetch(asked).await.unwrap();
        assert_eq!((response.version, &response.body[..]), (expected, &b"/page"[..]));
        assert!(response.request_head.starts_with(b"GET /page HTTP/1.1\r\nHost: a.test\r\n"));
    }
    assert_eq!(server.connections.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn http1_over_tls_keeps_its_connection() {
    check(&["http/1.1"], true, HttpVersion::Http11).await;
    check(&["h2", "http/1.1"], false, HttpVersion::Http11).await;
    check(&[], true, HttpVersion::Http11).await;
}

#[tokio::test]
async fn http2_is_spoken_where_both_can_and_keeps_its_connection() {
    check(&["h2", "http/1.1"], true, HttpVersion::Http2).await;
}

#[tokio::test]
async fn heads_over_http2_may_not_be_too_large() {
    let server = SecureServer::start(&["h2"]).await;
    let fetcher = server.trusted(|_| {});
    let result = fetcher.fetch(request(&fetcher, "https://a.test/heavy").await).await;
    check_failure(result, Failure::HeadTooLarge);
    let fetcher = server.trusted(|config| config.limits.max_headers = 1);
    let result = fetcher.fetch(request(&fetcher, "https://a.test/page").await).await;
    check_failure(result, Failure::HeadTooLarge);
}

#[tokio::test]
async fn http2_tasks_end_with_the_fetcher() {
    let server = SecureServer::start(&["h2"]).await;
    let fetcher = server.trusted(|_| {});
    fetcher.fetch(request(&fetcher, "https://a.test/page").await).await.unwrap();
    let alive = || tokio::runtime::Handle::current().metrics().num_alive_tasks();
    let before = alive();
    drop(fetcher);
    // Aborted tasks are gone once the runtime has seen to them.
    for _ in 0..1000 {
        if alive() < before {
            return;
        }
        tokio::task::yield_now().await;
    }
    panic!("{} tasks are still alive, as many as before", alive());
}

#[tokio::test]
async fn a_certificate_nobody_vouches_for_is_refused() {
    let server = SecureServer::start(&["h2"]).await;
    let stranger = fetcher(server.address, |_| {});
    let result = stranger.fetch(request(&stranger, "https://a.test/page").await).await;
    check_failure(result, Failure::Tls);
}

#[tokio::test]
async fn a_certificate_for_another_name_is_refused() {
    let server = SecureServer::start(&["h2"]).await;
    let fetcher = server.trusted(|_| {});
    let result = fetcher.fetch(request(&fetcher, "https://not.a.test/page").await).await;
    check_failure(result, Failure::Tls);
}

#[tokio::test]
async fn plain_http_on_the_tls_port_is_a_tls_failure() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let fetcher = fetcher(listener.local_addr().unwrap(), |_| {});
    let asked = request(&fetcher, "https://a.test/").await;
    let (result, ()) = tokio::join!(fetcher.fetch(asked), async {
        let (mut stream, _) = listener.accept().await.unwrap();
        stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await.unwrap();
    });
    check_failure(result, Failure::Tls);
}

#[tokio::test]
async fn roots_may_come_from_a_pem_file() {
    let server = SecureServer::start(&["http/1.1"]).await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("root.pem");
    std::fs::write(&path, server.certificate.pem()).unwrap();
    let root = RootCertificates::PemFile(path);
    let fetcher = fetcher(server.address, |config| config.extra_roots.push(root));
    assert!(fetcher.fetch(request(&fetcher, "https://a.test/page").await).await.is_ok());
    let missing = RootCertificates::PemFile(folder.path().join("none.pem"));
    assert!(Fetcher::new(Config { extra_roots: vec![missing], ..Config::default() }).is_err());
}
