//! The same difference in every layout.

use gannet_change::diff::{diff, lines};
use gannet_model::{Block, Document, Heading};

use super::*;

fn document(blocks: &[(u8, &str, &[&str])]) -> Document {
    let block = |(level, heading, passages): &(u8, &str, &[&str])| {
        let heading = Some(Heading { level: *level, text: (*heading).to_owned() });
        let mut block = Block { heading, ..Block::default() };
        for passage in *passages {
            block.breaks.push(block.text.len().try_into().unwrap());
            block.text.push_str(passage);
            block.text.push(' ');
        }
        block
    };
    Document { blocks: blocks.iter().map(block).collect(), ..Document::default() }
}

fn example() -> Diff {
    let menu: &[&str] = &["Home", "Birds", "Fish"];
    let old = document(&[
        (1, "The gannet", menu),
        (2, "Diet", &["It eats fish.", "It dives from 30 m.", "See also: <fish>"]),
    ]);
    let new = document(&[
        (1, "The gannet", menu),
        (2, "Diet", &["It eats fish.", "It dives from 40 m.", "東京 & more \u{1b}[31m"]),
        (2, "Sources", &[]),
    ]);
    diff(&lines(&old), &lines(&new))
}

fn written(diff: &Diff, layout: Layout) -> String {
    let view =
        View { old_title: "version 1", new_title: "version 2", layout, context: 1, width: 43 };
    let mut out = Vec::new();
    view.write(diff, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[track_caller]
fn check(layout: Layout, expected: &str) {
    let plain = anstream::adapter::strip_str(&written(&example(), layout)).to_string();
    assert_eq!(plain, expected);
}

#[test]
fn words_are_shown_inline() {
    check(
        Layout::Words,
        "--- version 1
+++ version 2
6 words added and 4 removed, in 3 lines added and 2 removed.
@@ -6,3 +6,4 @@ Diet
  It eats fish.
  It dives from [-30-]{+40+} m.
  [-See also: <fish>-]{+東京 & more  [31m+}
  {+## Sources+}
",
    );
}

#[test]
fn blocks_are_a_unified_diff() {
    check(
        Layout::Blocks,
        "--- version 1
+++ version 2
6 words added and 4 removed, in 3 lines added and 2 removed.
@@ -6,3 +6,4 @@ Diet
  It eats fish.
- It dives from 30 m.
- See also: <fish>
+ It dives from 40 m.
+ 東京 & more  [31m
+ ## Sources
",
    );
}

#[test]
fn versions_stand_side_by_side() {
    check(
        Layout::SideBySide,
        "version 1              version 2
6 words added and 4 removed, in 3 lines added and 2 removed.
@@ -6,3 +6,4 @@ Diet
It eats fish.          It eats fish.
It dives from 30 m.  | It dives from 40 m.
See also: <fish>     | 東京 & more  [31m
                     > ## Sources
",
    );
}

#[test]
fn html_is_escaped_and_needs_no_style() {
    check(
        Layout::Html,
        "<div>
<p>From <b>version 1</b> to <b>version 2</b>: 6 words added and 4 removed, in 3 lines added and 2 removed.</p>
<hr/>
<p><i>Under “Diet”</i></p>
<p>It eats fish.</p>
<p>It dives from <del>30</del><ins>40</ins> m.</p>
<p><del>See also: &lt;fish&gt;</del><ins>東京 &amp; more \u{fffd}[31m</ins></p>
<p><ins><b>Sources</b></ins></p>
</div>
",
    );
}

#[test]
fn json_has_titles_counts_and_all_hunks() {
    let json: serde_json::Value = serde_json::from_str(&written(&example(), Layout::Json)).unwrap();
    assert_eq!(json["old"], "version 1");
    assert_eq!(json["counts"]["words_removed"], 4);
    assert_eq!(json["hunks"][0]["kind"], "kept");
    assert_eq!(json["hunks"][0]["lines"][0]["heading"], 1);
    let rewrite = &json["hunks"][1]["rewrites"][0]["pieces"];
    assert_eq!(rewrite[1], serde_json::json!({ "removed": "30" }));
    assert_eq!(rewrite[2], serde_json::json!({ "added": "40" }));
}

#[test]
fn colours_only_repeat_what_the_signs_say() {
    let coloured = written(&example(), Layout::Words);
    assert!(coloured.contains("\u{1b}["));
    assert!(coloured.contains(&format!("{ADDED}{{+40+}}{ADDED:#}")));
}

#[test]
fn a_heading_of_another_level_is_told() {
    let diff = diff(&[Line::heading(2, "Diet")], &[Line::heading(3, "Diet")]);
    let shown = |layout| anstream::adapter::strip_str(&written(&diff, layout)).to_string();
    assert!(shown(Layout::Words).ends_with("  [-## -]{+### +}Diet\n"));
    assert!(shown(Layout::Blocks).ends_with("- ## Diet\n+ ### Diet\n"));
    assert!(
        shown(Layout::Html).contains(
            "<p><b>Diet</b> <i>(was a heading of level 2, is a heading of level 3)</i></p>"
        )
    );
}

#[test]
fn the_same_text_is_told_to_be_the_same() {
    let same = diff(&[Line::passage("a")], &[Line::passage("a")]);
    for layout in [Layout::Words, Layout::Blocks, Layout::SideBySide, Layout::Html] {
        let shown = written(&same, layout);
        assert!(shown.contains(SAME), "{shown}");
        assert!(!shown.contains("@@") && !shown.contains("<hr/>"), "{shown}");
    }
}
