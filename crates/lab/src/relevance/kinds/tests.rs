//! Each kind of data is known by what it holds, in folders and in archives.

use std::fs;
use std::path::Path;

use super::*;
use crate::relevance::labelled::read_set;
use crate::relevance::{LabelledSet, load};

const POST: &str = "From: someone@a.example\nSubject: Re: RE: orbits\n\
     Newsgroups: sci.space\n\nOrbits are round.\n\nMostly.\n";
const INDEX: &str = "class\tuniversity\turl\tpath\n\
     course\tcornell\thttp://a.example/cs101\tkb/course/one\n\
     other\tcornell\thttp://a.example/none\tkb/other/two\n\
     course\tcornell\thttp://a.example/gone\tkb/course/missing\n";
const ANSWER: &str = "Date: Fri, 13 Dec 1996\nContent-type: text/html\n\n<h1>CS 101</h1> Homework";
const CATEGORIES: &str = "# article, category\n\nBobcat\tsubject.Science.Biology\n\
     Bobcat\tsubject.Geography.America\nBobcat\tsubject.Science.Zoology\n";
const ARTICLE: &str = "<title>Bobcat</title><h3>Subjects: \
     <a href=\"../index/subject.Science.Biology.htm\">Mammals</a></h3><a href=\"x.htm\">A cat</a>";

fn newsgroups() -> Tree {
    Tree::of(
        "news",
        &[
            ("all/all-train/sci.space/1", POST),
            ("all/all-test/sci.space/2", POST),
            ("all/all-test/rec.autos/3", POST),
            ("all/readme", "no post at all"),
        ],
    )
}

fn only(found: Vec<RawSet>) -> LabelledSet {
    let [set] = <[RawSet; 1]>::try_from(found).unwrap_or_else(|found| {
        panic!("{} sets instead of one", found.len());
    });
    read_set(set, 1)
}

/// Name, names of classes and test half of every page.
fn labels(set: &LabelledSet) -> Vec<(&str, Vec<&str>, bool)> {
    let classes = |page: &crate::relevance::LabelledPage| {
        page.classes.iter().map(|class| set.classes[*class].name.as_str()).collect()
    };
    set.pages.iter().map(|page| (page.name.as_str(), classes(page), page.is_test)).collect()
}

#[test]
fn newsgroups_are_folders_of_posts_in_two_halves() {
    let set = only(newsgroups::find(&newsgroups()).unwrap());
    assert_eq!(set.name, "all");
    assert_eq!(
        labels(&set),
        [
            ("all/all-test/rec.autos/3", vec!["rec.autos"], true),
            ("all/all-test/sci.space/2", vec!["sci.space"], true),
            ("all/all-train/sci.space/1", vec!["sci.space"], false),
        ]
    );
}

#[test]
fn of_a_post_only_subject_and_body_are_kept() {
    let set = only(newsgroups::find(&newsgroups()).unwrap());
    let page = &set.pages[0];
    assert_eq!(page.document.title, "orbits");
    assert_eq!(page.document.text().collect::<String>().trim(), "Orbits are round. Mostly.");
    assert_eq!(page.document.passages().count(), 2);
    assert!(page.url.is_none());
}

#[test]
fn an_index_names_pages_with_their_server_headers() {
    let files = [("kb/pages.tsv", INDEX), ("kb/course/one", ANSWER), ("kb/other/two", "<p>Hi")];
    let set = only(page_index::find(&Tree::of("web", &files)).unwrap());
    assert_eq!(set.name, "kb");
    assert_eq!(
        set.topics().map(|class| set.classes[class].name.as_str()).collect::<Vec<_>>(),
        ["course"]
    );
    let page = set.pages.iter().find(|page| page.name.ends_with("cs101")).unwrap();
    assert_eq!(page.url.as_ref().unwrap().as_str(), "http://a.example/cs101");
    let text: Vec<&str> = page.document.text().collect();
    assert_eq!(text.join("|").trim_matches('|'), "CS 101|Homework");
    assert_eq!(set.pages.len(), 2, "the page that is not there is passed over");
}

#[test]
fn an_article_has_every_first_level_subject_and_no_link_to_it() {
    let pages = Tree::of("pages", &[("wp/b/Bobcat.htm", ARTICLE), ("wp/b/Index.htm", "<p>all")]);
    let table = Tree::of("", &[("school/categories.tsv", CATEGORIES)]);
    let set = only(encyclopedia::find(&pages, &encyclopedia::tables(&table).unwrap()).unwrap());
    assert_eq!(set.name, "school");
    let page = &set.pages[0];
    assert_eq!(page.classes.len(), 2);
    assert_eq!(set.classes[page.classes[0]].name, "Science");
    assert_eq!(page.url.as_ref().unwrap().as_str(), "http://school.example/wp/b/Bobcat.htm");
    let text: String = page.document.text().collect();
    assert!(!text.contains("Mammals") && text.contains("A cat"), "{text}");
}

