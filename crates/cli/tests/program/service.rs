//! A small HTTP service with fixed answers, for what the synthetic web does not speak.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// Serves until the test's process ends; each connection is closed after its answer.
pub(crate) struct Service {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<String>>>,
}

/// What is answered to a request for a path with its query.
#[derive(Clone)]
pub(crate) struct Fixed {
    pub(crate) status: u16,
    pub(crate) content_type: &'static str,
    /// Where a redirect leads.
    pub(crate) location: Option<String>,
    pub(crate) body: Vec<u8>,
}

impl Service {
    /// Answers these paths, and everything else with 404.
    pub(crate) fn start(answers: Vec<(&str, Fixed)>) -> Service {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let answers: HashMap<String, Fixed> =
            answers.into_iter().map(|(path, answer)| (path.to_owned(), answer)).collect();
        let log = asked.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                // A client that hangs up early is its own business.
                let _ = answer(stream, &answers, &log);
            }
        });
        Service { address, asked }
    }

    /// The URL of a path.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Every path asked for, in order.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

fn answer(
    mut stream: TcpStream,
    answers: &HashMap<String, Fixed>,
    log: &Mutex<Vec<String>>,
) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let first = lines.next().transpose()?.unwrap_or_default();
    while lines.next().transpose()?.is_some_and(|line| !line.is_empty()) {}
    let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
    let missing = Fixed::text(404, "not here");
    let fixed = answers.get(&path).unwrap_or(&missing);
    log.lock().unwrap().push(path);
    let Fixed { status, content_type, location, body } = fixed;
    let location = location.as_ref().map(|to| format!("Location: {to}\r\n")).unwrap_or_default();
    write!(
        stream,
        "HTTP/1.1 {status} Answer\r\nContent-Type: {content_type}\r\nContent-Length: {}\r\n\
         {location}Connection: close\r\n\r\n",
        body.len()
    )?;
    stream.write_all(body)
}

impl Fixed {
    pub(crate) fn new(content_type: &'static str, body: impl Into<Vec<u8>>) -> Fixed {
        Fixed { status: 200, content_type, location: None, body: body.into() }
    }

    pub(crate) fn html(body: &str) -> Fixed {
        Fixed::new("text/html; charset=utf-8", body)
    }

    pub(crate) fn redirect(to: &str) -> Fixed {
        Fixed { location: Some(to.to_owned()), ..Fixed::text(302, "elsewhere") }
    }

    pub(crate) fn text(status: u16, body: &str) -> Fixed {
        Fixed { status, ..Fixed::new("text/plain", body) }
    }
}
