//! Attacks on a crawler, each under its own URL.
//!
//! Nothing large is ever held in memory: a bomb is a small block and a promise
//! to repeat it (see [`Ending`]).

use std::fmt::Write;
use std::sync::OnceLock;
use std::time::Duration;

use bytes::Bytes;
use flate2::{Compress, Compression, Crc, FlushCompress};

use crate::reply::{Ending, Reply};

/// A way to attack a crawler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Hostility {
    /// Ten gigabytes of zeros in ten megabytes of gzip.
    GzipBomb,
    /// A body that never ends.
    EndlessBody,
    /// Two thousand headers of a kilobyte.
    HeaderBomb,
    /// Two URLs that redirect to each other.
    RedirectLoop,
    /// Thirty redirects in a row, then a page.
    RedirectChain,
    /// A redirect to the metadata service of a cloud.
    RedirectToMetadata,
    /// A redirect into a private network.
    RedirectToPrivate,
    /// Bytes that are not UTF-8 in header, title, text and links.
    InvalidUtf8,
    /// 200 and nothing.
    EmptyBody,
    /// A `Content-Length` ten times the body, then a closed connection.
    WrongLength,
    /// A picture that says it is HTML.
    NotHtml,
    /// Binary without a content type.
    NoContentType,
    /// One byte every interval.
    SlowDrip,
    /// A connection that is accepted and never answered.
    Silence,
    /// `Content-Encoding: gzip` on plain text.
    WrongEncoding,
    /// A hundred thousand open tags.
    DeepNesting,
    /// A hundred thousand links.
    ManyLinks,
    /// A title of a megabyte.
    HugeTitle,
    /// NUL bytes in text, tags and links.
    NulBytes,
    /// A page that refreshes to itself.
    RefreshLoop,
    /// Links that are not to the web.
    StrangeLinks,
    /// A charset that does not exist.
    BadCharset,
}

use Hostility::*;

/// How many redirects [`Hostility::RedirectChain`] has.
pub(crate) const CHAIN: u32 = 30;
/// How many zeros a block of the gzip bomb holds.
const BOMB_BLOCK: usize = 1 << 20;
/// How many blocks it has: ten gigabytes in all.
const BOMB_BLOCKS: u64 = 10 * 1024;
/// How many links or tags are far too many.
const TOO_MANY: usize = 100_000;