#[test]
fn folders_of_pages_are_classes() {
    let files = [("s/wood/a.html", "<p>Saw"), ("s/wood/b.txt", "Plane"), ("s/iron/c.htm", "Forge")];
    let set = only(class_folders::find(&Tree::of("", &files)).unwrap());
    assert_eq!(set.name, "s");
    let classes: Vec<Vec<&str>> = labels(&set).into_iter().map(|(_, classes, _)| classes).collect();
    assert_eq!(classes, [["iron"], ["wood"], ["wood"]]);
    let one = Tree::of("", &[("s/wood/a.html", "<p>Saw")]);
    assert!(class_folders::find(&one).unwrap().is_empty(), "one class tells nothing apart");
}

#[test]
fn header_lines_end_at_the_first_empty_one() {
    assert_eq!(
        head_and_body(b"a: 1\r\n\r\nbody\n\nmore"),
        (&b"a: 1\r\n"[..], &b"body\n\nmore"[..])
    );
    assert_eq!(head_and_body(b"a: 1"), (&b"a: 1"[..], &b""[..]));
    assert_eq!(header("From: x\nsubject:  y ", "Subject"), Some("y"));
}

fn tar_of(files: &[(&str, &str)]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (path, text) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        builder.append_data(&mut header, path, text.as_bytes()).unwrap();
    }
    builder.into_inner().unwrap()
}

fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut gzip, bytes).unwrap();
    gzip.finish().unwrap()
}

const ARCHIVED: [(&str, &str); 3] = [("./n/a/1", POST), ("./n/b/2", POST), ("./n/.git/a/3", POST)];

#[test]
fn archives_of_every_kind_are_unpacked_up_to_two_folders_down() {
    let tar = tar_of(&ARCHIVED);
    let zst = zstd::encode_all(&tar[..], 1).unwrap();
    check("x.tar", &tar);
    check("one/x.tar.gz", &gzipped(&tar));
    check("one/x.tgz", &gzipped(&tar));
    check("one/two/x.tar.zst", &zst);

    #[track_caller]
    fn check(path: &str, bytes: &[u8]) {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), path, bytes);
        let sets = load(folder.path(), &[], 1).unwrap();
        assert_eq!((sets.len(), sets[0].name.as_str(), sets[0].pages.len()), (1, "n", 2), "{path}");
    }
}

fn write(folder: &Path, path: &str, bytes: &[u8]) {
    let file = folder.join(path);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, bytes).unwrap();
}

#[test]
fn loose_folders_count_as_classes_only_where_nothing_better_is_found_or_when_named() {
    let folder = tempfile::tempdir().unwrap();
    let names = |wanted: &[&str]| -> Vec<String> {
        let wanted: Vec<String> = wanted.iter().map(|name| (*name).to_owned()).collect();
        load(folder.path(), &wanted, 1).unwrap().into_iter().map(|set| set.name).collect()
    };
    write(folder.path(), "crafts/wood/a.html", b"<p>Saw");
    write(folder.path(), "crafts/iron/b.html", b"<p>Forge");
    assert_eq!(names(&[]), ["crafts"]);
    write(folder.path(), "n.tar", &tar_of(&ARCHIVED));
    assert_eq!(names(&[]), ["n"]);
    assert_eq!(names(&["CRAFT"]), ["crafts"]);
}

#[test]
fn sets_of_one_name_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    for copy in ["1.tar", "2.tar"] {
        write(folder.path(), copy, &tar_of(&ARCHIVED));
    }
    let sets = load(folder.path(), &[], 1).unwrap();
    assert_eq!(sets.iter().map(|set| set.name.as_str()).collect::<Vec<_>>(), ["n", "n-2"]);
}

#[test]
fn what_is_wrong_with_a_folder_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let error = |wanted: &[String]| load(folder.path(), wanted, 1).unwrap_err().to_string();
    assert!(error(&[]).starts_with("no labelled pages in"));
    write(folder.path(), "n.tar", &tar_of(&ARCHIVED));
    assert!(error(&["web".to_owned()]).ends_with("there are: n"));
    write(folder.path(), "broken.tar.gz", b"no gzip");
    assert!(error(&[]).ends_with("broken.tar.gz\" cannot be unpacked"));
    assert!(load(Path::new("/nowhere/at/all"), &[], 1).is_err());
}
