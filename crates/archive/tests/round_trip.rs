//! What goes into the archive comes out of it, and nothing else does.

mod exchange;

use bytes::Bytes;
use exchange::{FORMATS, encode, metadata, records, response};
use gannet_archive::{
    Compression, Config, Digest, Earlier, Encoder, Position, RecordKind, Truncation, Visit, Writer,
    index, read_at, write_index,
};
use gannet_model::{Headers, HttpVersion, Response, Timestamp};
use proptest::prelude::*;

/// Writes one visit and gives the directory and the place.
fn write(compression: Compression, response: &Response) -> (tempfile::TempDir, Position) {
    let dir = tempfile::tempdir().unwrap();
    let config = Config { compression, ..Config::default() };
    let mut writer = Writer::open(dir.path(), config, None).unwrap();
    let position = writer.append(&encode(compression, response)).unwrap();
    writer.sync().unwrap();
    (dir, position)
}

fn file(dir: &tempfile::TempDir, compression: Compression) -> std::path::PathBuf {
    dir.path().join(format!("gannet-00000{}", compression.extension()))
}

#[test]
fn a_visit_is_three_records_behind_the_one_that_opens_the_file() {
    for compression in FORMATS {
        let (dir, position) = write(compression, &response("page", "<p>hello"));
        let records = records(&file(&dir, compression));
        let kinds: Vec<_> = records.iter().map(|record| record.kind).collect();
        use RecordKind::{Metadata, Request, Response, Warcinfo};
        assert_eq!(kinds, [Warcinfo, Request, Response, Metadata]);
        assert_eq!(records[1].offset, position.offset);
        assert_eq!(records[2].offset, position.response_offset());
        let lengths: u64 = records[1..].iter().map(|record| record.length.unwrap()).sum();
        assert_eq!(lengths, u64::from(position.length));
        assert_eq!(&records[3].block[..], b"outlinks: 12\r\njudgement: 0.83\r\n");
        let concurrent = records[1].headers.get("WARC-Concurrent-To");
        assert_eq!(concurrent, records[2].headers.get("WARC-Record-ID"));
    }
}

#[test]
fn the_answer_is_read_back_from_its_place() {
    for compression in FORMATS {
        let sent = response("page", "<p>hello");
        let (dir, position) = write(compression, &sent);
        let capture = read_at(dir.path(), "gannet", position).unwrap();
        assert_eq!(capture.url, sent.url.as_str());
        assert_eq!(capture.asked_at, sent.asked_at);
        assert_eq!(capture.address, Some(sent.address));
        assert_eq!(capture.headers, sent.headers);
        assert_eq!(capture.wire_body, sent.wire_body);
        assert_eq!((capture.status, capture.status_text.as_str()), (200, "OK"));
    }
}

#[test]
fn a_body_that_came_compressed_is_kept_as_it_came() {
    let mut sent = response("page", vec![0x1f, 0x8b, 1, 2, 3]);
    sent.headers.push("Content-Encoding", "gzip");
    let (dir, position) = write(Compression::default(), &sent);
    let capture = read_at(dir.path(), "gannet", position).unwrap();
    assert_eq!(capture.wire_body, sent.wire_body);
    assert_eq!(capture.headers.text("content-encoding").as_deref(), Some("gzip"));
}

#[test]
fn headers_that_no_longer_hold_are_kept_under_another_name() {
    let mut sent = response("page", "12345");
    sent.headers.push("Transfer-Encoding", "chunked");
    sent.headers.push("Content-Length", "999");
    let (dir, position) = write(Compression::default(), &sent);
    let headers = read_at(dir.path(), "gannet", position).unwrap().headers;
    assert_eq!(headers.text("x-archive-orig-transfer-encoding").as_deref(), Some("chunked"));
    assert_eq!(headers.text("x-archive-orig-content-length").as_deref(), Some("999"));
    assert_eq!(headers.text("content-length").as_deref(), Some("5"));
    assert_eq!(headers.text("transfer-encoding"), None);
}

#[test]
fn the_second_protocol_is_written_for_readers_of_the_first() {
    let mut sent = response("page", "x");
    sent.version = HttpVersion::Http2;
    sent.status_text.clear();
    let (dir, position) = write(Compression::None, &sent);
    let text = std::fs::read(file(&dir, Compression::None)).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert!(text.contains("WARC-Protocol: h2\r\n") && text.contains("HTTP/1.1 200 \r\n"));
    assert_eq!(read_at(dir.path(), "gannet", position).unwrap().version, HttpVersion::Http2);
}