impl Hostility {
    /// Every attack.
    pub const ALL: &'static [Hostility] = &[
        GzipBomb,
        EndlessBody,
        HeaderBomb,
        RedirectLoop,
        RedirectChain,
        RedirectToMetadata,
        RedirectToPrivate,
        InvalidUtf8,
        EmptyBody,
        WrongLength,
        NotHtml,
        NoContentType,
        SlowDrip,
        Silence,
        WrongEncoding,
        DeepNesting,
        ManyLinks,
        HugeTitle,
        NulBytes,
        RefreshLoop,
        StrangeLinks,
        BadCharset,
    ];

    /// The name of the attack in its URL.
    pub fn slug(self) -> &'static str {
        match self {
            GzipBomb => "gzip-bomb",
            EndlessBody => "endless-body",
            HeaderBomb => "header-bomb",
            RedirectLoop => "redirect-loop",
            RedirectChain => "redirect-chain",
            RedirectToMetadata => "redirect-to-metadata",
            RedirectToPrivate => "redirect-to-private",
            InvalidUtf8 => "invalid-utf8",
            EmptyBody => "empty-body",
            WrongLength => "wrong-length",
            NotHtml => "not-html",
            NoContentType => "no-content-type",
            SlowDrip => "slow-drip",
            Silence => "silence",
            WrongEncoding => "wrong-encoding",
            DeepNesting => "deep-nesting",
            ManyLinks => "many-links",
            HugeTitle => "huge-title",
            NulBytes => "nul-bytes",
            RefreshLoop => "refresh-loop",
            StrangeLinks => "strange-links",
            BadCharset => "bad-charset",
        }
    }

    /// The host that carries the attack: never the seed's, if there are others.
    pub(crate) fn host(self, hosts: u32) -> u32 {
        if hosts < 2 { 0 } else { 1 + self as u32 % (hosts - 1) }
    }

    pub(crate) fn path(self) -> String {
        format!("/hostile/{}", self.slug())
    }

    /// Which attack a path names, and the step for those with several URLs.
    pub(crate) fn read(path: &str) -> Option<(Hostility, u32)> {
        let rest = path.strip_prefix("/hostile/")?;
        let (slug, step) = rest.split_once('/').unwrap_or((rest, "0"));
        let hostility = *Hostility::ALL.iter().find(|hostility| hostility.slug() == slug)?;
        Some((hostility, step.parse().ok()?))
    }

    /// What the attack answers.
    pub(crate) fn reply(self, step: u32) -> Reply {
        match self {
            GzipBomb => gzip_bomb(),
            EndlessBody => page("<title>Endless</title><p>").ending(Ending::Repeat {
                block: Bytes::from_static(&[b'x'; 4096]),
                times: u64::MAX,
                tail: Bytes::new(),
            }),
            HeaderBomb => header_bomb(),
            RedirectLoop => Reply::redirect(302, format!("{}/{}", self.path(), 1 - step.min(1))),
            RedirectChain if step < CHAIN => {
                Reply::redirect(301, format!("{}/{}", self.path(), step + 1))
            }
            RedirectChain => page("<title>Arrived</title><h1>The end of a long way</h1>"),
            RedirectToMetadata => Reply::redirect(302, "http://169.254.169.254/latest/meta-data/"),
            RedirectToPrivate => Reply::redirect(302, "http://10.0.0.1/"),
            InvalidUtf8 => invalid_utf8(),
            EmptyBody => page(""),
            WrongLength => wrong_length(),
            NotHtml => Reply::ok(
                "text/html",
                b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\xff\xd8\xff\0\x01<a".as_slice(),
            ),
            NoContentType => {
                Reply::status(200).body(b"\x7fELF\x02\x01\x01\0\0\0\0\xde\xad".as_slice())
            }
            SlowDrip => page("<title>Drip</title><p>one byte at a time</p>")
                .ending(Ending::Drip { interval: Duration::from_secs(1) }),
            Silence => Reply::status(200).ending(Ending::Silent),
            WrongEncoding => page("<title>Plain</title><p>this was never compressed</p>")
                .header("content-encoding", "gzip"),
            DeepNesting => page("<div><b>".repeat(TOO_MANY / 2)),
            ManyLinks => many_links(),
            HugeTitle => page(format!("<title>{}</title><p>short", "gannet ".repeat(150_000))),
            NulBytes => page(
                b"<ti\0tle>nul</title><p>a\0b</p><a href=\"/\0nul\">\0</a><a h\0ref=x>y</a>"
                    .as_slice(),
            ),
            RefreshLoop => page(format!(
                "<meta http-equiv=\"refresh\" content=\"0; url={}\"><p>again</p>",
                self.path()
            )),
            StrangeLinks => page(STRANGE_LINKS),
            BadCharset => Reply::ok(
                "text/html; charset=x-no-such-thing-8859-99",
                "<meta charset=\"klingon\"><title>Bad label</title><p>caf\u{e9}</p>",
            ),
        }
    }
}

const STRANGE_LINKS: &str = "<title>Strange links</title>\
    <a href=\"javascript:alert(1)\">script</a><a href=\"mailto:a@b.test\">mail</a>\
    <a href=\"data:text/html,<p>hello\">data</a><a href=\"file:///etc/passwd\">file</a>\
    <a href=\"http://[::1\">bracket</a><a href=\"http://user:word@10.0.0.1/\">credentials</a>\
    <a href=\"//\">nothing</a><a href=\"http://:99999/\">port</a><a href=\"  \n/\t\">blank</a>\
    <a href=\"ftp://a.test/\">ftp</a><a href=\"tel:123\">call</a><a href=\"\">self</a>";

fn page(body: impl Into<Bytes>) -> Reply {
    Reply::ok("text/html; charset=utf-8", body)
}

fn header_bomb() -> Reply {
    let value = Bytes::from(vec![b'h'; 1_024]);
    let mut reply = page("<title>Headers</title>");
    for number in 0..2_000 {
        reply = reply.header(format!("x-bomb-{number}"), value.clone());
    }
    reply
}

fn invalid_utf8() -> Reply {
    let body = b"<title>\xff\xfe\xc3\x28</title><p>\xf0\x28\x8c\xbc \xed\xa0\x80</p>\
        <a href=\"/\xff\xfe\">\xc0\xaf</a><a href=\"/caf\xe9\">caf\xe9</a>";
    page(body.as_slice()).header("x-note", Bytes::from_static(b"caf\xe9 \xff\xfe"))
}

