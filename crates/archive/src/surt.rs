//! SURT: an address turned around, so that a sorted index keeps sites together.
//!
//! `http://www.example.com/a?y=2&x=1` becomes `com,example)/a?x=1&y=2`. This is
//! the form that the archive tools key their indexes with: no scheme, no `www`,
//! no default port, lower case, parameters in order, no session numbers. It is
//! a key, made to let spellings collide; it is never turned back.

use gannet_model::PageUrl;

/// The key of an address. What is not a page's address is its own key.
pub fn surt(url: &str) -> String {
    match PageUrl::parse(url) {
        Ok(page) => surt_of(&page),
        Err(_) if url.trim().is_empty() => "-".to_owned(),
        Err(_) => url.trim().replace(' ', "%20"),
    }
}

fn surt_of(url: &PageUrl) -> String {
    let parsed = url.as_url();
    let host = parsed.host_str().unwrap_or_default();
    let mut key = match parsed.domain() {
        Some(name) => {
            let labels: Vec<&str> = strip_www(name).rsplit('.').collect();
            labels.join(",")
        }
        None => host.to_owned(),
    };
    if let Some(port) = parsed.port() {
        key.push_str(&format!(":{port}"));
    }
    key.push(')');
    let path = strip_path_session(&unescape(parsed.path()).to_lowercase());
    let path = path.strip_suffix('/').filter(|path| !path.is_empty()).unwrap_or(&path).to_owned();
    key.push_str(&path);
    if let Some(query) = parsed.query() {
        let query = sort_query(&unescape(query).to_lowercase());
        if !query.is_empty() {
            key.push('?');
            key.push_str(&query);
        }
    }
    key
}

/// Removes `www.`, `www2.` and their like.
fn strip_www(name: &str) -> &str {
    let Some(rest) = name.strip_prefix("www") else {
        return name;
    };
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.strip_prefix('.').filter(|rest| !rest.is_empty()).unwrap_or(name)
}

/// Orders the parameters and drops session numbers.
fn sort_query(query: &str) -> String {
    let mut parameters: Vec<&str> =
        query.split('&').filter(|parameter| !is_session(parameter)).collect();
    parameters.sort_unstable();
    parameters.join("&")
}

/// `jsessionid`, `phpsessid`, `sid` with 32 characters, `aspsessionid…`, ColdFusion's pair.
fn is_session(parameter: &str) -> bool {
    let Some((name, value)) = parameter.split_once('=') else {
        return false;
    };
    let is_number = value.len() == 32 && value.bytes().all(|byte| byte.is_ascii_alphanumeric());
    match name {
        "jsessionid" | "phpsessid" | "sid" => is_number,
        "cfid" | "cftoken" => true,
        _ => name.starts_with("aspsessionid"),
    }
}

/// `/page;jsessionid=0123…` without the session.
fn strip_path_session(path: &str) -> String {
    match path.find(";jsessionid=") {
        Some(start) => {
            let value = &path[start + ";jsessionid=".len()..];
            let end = value.bytes().take_while(u8::is_ascii_alphanumeric).count();
            format!("{}{}", &path[..start], &value[end..])
        }
        None => path.to_owned(),
    }
}

/// Undoes percent codes of visible ASCII, except those that would then mean something else.
fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        let code = rest.get(at + 1..at + 3).and_then(|hex| u8::from_str_radix(hex, 16).ok());
        let is_plain = |byte: &u8| (b'!'..=b'~').contains(byte) && !b"#%".contains(byte);
        match code.filter(is_plain) {
            Some(byte) => {
                out.push(char::from(byte));
                rest = &rest[at + 3..];
            }
            None => {
                out.push('%');
                rest = &rest[at + 1..];
            }
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(url: &str, expected: &str) {
        assert_eq!(surt(url), expected, "{url}");
    }

    #[test]
    fn hosts_are_turned_around_without_www_and_default_port() {
        check("http://www.archive.org/", "org,archive)/");
        check("https://www34.archive.org:443/goo/", "org,archive)/goo");
        check("http://archive.org:8080/", "org,archive:8080)/");
        check("http://user@example.com?a", "com,example)/?a");
        check("http://127.0.0.1/x", "127.0.0.1)/x");
        check("http://www.com/", "com)/");
    }

    #[test]
    fn parameters_are_in_order_without_sessions() {
        check("http://archive.org/goo/?a=2&b&a=1", "org,archive)/goo?a=1&a=2&b");
        check("http://archive.org/goo/?", "org,archive)/goo");
        check(
            "http://archive.org/i.php?PHPSESSID=0123456789abcdefghijklemopqrstuv&u=1",
            "org,archive)/i.php?u=1",
        );
        check("http://a.org/p;jsessionid=AB12/x", "org,a)/p/x");
    }

    #[test]
    fn other_schemes_are_their_own_key() {
        check("dns:archive.org", "dns:archive.org");
        check("warcinfo:foo.warc.gz", "warcinfo:foo.warc.gz");
        check("", "-");
    }
}
