//! Labels as people and programs write them, whole, torn and edited.

use super::*;

const YES: &str = r#"{"url":"http://a.example/page","relevant":true,"at":"2026-01-31T12:00:00Z"}"#;
const NO: &str = r#"{"url":"http://a.example/page","relevant":false,"at":1769860801000000}"#;
const OTHER: &str = r#"{"url":"http://b.example/","relevant":false,"relative":"boats"}"#;

fn parse(text: &str) -> Labels {
    parse_as(text, &|url| url)
}

fn parse_as(text: &str, canonical: &dyn Fn(PageUrl) -> PageUrl) -> Labels {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("labels.jsonl");
    std::fs::write(&path, text).unwrap();
    Labels::follow(&mut Following::new(path), canonical).unwrap()
}

fn url(text: &str) -> PageUrl {
    PageUrl::parse(text).unwrap()
}

fn label(address: &str, relevant: bool) -> Label {
    Label { url: url(address), relevant, at: Timestamp::from_secs(1_800_000_000), relative: None }
}

/// What is read of a text: URL, answer, and the numbers of senseless lines.
#[track_caller]
fn check(text: &str, expected: &[(&str, bool)], senseless: &[usize]) {
    let labels = parse(text);
    let read: Vec<_> = labels.iter().map(|label| (label.url.as_str(), label.relevant)).collect();
    assert_eq!(read, expected);
    let lines: Vec<_> = labels.problems().iter().map(|problem| problem.line).collect();
    assert_eq!(lines, senseless, "{:?}", labels.problems());
}

#[test]
fn the_last_label_of_a_page_wins() {
    check(&format!("{YES}\n{NO}\n"), &[("http://a.example/page", false)], &[]);
    check(
        &format!("{NO}\n{OTHER}\n{YES}\n"),
        &[("http://a.example/page", true), ("http://b.example/", false)],
        &[],
    );
}

#[test]
fn a_torn_last_line_is_no_label_and_no_mistake() {
    for cut in 1..YES.len() {
        check(&format!("{OTHER}\n{}", &YES[..cut]), &[("http://b.example/", false)], &[]);
    }
    check(YES, &[("http://a.example/page", true)], &[]);
}

#[test]
fn lines_that_make_no_sense_are_told_by_their_numbers() {
    let text = format!(
        "nonsense\n{YES}\n\n{{\"url\":\"mailto:x\",\"relevant\":true}}\n[]\n\u{0}\n{OTHER}\n"
    );
    check(&text, &[("http://a.example/page", true), ("http://b.example/", false)], &[1, 4, 5, 6]);
    let problems = parse("{\"url\":\"http://a.example/\",\"relevant\":true,\"at\":\"noon\"}\n");
    assert!(problems.problems()[0].what.contains("RFC 3339"), "{:?}", problems.problems());
}

#[test]
fn pages_are_compared_in_canonical_form() {
    let canonical = |url: PageUrl| PageUrl::parse(url.as_str().split('?').next().unwrap()).unwrap();
    let text = format!("{YES}\n{}\n", NO.replace("/page", "/page?utm_source=x"));
    let labels = parse_as(&text, &canonical);
    assert_eq!(labels.len(), 1);
    let said = labels.get(url("http://a.example/page").fingerprint()).unwrap();
    assert!(!said.relevant);
}

#[test]
fn what_is_appended_is_read_back_even_behind_a_torn_line() {
    let directory = tempfile::tempdir().unwrap();
    let data = DataDir::new(directory.path());
    append(&data, &label("http://a.example/1", true)).unwrap();
    let mut bytes = std::fs::read(data.labels()).unwrap();
    bytes.extend_from_slice(b"{\"url\":\"http://a.exa");
    std::fs::write(data.labels(), bytes).unwrap();
    let relative = Label { relative: Some("boats".into()), ..label("http://a.example/2", false) };
    append(&data, &relative).unwrap();
    let text = std::fs::read_to_string(data.labels()).unwrap();
    let labels = parse(&text);
    assert_eq!(
        labels.iter().cloned().collect::<Vec<_>>(),
        [label("http://a.example/1", true), relative]
    );
    assert_eq!(labels.problems().len(), 1, "the torn line is told");
}

#[test]
fn lines_appended_by_many_at_once_stay_whole() {
    let directory = tempfile::tempdir().unwrap();
    let data = DataDir::new(directory.path());
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let data = &data;
            scope.spawn(move || {
                for number in 0..25 {
                    let address = format!("http://a.example/{writer}/{number}");
                    append(data, &label(&address, true)).unwrap();
                }
            });
        }
    });
    let labels = parse(&std::fs::read_to_string(data.labels()).unwrap());
    assert_eq!((labels.len(), labels.problems().len()), (100, 0));
}

#[test]
fn following_gives_each_label_once_and_waits_for_whole_lines() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("labels.jsonl");
    let mut following = Following::new(path.clone());
    let mut urls = || -> Vec<String> {
        let (labels, problems) = following.news().unwrap();
        assert!(problems.is_empty(), "{problems:?}");
        labels.iter().map(|label| label.url.to_string()).collect()
    };
    assert!(urls().is_empty(), "no file is no label");
    let (half, rest) = OTHER.split_at(9);
    std::fs::write(&path, format!("{YES}\n{half}")).unwrap();
    assert_eq!(urls(), ["http://a.example/page"]);
    assert!(urls().is_empty());
    std::fs::write(&path, format!("{YES}\n{half}{rest}\n{NO}\n")).unwrap();
    assert_eq!(urls(), ["http://b.example/", "http://a.example/page"]);
    std::fs::write(&path, format!("{OTHER}\n")).unwrap();
    assert_eq!(urls(), ["http://b.example/"], "a file written anew is read anew");
}

#[test]
fn a_senseless_line_is_told_once_with_its_number() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("labels.jsonl");
    let mut following = Following::new(path.clone());
    std::fs::write(&path, format!("{YES}\nwhat\n")).unwrap();
    let (labels, problems) = following.news().unwrap();
    assert_eq!((labels.len(), problems[0].line), (1, 2));
    std::fs::write(&path, format!("{YES}\nwhat\n{OTHER}\nnow\n")).unwrap();
    let (labels, problems) = following.news().unwrap();
    assert_eq!((labels.len(), problems.len(), problems[0].line), (1, 1, 4));
}

#[test]
fn a_persons_word_is_a_judgement_that_tells_what_the_model_thought() {
    let by_model = Judgement {
        score: Score::clamped(0.25),
        threshold: Score::clamped(0.5),
        model: "linear".to_owned(),
        version: 7,
        reasons: Reasons::none(),
    };
    let yes = Said { relevant: true, relative: None }.judgement(&by_model);
    assert!(yes.is_relevant());
    assert_eq!((yes.score, yes.model.as_str()), (Score::ONE, PERSON));
    let reason = yes.reasons.iter().next().unwrap();
    assert_eq!(reason.part, "labelled by a person");
    assert_eq!(reason.note, "linear gave 0.2500 against 0.5000");
    // A second thought does not forget what the model thought.
    let no = Said { relevant: false, relative: None }.judgement(&yes);
    assert!(!no.is_relevant());
    assert_eq!(no.reasons.iter().next().unwrap().note, reason.note);
}