#[test]
fn nothing_in_an_answer_can_forge_a_record() {
    let forged = "x\r\n\r\nWARC/1.1\r\nWARC-Type: response\r\n\r\n";
    let mut sent = response("page", "body");
    sent.status_text = forged.to_owned();
    sent.headers.push("X-Odd", forged);
    sent.headers.push(forged, "odd name");
    let metadata = vec![(forged.to_owned(), forged.to_owned())];
    let visit = Visit { metadata: &metadata, ..Visit::of(&sent) };
    let encoded = Encoder::new(Compression::None).unwrap().encode_visit(&visit).unwrap();
    let text = String::from_utf8(encoded.bytes().to_vec()).unwrap();
    let count = |part: &str| text.matches(part).count();
    assert_eq!(count("\r\nWARC-Type: "), 3);
    let heads = text.lines().filter(|line| line.starts_with("WARC/1.1")).count();
    assert_eq!(heads, 3);
    let dir = tempfile::tempdir().unwrap();
    let config = Config { compression: Compression::None, ..Config::default() };
    let position = Writer::open(dir.path(), config, None).unwrap().append(&encoded).unwrap();
    let capture = read_at(dir.path(), "gannet", position).unwrap();
    assert_eq!(&capture.wire_body[..], b"body");
    assert_eq!(capture.headers.len(), 3);
}

#[test]
fn the_same_exchange_gives_the_same_bytes() {
    for compression in FORMATS {
        let sent = response("page", "hello".repeat(1000));
        let first = encode(compression, &sent);
        assert_eq!(first.bytes(), encode(compression, &sent).bytes());
        // An encoder that has been used gives the same as a new one.
        let metadata = metadata();
        let visit = Visit { metadata: &metadata, ..Visit::of(&sent) };
        let mut encoder = Encoder::new(compression).unwrap();
        encoder.encode_visit(&Visit::of(&response("other", "other".repeat(999)))).unwrap();
        assert_eq!(encoder.encode_visit(&visit).unwrap().bytes(), first.bytes());
    }
}

/// Encodes, writes and reads back the record in place of the answer.
fn revisit(sent: &Response, earlier: Option<&Earlier<'_>>) -> gannet_archive::Record {
    let dir = tempfile::tempdir().unwrap();
    let mut encoder = Encoder::new(Compression::default()).unwrap();
    let visit = Visit::of(sent);
    let encoded = match earlier {
        Some(earlier) => encoder.encode_revisit(&visit, earlier).unwrap(),
        None => encoder.encode_visit(&visit).unwrap(),
    };
    Writer::open(dir.path(), Config::default(), None).unwrap().append(&encoded).unwrap();
    records(&file(&dir, Compression::default())).remove(2)
}

#[test]
fn a_not_modified_answer_is_a_revisit() {
    let mut sent = response("page", "");
    sent.status = 304;
    let record = revisit(&sent, None);
    assert_eq!(record.kind, RecordKind::Revisit);
    assert!(record.headers.get("WARC-Profile").unwrap().ends_with("/server-not-modified"));
    assert_eq!(record.http().unwrap().status, 304);
    assert!(record.capture().unwrap().is_revisit);
}

#[test]
fn the_same_body_again_is_a_revisit_that_points_to_the_first() {
    let sent = response("page", "the same");
    let digest = Digest::of(&[b"the same"]);
    let earlier = Earlier {
        url: "http://www.example.org/first",
        asked_at: Timestamp::from_secs(1),
        record: None,
        payload_digest: digest,
    };
    let record = revisit(&sent, Some(&earlier));
    let profile = record.headers.get("WARC-Profile").unwrap();
    assert!(profile.ends_with("/identical-payload-digest"));
    assert_eq!(record.headers.get("WARC-Refers-To-Target-URI"), Some(earlier.url));
    let date = record.headers.get("WARC-Refers-To-Date");
    assert_eq!(date, Some("1970-01-01T00:00:01.000000Z"));
    assert_eq!(record.payload_digest(), Some(digest));
    assert!(record.http().unwrap().body.is_empty());
}

#[track_caller]
fn check_unchanged(status: u16, profile: &str) {
    let mut sent = response("page", if status == 304 { "" } else { "the same" });
    sent.status = status;
    let digest = Digest::of(&[b"the same"]);
    let (url, asked_at) = (sent.url.to_string(), Timestamp::from_secs(1));
    let earlier = Earlier { url: &url, asked_at, record: None, payload_digest: digest };
    let dir = tempfile::tempdir().unwrap();
    let mut encoder = Encoder::new(Compression::default()).unwrap();
    let metadata = metadata();
    let visit = Visit { metadata: &metadata, ..Visit::of(&sent) };
    let encoded = encoder.encode_unchanged(&visit, &earlier).unwrap();
    assert_eq!(encoded.payload_digest, digest);
    assert!(encoded.bytes().len() < 360, "{} bytes", encoded.bytes().len());
    Writer::open(dir.path(), Config::default(), None).unwrap().append(&encoded).unwrap();
    let records = records(&file(&dir, Compression::default()));
    let [_, record] = &records[..] else { panic!("{} records", records.len()) };
    assert_eq!(record.kind, RecordKind::Revisit);
    assert!(record.headers.get("WARC-Profile").unwrap().ends_with(profile));
    assert_eq!(record.headers.get("WARC-Refers-To-Target-URI"), Some(url.as_str()));
    assert_eq!(record.headers.get("Content-Length"), Some("0"));
    assert_eq!((record.url(), record.payload_digest()), (Some(url.as_str()), Some(digest)));
    assert!(record.block.is_empty());
    let lines = index(&file(&dir, Compression::default())).unwrap();
    assert!(lines[0].json.contains("warc/revisit"), "{}", lines[0].json);
}

