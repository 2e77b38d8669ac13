//! Charts hold what they should and are well-formed XML.

use super::*;

fn chart(content: Content) -> Chart {
    Chart {
        title: "F1 < 1 & \"rising\"".to_owned(),
        x_label: "examples".to_owned(),
        y_label: "mean F1".to_owned(),
        least_end: 0.0,
        width: 400.0,
        content,
    }
}

fn bars(series: usize) -> Chart {
    let named = |nth: usize| (format!("model {nth}"), vec![Some(0.5), None, Some(f64::NAN)]);
    chart(Content::Bars {
        groups: ["0", "10", "50"].map(str::to_owned).to_vec(),
        series: (0..series).map(named).collect(),
    })
}

fn lines() -> Chart {
    let series = vec![
        ("<a>".to_owned(), vec![(0.0, 1.0), (0.5, 0.8), (1.0, 0.1)]),
        ("none".to_owned(), vec![]),
    ];
    chart(Content::Lines { series, has_diagonal: true })
}

/// Every tag closes, attributes are quoted, no bare `<` or `&`.
fn check_well_formed(svg: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = svg;
    while let Some(start) = rest.find('<') {
        check_text(&rest[..start]);
        let end = start + rest[start..].find('>').expect("every tag ends");
        let tag = &rest[start + 1..end];
        assert!(!tag.contains('<'), "a bare < in {tag}");
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap();
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name));
        } else {
            assert_eq!(tag.matches('"').count() % 2, 0, "unquoted: {tag}");
            check_text(tag);
            if !tag.ends_with('/') {
                open.push(name);
            }
        }
        rest = &rest[end + 1..];
    }
    check_text(rest);
    assert!(open.is_empty(), "left open: {open:?}");
}

fn check_text(text: &str) {
    for (at, _) in text.match_indices('&') {
        let reference = text[at..].split(';').next().unwrap();
        assert!(["&amp", "&lt", "&gt", "&quot", "&#39"].contains(&reference), "{reference}");
    }
}

#[test]
fn a_sheet_is_well_formed_whatever_is_on_it() {
    let title = "a < b & \u{1} 'c'".to_owned();
    let svg = Sheet { title, rows: vec![vec![bars(2), lines()], vec![bars(20)]] }.svg();
    check_well_formed(&svg);
    check_well_formed(&Sheet::default().svg());
    assert!(svg.contains("F1 &lt; 1 &amp; &quot;rising&quot;"));
    assert!(!svg.contains("NaN"), "what is no number is not drawn");
}

#[test]
fn each_measured_value_is_a_bar_and_each_series_a_name() {
    let svg = Sheet { title: String::new(), rows: vec![vec![bars(3)]] }.svg();
    assert_eq!(svg.matches(": 0.500</title>").count(), 3);
    assert!((0..3).all(|nth| svg.contains(&format!(">model {nth}</text>"))));
}

#[test]
fn more_series_than_colours_are_told_apart_by_hatches() {
    assert!(!Sheet { rows: vec![vec![bars(8)]], ..Sheet::default() }.svg().contains("url(#hatch)"));
    assert!(Sheet { rows: vec![vec![bars(9)]], ..Sheet::default() }.svg().contains("url(#hatch)"));
}

#[test]
fn charts_of_one_row_stand_side_by_side() {
    let svg = Sheet { title: String::new(), rows: vec![vec![lines(), lines()]] }.svg();
    assert!(svg.contains("translate(16.0,40.0)") && svg.contains("translate(432.0,40.0)"));
}

#[test]
fn axes_reach_as_far_as_asked_and_single_points_are_seen() {
    let series = vec![("one".to_owned(), vec![(0.1, 0.2)])];
    let alone = Chart { least_end: 1.0, ..chart(Content::Lines { series, has_diagonal: false }) };
    let svg = Sheet { title: String::new(), rows: vec![vec![alone]] }.svg();
    assert_eq!(svg.matches(">1.0</text>").count(), 2, "on both axes");
    assert_eq!(svg.matches("<circle").count(), 1);
}
