//! A search service that answers in SearXNG's JSON format.
//!
//! `ENDPOINT/search?q=…&format=json&pageno=…` answers `{"results": [{"url": …,
//! "title": …, "score": …}, …]}`. Pages of results are asked for one after the
//! other, a pause between them, until enough is found or a page brings nothing new.

use anyhow::bail;
use gannet_fetch::Accept;
use gannet_model::{PageUrl, Response};
use serde::Deserialize;

use super::found::{Finds, Said};
use crate::asking::{Asker, Robots};
use crate::exit::UsageError;
use crate::print;
use crate::table::one_line;

/// What to search for, and how much of it.
#[derive(Debug)]
pub(super) struct Wanted {
    pub(super) words: String,
    pub(super) top: usize,
    /// Pages of results at most.
    pub(super) pages: u16,
}

#[derive(Debug, Deserialize)]
struct Answer {
    results: Vec<Hit>,
}

#[derive(Debug, Deserialize)]
struct Hit {
    #[serde(default)]
    url: String,
    #[serde(default)]
    title: Option<String>,
    #[serde(default)]
    score: Option<f64>,
}

const NO_JSON: &str = "the service does not allow format=json; a SearXNG allows it when its \
                       settings.yml lists `json` under `search: formats:`";

/// Asks the service and adds what it finds.
pub(super) fn search(
    endpoint: &PageUrl,
    wanted: &Wanted,
    asker: &mut Asker,
    finds: &mut Finds,
) -> anyhow::Result<()> {
    if wanted.words.trim().is_empty() {
        return Err(UsageError("there are no words to search for".to_owned()).into());
    }
    let source = endpoint.to_string();
    let mut count = 0;
    for number in 1..=wanted.pages {
        let url = page_url(endpoint, &wanted.words, number)?;
        let hits = match ask(&url, asker) {
            Ok(hits) => hits,
            // What was found is worth having, though there may be more.
            Err(error) if number > 1 => {
                print::warn(format_args!("page {number} of the results is missing: {error:#}"));
                break;
            }
            Err(error) => return Err(error),
        };
        let before = count;
        for hit in hits {
            // Some engines answer with addresses of other kinds, such as magnet links.
            let Ok(url) = PageUrl::parse(&hit.url) else { continue };
            let said = Said { title: hit.title, score: hit.score, lastmod: None };
            count += usize::from(finds.add(url, said, &source));
            if count >= wanted.top {
                return Ok(());
            }
        }
        if count == before {
            break;
        }
    }
    Ok(())
}

/// The address of one page of results.
fn page_url(endpoint: &PageUrl, words: &str, number: u16) -> anyhow::Result<PageUrl> {
    let mut url = endpoint.as_url().clone();
    let path = url.path().trim_end_matches('/').to_owned();
    if !path.ends_with("/search") {
        url.set_path(&format!("{path}/search"));
    }
    url.query_pairs_mut()
        .append_pair("q", words)
        .append_pair("format", "json")
        .append_pair("pageno", &number.to_string());
    PageUrl::from_url(url).map_err(|error| UsageError(format!("--search: {error}")).into())
}

fn ask(url: &PageUrl, asker: &mut Asker) -> anyhow::Result<Vec<Hit>> {
    let response = asker.get(url, Accept::Anything, Robots::Interface)?;
    read(&response)
}

/// The hits in an answer, or what is wrong with it and what would be right.
fn read(response: &Response) -> anyhow::Result<Vec<Hit>> {
    let host = response.url.host();
    match response.status {
        200..=299 => {}
        403 => bail!("{host} answered 403: {NO_JSON}, or it keeps programs out"),
        429 => {
            let wait = response.headers.text("retry-after");
            let wait = wait.map_or(String::new(), |wait| format!(" (Retry-After: {wait})"));
            bail!(
                "{host} answered 429, too many requests{wait}: try later, or run a service of your own"
            )
        }
        status => bail!("{host} answered {status} to a search; is {} a SearXNG?", response.url),
    }
    match serde_json::from_slice::<Answer>(&response.body) {
        Ok(answer) => Ok(answer.results),
        Err(_) if gannet_content::is_html(&response.media_type(), &response.body) => {
            bail!("{host} answered with an HTML page: {NO_JSON}")
        }
        Err(error) if error.is_data() => {
            bail!("{host} answered JSON without `results` of `url`s ({error}); is it a SearXNG?")
        }
        Err(error) => {
            let begins: String = String::from_utf8_lossy(&response.body).chars().take(60).collect();
            bail!("{host} answered what is not JSON ({error}): {:?}", one_line(&begins))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(endpoint: &str, expected: &str) {
        let url = page_url(&PageUrl::parse(endpoint).unwrap(), "sea birds & more", 2).unwrap();
        assert_eq!(url.as_str(), expected);
    }

    #[test]
    fn the_address_of_a_page_of_results_is_made_from_any_endpoint() {
        let query = "q=sea+birds+%26+more&format=json&pageno=2";
        check("https://searx.test", &format!("https://searx.test/search?{query}"));
        check("https://a.test/searx/", &format!("https://a.test/searx/search?{query}"));
        check("https://a.test/search", &format!("https://a.test/search?{query}"));
        check(
            "https://a.test/?categories=science",
            &format!("https://a.test/search?categories=science&{query}"),
        );
    }
}
