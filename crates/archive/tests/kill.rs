//! A writer killed while it appends loses nothing that it acknowledged.
//!
//! In a file of its own: the lock on an archive is inherited by a child process
//! until that has begun to run, so no other test may open one at that moment.

mod exchange;

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use exchange::{encode, response};
use gannet_archive::{Compression, Config, Position, Reader, Writer, read_at};

/// Names the directory for the process that the test below starts and kills.
const VICTIM: &str = "GANNET_ARCHIVE_VICTIM";

/// Not a test of its own: run by the next one, it appends until it is killed.
#[test]
fn appends_until_killed() {
    let Some(dir) = std::env::var_os(VICTIM) else { return };
    let visit = encode(Compression::default(), &response("page", "some text ".repeat(3000)));
    let mut writer = Writer::open(Path::new(&dir), Config::default(), None).unwrap();
    loop {
        let position = writer.append(&visit).unwrap();
        let line = serde_json::to_string(&position).unwrap();
        writeln!(std::io::stdout(), "position {line}").unwrap();
    }
}

#[test]
fn a_killed_writer_loses_nothing_it_acknowledged() {
    let dir = tempfile::tempdir().unwrap();
    for round in 1..=5 {
        let mut victim = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "appends_until_killed", "--nocapture"])
            .env(VICTIM, dir.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let lines = BufReader::new(victim.stdout.take().unwrap()).lines();
        let acknowledged: Vec<Position> = lines
            .map_while(Result::ok)
            // The first line shares its line with the test harness's own words.
            .filter_map(|line| line.split_once("position ").map(|(_, json)| json.to_owned()))
            .map(|json| serde_json::from_str(&json).unwrap())
            .take(40 * round)
            .collect();
        victim.kill().unwrap();
        victim.wait().unwrap();
        assert_eq!(acknowledged.len(), 40 * round);
        let last = acknowledged.last().copied();
        Writer::open(dir.path(), Config::default(), last).unwrap();
        for position in acknowledged {
            read_at(dir.path(), "gannet", position).unwrap();
        }
        let path = dir.path().join("gannet-00000.warc.gz");
        assert!(Reader::open(&path).unwrap().all(|record| record.is_ok()));
    }
}
