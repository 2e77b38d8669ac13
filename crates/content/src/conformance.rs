//! Encodings of published test suites and of real files.

#![allow(clippy::print_stdout, reason = "figures are shown by `cargo test -- --nocapture`")]

use std::fs;
use std::path::Path;

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

use crate::charset::decode_html;
use crate::evaluation::{self, Unpacked};
use crate::prescan::{LATE, declared_encoding};

/// Cases of the form `#data`, page, `#encoding`, label. Where nothing is
/// declared the cases expect windows-1252, a browser's default.
#[test]
fn declarations_are_found_as_the_standard_finds_them() {
    let Some(directory) = evaluation::directory() else {
        println!("skipped: no data");
        return;
    };
    let (mut cases, mut failures) = (0, Vec::new());
    for name in ["tests1.dat", "tests2.dat", "test-yahoo-jp.dat"] {
        let bytes = fs::read(directory.join("conformance/charset/prescan").join(name)).unwrap();
        for case in split(&bytes, b"#data\n").into_iter().skip(1) {
            let parts = split(case, b"\n#encoding\n");
            let [page, label] = parts[..] else { panic!("odd case in {name}") };
            let label = label.split(|byte| *byte == b'\n').next().unwrap();
            let expected = Encoding::for_label(label).unwrap();
            let marked = Encoding::for_bom(page).map(|(encoding, _)| encoding);
            let found = marked.or_else(|| declared_encoding(page, LATE)).unwrap_or(WINDOWS_1252);
            cases += 1;
            if found != expected {
                failures.push((
                    name,
                    String::from_utf8_lossy(page).into_owned(),
                    expected.name(),
                    found.name(),
                ));
            }
        }
    }
    println!("prescan: {} of {cases} cases", cases - failures.len());
    assert!(failures.is_empty(), "{failures:#?}");
}

/// Files sorted into folders by encoding. Counted are those in encodings that
/// the web has (WHATWG Encoding standard); right is a text equal to the one
/// that the folder's encoding gives. When this was written 773 of 804 were;
/// most others are in x-mac-cyrillic, or UTF-16 without mark, which browsers
/// do not detect either.
#[test]
fn real_files_are_read_in_their_encoding() {
    let Some(unpacked) = Unpacked::open("conformance/charset/real_encodings.tar.zst", "encodings")
    else {
        println!("skipped: no data");
        return;
    };
    let (mut counted, mut right, mut wrong) = (0, 0, Vec::new());
    for (path, body) in unpacked.files(&[".html", ".xml", ".txt", ".srt", ".csv", ".json", ".md"]) {
        let Some(expected) = expected_encoding(&path) else { continue };
        let decoded = decode_html(&body, None, None);
        counted += 1;
        if decoded.text == expected.decode(&body).0 {
            right += 1;
        } else {
            wrong.push(format!("{} as {}", path.display(), decoded.charset));
        }
    }
    println!("encodings: {right} of {counted} files; wrong: {wrong:#?}");
    assert!(right * 100 >= counted * 95, "only {right} of {counted}");
}

/// The encoding that a folder is named after, such as `windows_1251` or `iso-8859-2-polish`.
fn expected_encoding(path: &Path) -> Option<&'static Encoding> {
    let folder = path.parent()?.file_name()?.to_str()?.to_ascii_lowercase();
    let spelt = folder.replace('_', "-");
    let fewer = |count: usize| {
        let parts: Vec<&str> = spelt.split('-').collect();
        (parts.len() > count).then(|| parts[..parts.len() - count].join("-"))
    };
    let candidates = [Some(spelt.clone()), Some(spelt.replace('-', "")), fewer(1), fewer(2)];
    let known = candidates.into_iter().flatten().find_map(|it| Encoding::for_label(it.as_bytes()));
    match spelt.as_str() {
        "ascii" => Some(UTF_8),
        "cp932" => Encoding::for_label(b"shift_jis"),
        "cp949" => Encoding::for_label(b"euc-kr"),
        "iso2022-jp" => Encoding::for_label(b"iso-2022-jp"),
        "mac-cyrillic" => Encoding::for_label(b"x-mac-cyrillic"),
        _ => known,
    }
}

/// Cuts at every occurrence of `mark`.
fn split<'b>(bytes: &'b [u8], mark: &[u8]) -> Vec<&'b [u8]> {
    let mut parts = Vec::new();
    let mut start = 0;
    for found in memchr::memmem::find_iter(bytes, mark) {
        parts.push(&bytes[start..found]);
        start = found + mark.len();
    }
    parts.push(&bytes[start..]);
    parts
}
