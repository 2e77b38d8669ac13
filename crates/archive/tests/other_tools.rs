//! Other tools read our files, and we read theirs.

mod exchange;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::Command;

use exchange::{data_folder, encode, metadata, response, skip};
use gannet_archive::{
    Compression, Config, Earlier, Encoder, ReadError, Reader, RecordKind, Visit, Writer, index,
    surt,
};
use gannet_model::{HttpVersion, Timestamp};

/// A file with one of every record that we write.
fn write_all_kinds(dir: &Path, compression: Compression) {
    let info = vec![("software".to_owned(), "gannet".to_owned())];
    let config = Config { compression, info, ..Config::default() };
    let mut writer = Writer::open(dir, config, None).unwrap();
    let mut encoder = Encoder::new(compression).unwrap();
    let page = response("page", "<p>hello</p>".repeat(500));
    let first = encode(compression, &page);
    writer.append(&first).unwrap();
    let earlier = Earlier {
        url: page.url.as_str(),
        asked_at: page.asked_at,
        record: Some(first.record),
        payload_digest: first.payload_digest,
    };
    let mut coded = response("coded", vec![0x1f, 0x8b, 8, 0, 1, 2, 3, 4]);
    coded.headers.push("Content-Encoding", "gzip");
    coded.headers.push("Transfer-Encoding", "chunked");
    coded.version = HttpVersion::Http2;
    let mut unchanged = response("page", "");
    unchanged.status = 304;
    unchanged.asked_at = Timestamp::from_secs(1_769_870_800);
    let empty = response("empty", "");
    let metadata = metadata();
    for response in [&coded, &unchanged, &empty] {
        let visit = Visit { metadata: &metadata, ..Visit::of(response) };
        writer.append(&encoder.encode_visit(&visit).unwrap()).unwrap();
    }
    for response in [&page, &unchanged] {
        let visit = Visit { seed: 1, ..Visit::of(response) };
        writer.append(&encoder.encode_revisit(&visit, &earlier).unwrap()).unwrap();
        let visit = Visit { seed: 2, ..Visit::of(response) };
        writer.append(&encoder.encode_unchanged(&visit, &earlier).unwrap()).unwrap();
    }
}

#[test]
fn warcio_finds_no_fault_with_our_files() {
    let Some(warcio) = std::env::var_os("GANNET_WARCIO") else {
        skip("warcio not installed");
        return;
    };
    for compression in [Compression::None, Compression::default(), Compression::Gzip { level: 6 }] {
        let dir = tempfile::tempdir().unwrap();
        write_all_kinds(dir.path(), compression);
        let path = dir.path().join(format!("gannet-00000{}", compression.extension()));
        let check = Command::new(&warcio).args(["check", "-v"]).arg(&path).output().unwrap();
        let words = String::from_utf8_lossy(&check.stdout);
        assert!(check.status.success(), "{words}{}", String::from_utf8_lossy(&check.stderr));
        assert!(words.contains("digest pass") && !words.contains("fail"), "{words}");
        let listing = Command::new(&warcio)
            .args(["index", "-f", "offset,warc-type,warc-target-uri,http:status"])
            .arg(&path)
            .output()
            .unwrap();
        assert!(listing.status.success());
        let theirs = String::from_utf8(listing.stdout).unwrap();
        let ours = exchange::records(&path);
        assert_eq!(theirs.lines().count(), ours.len());
        for (line, record) in theirs.lines().zip(&ours) {
            let line: serde_json::Value = serde_json::from_str(line).unwrap();
            assert_eq!(line["offset"], record.offset.to_string());
            assert_eq!(line["warc-type"], record.kind.as_str());
        }
    }
}

#[test]
fn zstd_unpacks_our_files() {
    let dir = tempfile::tempdir().unwrap();
    let compression = Compression::Zstd { level: 3 };
    write_all_kinds(dir.path(), compression);
    let path = dir.path().join("gannet-00000.warc.zst");
    let Ok(output) = Command::new("zstd").args(["-d", "-c", "-q"]).arg(&path).output() else {
        skip("zstd not installed");
        return;
    };
    assert!(output.status.success());
    let heads = output.stdout.windows(9).filter(|window| window == b"\nWARC/1.1").count();
    assert_eq!(heads + 1, exchange::records(&path).len());
}

/// Records and faults in each file of a folder whose name ends so.
fn census(folder: &Path) -> BTreeMap<String, (usize, usize, usize)> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if !name.contains(".warc") && !name.contains(".arc") {
            continue;
        }
        let (mut records, mut answers, mut faults) = (0, 0, 0);
        for record in Reader::open(&entry.path()).unwrap() {
            match record {
                Ok(record) => {
                    records += 1;
                    answers += usize::from(record.capture().is_some());
                }
                Err(_) => faults += 1,
            }
        }
        found.insert(name, (records, answers, faults));
    }
    found
}

#[test]
fn files_of_other_tools_give_what_they_hold() {
    let Some(folder) = data_folder("warc") else { return };
    let census = census(&folder);
    let mut report = std::io::stderr();
    for (name, (records, answers, faults)) in &census {
        writeln!(report, "{name}: {records} records, {answers} answers, {faults} faults").unwrap();
    }
    let total: usize = census.values().map(|(records, ..)| records).sum();
    writeln!(report, "{} files, {total} records", census.len()).unwrap();
    // One with a length that is one too small, one with a length that is too large.
    let known = ["example.warc", "example-space-in-url.arc", "example-wrong-chunks.warc.gz"];
    let is_odd =
        |name: &str| name.contains("bad") || name.contains("trunc") || known.contains(&name);
    for (name, (records, _, faults)) in &census {
        assert!(*records > 0, "{name} gave nothing");
        assert!(*faults == 0 || is_odd(name), "{name}: {faults} faults");
    }
}