#[test]
fn an_unchanged_page_is_one_short_record_that_points_to_the_first() {
    check_unchanged(304, "/server-not-modified");
    check_unchanged(200, "/identical-payload-digest");
}

#[test]
fn a_body_that_is_not_whole_says_why() {
    let sent = response("page", "cut");
    let visit = Visit { truncation: Some(Truncation::Length), ..Visit::of(&sent) };
    let encoded = Encoder::new(Compression::None).unwrap().encode_visit(&visit).unwrap();
    let text = String::from_utf8(encoded.bytes().to_vec()).unwrap();
    assert!(text.contains("WARC-Truncated: length\r\n"));
}

#[test]
fn the_index_lies_beside_the_file_and_leads_to_the_answers() {
    let (dir, position) = write(Compression::default(), &response("B?y=2&x=1", "<p>hello"));
    let path = file(&dir, Compression::default());
    let lines = index(&path).unwrap();
    assert_eq!(lines.len(), 1);
    assert_eq!(lines[0].key, "org,example)/b?x=1&y=2");
    assert_eq!(lines[0].timestamp, "20260131120000");
    let json: serde_json::Value = serde_json::from_str(&lines[0].json).unwrap();
    assert_eq!(json["offset"], position.response_offset().to_string());
    assert_eq!(json["status"], "200");
    assert_eq!(json["filename"], "gannet-00000.warc.gz");
    write_index(&path).unwrap();
    let text = std::fs::read_to_string(dir.path().join("gannet-00000.cdxj")).unwrap();
    assert!(text.starts_with("org,example)/b?x=1&y=2 20260131120000 {\"url\":"));
}

fn headers() -> impl Strategy<Value = Headers> {
    let value = prop::collection::vec(0x21..0x7f_u8, 0..20);
    let line = ("[A-Za-z][A-Za-z-]{0,12}", value);
    prop::collection::vec(line, 0..8).prop_map(|lines| {
        // These two are rewritten by design, as another test shows.
        let is_kept = |name: &str| {
            !name.eq_ignore_ascii_case("content-length")
                && !name.eq_ignore_ascii_case("transfer-encoding")
        };
        lines.into_iter().filter(|(name, _)| is_kept(name)).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_answer_comes_back_as_it_was(
        body in prop::collection::vec(any::<u8>(), 0..5000),
        headers in headers(),
        status in 100..600_u16,
        format in 0..3_usize,
    ) {
        prop_assume!(status != 304);
        let mut sent = response("page", body);
        sent.headers = headers;
        sent.status = status;
        let (dir, position) = write(FORMATS[format], &sent);
        let capture = read_at(dir.path(), "gannet", position).unwrap();
        prop_assert_eq!(capture.wire_body, sent.wire_body);
        prop_assert_eq!(capture.headers, sent.headers);
        prop_assert_eq!(capture.status, sent.status);
    }

    #[test]
    fn no_bytes_whatever_make_the_reader_panic_or_run_on(
        noise in prop::collection::vec(any::<u8>(), 0..3000),
        at in any::<prop::sample::Index>(),
        format in 0..3_usize,
    ) {
        let mut bytes = encode(FORMATS[format], &response("page", "x".repeat(500))).bytes().to_vec();
        let at = at.index(bytes.len());
        bytes.splice(at..(at + noise.len() / 2).min(bytes.len()), noise);
        let input = std::io::Cursor::new(bytes);
        let reader = gannet_archive::Reader::new(input, gannet_archive::Limits { block: 1000 });
        if let Ok(reader) = reader {
            prop_assert!(reader.take(100_000).count() < 100_000);
        }
    }
}

#[test]
fn a_block_beyond_the_limit_is_cut_and_the_next_record_found() {
    for compression in FORMATS {
        let body = Bytes::from(vec![b'x'; 100_000]);
        let bytes = encode(compression, &response("page", body)).bytes().to_vec();
        let limits = gannet_archive::Limits { block: 1000 };
        let reader = gannet_archive::Reader::new(std::io::Cursor::new(bytes), limits).unwrap();
        let records: Vec<_> = reader.map(Result::unwrap).collect();
        let cut: Vec<_> = records.iter().map(|record| record.is_cut).collect();
        assert_eq!(cut, [false, true, false]);
        assert_eq!(records[1].block.len(), 1000);
    }
}
