//! After a crash at any instant the archive is whole and is gone on with.

mod exchange;

use std::path::Path;

use exchange::{FORMATS, encode, records, response};
use gannet_archive::{ArchiveError, Compression, Config, Position, RecordKind, Writer, read_at};

fn config(compression: Compression) -> Config {
    Config { compression, ..Config::default() }
}

fn answers(path: &Path) -> usize {
    records(path).iter().filter(|record| record.kind == RecordKind::Response).count()
}

#[test]
fn a_file_torn_at_any_byte_is_mended_and_appended_to() {
    for compression in FORMATS {
        let dir = tempfile::tempdir().unwrap();
        let visit = encode(compression, &response("page", "some text ".repeat(30)));
        let committed = Writer::open(dir.path(), config(compression), None)
            .and_then(|mut writer| {
                let first = writer.append(&visit)?;
                writer.append(&visit)?;
                Ok(first)
            })
            .unwrap();
        let path = dir.path().join(format!("gannet-00000{}", compression.extension()));
        let whole = std::fs::read(&path).unwrap();
        for length in committed.end() as usize..whole.len() {
            // With and without a place to start from, turn about.
            let known = Some(committed).filter(|_| length % 2 == 0);
            std::fs::write(&path, &whole[..length]).unwrap();
            let mut writer = Writer::open(dir.path(), config(compression), known).unwrap();
            let position = writer.append(&visit).unwrap();
            assert_eq!(position.file, 0);
            let found = answers(&path);
            assert!(found == 2 || found == 3, "{found} answers, torn at {length}");
            read_at(dir.path(), "gannet", position).unwrap();
            read_at(dir.path(), "gannet", committed).unwrap();
        }
    }
}

#[test]
fn a_file_torn_in_its_first_record_is_begun_anew() {
    for compression in FORMATS {
        let dir = tempfile::tempdir().unwrap();
        let visit = encode(compression, &response("page", "text"));
        let mut writer = Writer::open(dir.path(), config(compression), None).unwrap();
        let first = writer.append(&visit).unwrap();
        drop(writer);
        let path = dir.path().join(format!("gannet-00000{}", compression.extension()));
        let whole = std::fs::read(&path).unwrap();
        for length in 0..first.offset as usize {
            std::fs::write(&path, &whole[..length]).unwrap();
            let mut writer = Writer::open(dir.path(), config(compression), None).unwrap();
            assert_eq!(writer.recovery().dropped_bytes, length as u64);
            assert_eq!(writer.append(&visit).unwrap(), first);
            assert_eq!(std::fs::read(&path).unwrap(), whole);
        }
    }
}

#[test]
fn holes_left_by_a_power_cut_are_cut_off() {
    for compression in FORMATS {
        let dir = tempfile::tempdir().unwrap();
        let visit = encode(compression, &response("page", "some text ".repeat(300)));
        let mut writer = Writer::open(dir.path(), config(compression), None).unwrap();
        let committed = writer.append(&visit).unwrap();
        let lost = writer.append(&visit).unwrap();
        drop(writer);
        let path = dir.path().join(format!("gannet-00000{}", compression.extension()));
        let mut bytes = std::fs::read(&path).unwrap();
        let middle = lost.response_offset() as usize + visit.response.length / 2;
        bytes[middle..].fill(0);
        bytes.extend_from_slice(&[0; 4096]);
        std::fs::write(&path, &bytes).unwrap();
        let mut writer = Writer::open(dir.path(), config(compression), Some(committed)).unwrap();
        assert!(writer.recovery().dropped_bytes > 4096);
        writer.append(&visit).unwrap();
        assert_eq!(answers(&path), 2);
    }
}

#[test]
fn lost_committed_bytes_are_told() {
    let dir = tempfile::tempdir().unwrap();
    let visit = encode(Compression::default(), &response("page", "text"));
    let mut writer = Writer::open(dir.path(), Config::default(), None).unwrap();
    writer.append(&visit).unwrap();
    let committed = writer.append(&visit).unwrap();
    drop(writer);
    let path = dir.path().join("gannet-00000.warc.gz");
    let file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
    file.set_len(committed.offset + 5).unwrap();
    let writer = Writer::open(dir.path(), Config::default(), Some(committed)).unwrap();
    let missing = u64::from(committed.length) - 5;
    assert_eq!(writer.recovery().missing_bytes, missing);
    assert_eq!(writer.recovery().dropped_bytes, 5);
    assert_eq!(answers(&path), 1);
}

#[test]
fn a_full_file_is_followed_by_the_next() {
    let dir = tempfile::tempdir().unwrap();
    let config = Config { max_file_bytes: 2000, ..Config::default() };
    let visit = encode(Compression::default(), &response("page", "text"));
    let mut positions: Vec<Position> = Vec::new();
    for _ in 0..3 {
        // Closing and opening in between changes nothing.
        let committed = positions.last().copied();
        let mut writer = Writer::open(dir.path(), config.clone(), committed).unwrap();
        for _ in 0..5 {
            positions.push(writer.append(&visit).unwrap());
        }
    }
    assert!(positions.last().unwrap().file > 3);
    for position in &positions {
        read_at(dir.path(), "gannet", *position).unwrap();
    }
    for number in 0..=positions.last().unwrap().file {
        let path = dir.path().join(format!("gannet-{number:05}.warc.gz"));
        assert_eq!(records(&path)[0].kind, RecordKind::Warcinfo);
    }
}

#[test]
fn another_compression_begins_another_file() {
    let dir = tempfile::tempdir().unwrap();
    for (number, compression) in FORMATS.into_iter().enumerate() {
        let visit = encode(compression, &response("page", "text"));
        let mut writer = Writer::open(dir.path(), config(compression), None).unwrap();
        let position = writer.append(&visit).unwrap();
        assert_eq!(position.file as usize, number);
        read_at(dir.path(), "gannet", position).unwrap();
        let other = encode(FORMATS[(number + 1) % 3], &response("page", "text"));
        assert!(matches!(writer.append(&other), Err(ArchiveError::OtherFormat)));
    }
}

#[test]
fn two_writers_cannot_share_an_archive() {
    let dir = tempfile::tempdir().unwrap();
    let visit = encode(Compression::default(), &response("page", "text"));
    let mut first = Writer::open(dir.path(), Config::default(), None).unwrap();
    first.append(&visit).unwrap();
    let second = Writer::open(dir.path(), Config::default(), None);
    assert!(matches!(second, Err(ArchiveError::Locked(_))));
    drop(first);
    Writer::open(dir.path(), Config::default(), None).unwrap();
}

#[test]
fn a_position_survives_storing() {
    let position = Position { file: 3, offset: 1 << 40, length: 77, response: 12 };
    let text = serde_json::to_string(&position).unwrap();
    assert_eq!(serde_json::from_str::<Position>(&text).unwrap(), position);
}