#[test]
fn digests_of_other_tools_agree_with_ours() {
    let Some(folder) = data_folder("warc") else { return };
    let (mut agreed, mut differed) = (0, 0);
    for name in ["iana.warc.gz", "example-iana.warc", "cc.warc.gz", "main-page.warc.gz"] {
        for record in Reader::open(&folder.join(name)).unwrap().flatten() {
            let Some(digest) = record.headers.get("WARC-Block-Digest") else { continue };
            let Some(digest) = gannet_archive::Digest::parse(digest) else { continue };
            match gannet_archive::Digest::of(&[&record.block]) == digest {
                true => agreed += 1,
                false => differed += 1,
            }
        }
    }
    assert!(agreed > 0);
    assert_eq!(differed, 0, "{agreed} agreed");
}

#[test]
fn our_index_of_a_file_is_the_one_other_tools_made() {
    let Some(folder) = data_folder("warc") else { return };
    for name in ["dupes", "iana", "example2"] {
        let theirs = std::fs::read_to_string(folder.join(format!("{name}.cdxj"))).unwrap();
        let ours = index(&folder.join(format!("{name}.warc.gz"))).unwrap();
        let mut matched = 0;
        for line in theirs.lines() {
            let mut words = line.splitn(3, ' ');
            let (key, timestamp) = (words.next().unwrap(), words.next().unwrap());
            let json: serde_json::Value = serde_json::from_str(words.next().unwrap()).unwrap();
            let is_same = |line: &&gannet_archive::CdxjLine| {
                let ours: serde_json::Value = serde_json::from_str(&line.json).unwrap();
                line.key == key
                    && line.timestamp == timestamp
                    && ["offset", "length", "digest", "url"].iter().all(|f| ours[f] == json[f])
            };
            assert!(ours.iter().any(|line| is_same(&line)), "{name}: no line like {line}");
            matched += 1;
        }
        assert!(matched > 0);
    }
}

#[test]
fn keys_follow_the_table_of_the_archive_tools() {
    let Some(folder) = data_folder("conformance/url/urlcanon") else { return };
    let table = std::fs::read_to_string(folder.join("surt.json")).unwrap();
    let table: serde_json::Value = serde_json::from_str(&table).unwrap();
    for (url, expected) in table["defaultIASurt"].as_object().unwrap() {
        // A scheme that no page has; it is its own key here.
        if url.starts_with("whois:") {
            continue;
        }
        assert_eq!(surt(url), expected.as_str().unwrap(), "{url}");
    }
}

#[test]
fn a_damaged_member_costs_only_itself() {
    for compression in [Compression::default(), Compression::Zstd { level: 3 }] {
        let visit = encode(compression, &response("page", "some text ".repeat(100)));
        let mut bytes = [visit.bytes(), visit.bytes(), visit.bytes()].concat();
        let middle = visit.bytes().len() + visit.response.offset + visit.response.length / 2;
        bytes[middle..middle + 20].fill(0xaa);
        let reader = Reader::new(std::io::Cursor::new(bytes), Default::default()).unwrap();
        let (good, bad): (Vec<_>, Vec<_>) = reader.partition(Result::is_ok);
        assert_eq!((good.len(), bad.len()), (8, 1));
    }
}

#[test]
fn a_whole_file_in_one_member_is_read() {
    let visit = encode(Compression::None, &response("page", "some text "));
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(visit.bytes()).unwrap();
    let bytes = encoder.finish().unwrap();
    let reader = Reader::new(std::io::Cursor::new(bytes), Default::default()).unwrap();
    let records: Vec<_> = reader.map(Result::unwrap).collect();
    assert_eq!(records.len(), 3);
    assert_eq!(records[1].kind, RecordKind::Response);
    assert_eq!(records[1].length, None);
}

#[test]
fn a_dictionary_at_the_head_of_a_zstd_file_is_used() {
    let visit = encode(Compression::None, &response("page", "some text "));
    let dictionary = visit.bytes().to_vec();
    let mut bytes = vec![0x5d, 0x2a, 0x4d, 0x18];
    bytes.extend_from_slice(&u32::try_from(dictionary.len()).unwrap().to_le_bytes());
    bytes.extend_from_slice(&dictionary);
    let mut compressor = zstd::bulk::Compressor::with_dictionary(3, &dictionary).unwrap();
    let frame = compressor.compress(visit.bytes()).unwrap();
    assert!(frame.len() < 100);
    bytes.extend_from_slice(&frame);
    let reader = Reader::new(std::io::Cursor::new(bytes), Default::default()).unwrap();
    assert_eq!(reader.map(Result::unwrap).count(), 3);
}

#[test]
fn a_cut_file_gives_what_is_there_and_then_the_place_of_the_fault() {
    for compression in [Compression::None, Compression::default()] {
        let page = response("page", "some text ".repeat(100));
        let visit = Encoder::new(compression).unwrap().encode_visit(&Visit::of(&page)).unwrap();
        let cut = visit.bytes().len() - 20;
        let input = std::io::Cursor::new(visit.bytes()[..cut].to_vec());
        let items: Vec<_> = Reader::new(input, Default::default()).unwrap().collect();
        assert_eq!(items.len(), 3);
        let answer = items[1].as_ref().unwrap();
        assert!(answer.is_cut && answer.http().unwrap().body.starts_with(b"some text"));
        let place = visit.response.offset as u64;
        let fault = items[2].as_ref().unwrap_err();
        assert!(matches!(fault, ReadError::CutShort { offset } if *offset == place), "{fault}");
    }
}