fn wrong_length() -> Reply {
    let body = "<title>Cut</title><p>more was promised</p>";
    let promised = (body.len() * 10).to_string();
    page(body).header("content-length", promised).ending(Ending::CutAfter(body.len()))
}

fn many_links() -> Reply {
    let mut body = String::with_capacity(TOO_MANY * 40);
    body.push_str("<title>Many links</title>");
    for number in 0..TOO_MANY {
        // Writing to a string cannot fail.
        let _ = write!(body, "<a href=\"/nowhere/{number}.html\">{number}</a>");
    }
    page(body)
}

/// One gzip stream whose middle repeats: a block that ends in a full flush
/// refers to nothing before it, so it may be sent again and again.
fn gzip_bomb() -> Reply {
    static PARTS: OnceLock<(Bytes, Bytes)> = OnceLock::new();
    let (block, tail) = PARTS.get_or_init(bomb_parts).clone();
    let magic: &[u8] = &[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
    page(magic).header("content-encoding", "gzip").ending(Ending::Repeat {
        block,
        times: BOMB_BLOCKS,
        tail,
    })
}

fn bomb_parts() -> (Bytes, Bytes) {
    let zeros = vec![0; BOMB_BLOCK];
    let mut block = Vec::with_capacity(BOMB_BLOCK / 64);
    let mut compress = Compress::new(Compression::best(), false);
    // A block of zeros fits the capacity by far, so one call takes all of it;
    // if it ever failed, the bomb would be short but still hostile.
    let _ = compress.compress_vec(&zeros, &mut block, FlushCompress::Full);
    let mut one = Crc::new();
    one.update(&zeros);
    let mut all = Crc::new();
    for _ in 0..BOMB_BLOCKS {
        all.combine(&one);
    }
    let mut tail = vec![3, 0];
    tail.extend(all.sum().to_le_bytes());
    tail.extend(((BOMB_BLOCK as u64 * BOMB_BLOCKS) as u32).to_le_bytes());
    (block.into(), tail.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn every_attack_has_its_own_path() {
        for &hostility in Hostility::ALL {
            assert_eq!(Hostility::read(&hostility.path()), Some((hostility, 0)));
        }
        assert_eq!(Hostility::read("/hostile/kindness"), None);
    }

    #[test]
    fn the_gzip_bomb_is_small_to_hold_and_large_to_unpack() {
        let reply = GzipBomb.reply(0);
        let Ending::Repeat { block, times, .. } = &reply.ending else { panic!("no bomb") };
        assert!(block.len() < 4_096, "{}", block.len());
        assert_eq!(*times * BOMB_BLOCK as u64, 10 << 30);
        let mut start = reply.body.to_vec();
        for _ in 0..8 {
            start.extend_from_slice(block);
        }
        let mut unpacked = vec![1; 8 * BOMB_BLOCK];
        flate2::read::GzDecoder::new(start.as_slice()).read_exact(&mut unpacked).unwrap();
        assert!(unpacked.iter().all(|&byte| byte == 0));
    }

    #[test]
    fn a_short_bomb_has_a_sound_trailer() {
        // The same construction with eight blocks must satisfy a strict decoder.
        let Ending::Repeat { block, .. } = GzipBomb.reply(0).ending else { panic!("no bomb") };
        let mut crc = Crc::new();
        crc.update(&vec![0; 8 * BOMB_BLOCK]);
        let mut stream = GzipBomb.reply(0).body.to_vec();
        (0..8).for_each(|_| stream.extend_from_slice(&block));
        stream.extend([3, 0]);
        stream.extend(crc.sum().to_le_bytes());
        stream.extend((8 * BOMB_BLOCK as u32).to_le_bytes());
        let mut unpacked = Vec::new();
        flate2::read::GzDecoder::new(stream.as_slice()).read_to_end(&mut unpacked).unwrap();
        assert_eq!(unpacked.len(), 8 * BOMB_BLOCK);
    }

    #[test]
    fn the_chain_has_thirty_steps_and_the_loop_none_last() {
        for step in 0..CHAIN {
            assert_eq!(RedirectChain.reply(step).status, 301);
        }
        assert_eq!(RedirectChain.reply(CHAIN).status, 200);
        for step in 0..3 {
            assert_eq!(RedirectLoop.reply(step).status, 302);
        }
    }
}
