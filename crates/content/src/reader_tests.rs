//! What the reader makes of pages, case by case.

use gannet_model::{Document, Headers, HttpVersion, LinkKind, Note, PageUrl, Response, Timestamp};
use proptest::prelude::*;

use crate::{Limits, read, read_html, soup};

fn document(page: &str) -> Document {
    read_within(page, &Limits::default())
}

fn read_within(page: &str, limits: &Limits) -> Document {
    let url = PageUrl::parse("http://a.example/d/page.html").unwrap();
    read_html(&url, &Headers::new(), page.as_bytes(), limits)
}

/// Blocks as `2<1 Heading: text`: level, parent block, heading, text.
#[track_caller]
fn check_blocks(page: &str, expected: &[&str]) {
    let blocks = document(page).blocks.into_iter().map(|block| {
        let parent = block.parent.map(|parent| format!("<{parent}")).unwrap_or_default();
        match block.heading {
            Some(heading) => format!("{}{parent} {}: {}", heading.level, heading.text, block.text),
            None => block.text,
        }
    });
    assert_eq!(blocks.collect::<Vec<_>>(), expected, "{page:?}");
}

/// Links as `url [anchor] block "text it spans"`.
#[track_caller]
fn check_links(page: &str, expected: &[&str]) {
    let document = document(page);
    let links = document.links.iter().map(|link| {
        let url = link.url.as_str().replace("http://a.example", "");
        let spanned = &document.blocks[link.block].text[link.span.0..link.span.1];
        format!("{url} [{}] {} {spanned:?}", link.anchor, link.block)
    });
    assert_eq!(links.collect::<Vec<_>>(), expected, "{page:?}");
}

#[test]
fn a_block_is_a_heading_and_what_follows_it() {
    check_blocks(
        "intro<h1>One</h1><p>a</p><p>b</p><h1>Two</h1>c",
        &["intro", "1 One: a b", "1 Two: c"],
    );
}

#[test]
fn content_before_the_first_heading_is_block_zero() {
    check_blocks("<p>before</p><h2>One</h2>after", &["before", "2 One: after"]);
    check_blocks("<h2>One</h2>after", &["", "2 One: after"]);
    check_blocks("no heading", &["no heading"]);
}

#[test]
fn blocks_nest_by_the_level_of_their_headings() {
    check_blocks(
        "<h1>A</h1><h2>B</h2><h3>C</h3><h2>D</h2><h4>E</h4><h1>F</h1><h3>G</h3>",
        &["", "1 A: ", "2<1 B: ", "3<2 C: ", "2<1 D: ", "4<4 E: ", "1 F: ", "3<6 G: "],
    );
}

#[test]
fn tables_and_their_sub_tables_belong_to_the_block() {
    check_blocks(
        "<h2>Prices</h2><table><tr><td>a</td><td>b<table><tr><td>c</td><td>d</td></tr></table></td></tr></table>e",
        &["", "2 Prices: a b c d e"],
    );
    check_blocks(
        "<table><tr><td>a<h2>In a cell</h2>b</td><td>c</td></tr></table>d",
        &["a", "2 In a cell: b c d"],
    );
}

#[test]
fn nested_markup_is_read_in_document_order() {
    check_blocks(
        "<div><div><h1>A</h1></div><div><p>x</p><section><h2>B</h2><div>y</div></section>z</div></div>w",
        &["", "1 A: x", "2<1 B: y z w"],
    );
}

#[test]
fn a_heading_holds_the_words_of_all_inside_it() {
    check_blocks(
        "<h1> The <b>nor<i>thern</i></b>\n gannet </h1>x",
        &["", "1 The northern gannet: x"],
    );
    check_blocks("<h1><a href=x>Linked</a> title</h1>x", &["", "1 Linked title: x"]);
    check_blocks("<h1><img src=l.png alt='The logo'></h1>x", &["", "1 The logo: x"]);
}

#[test]
fn a_heading_left_open_ends_with_its_container_or_the_next_heading() {
    check_blocks(
        "<div><h2>One</div>a<h3>Two<h4>Three</h2>b",
        &["", "2 One: a", "3<1 Two: ", "4<2 Three: b"],
    );
    check_blocks("<h2>One<div>still</div>one</h3>a", &["", "2 One still one: a"]);
    check_blocks("<td><h2>One</td>a", &["", "2 One: a"]);
}

#[test]
fn block_elements_separate_words_and_inline_ones_do_not() {
    check_blocks("<b>a</b>b<i>c</i>", &["abc"]);
    check_blocks("<td>a</td><td>b</td>", &["a b"]);
    check_blocks("a<br>b<p>c<li>d<option>e", &["a b c d e"]);
    check_blocks("a <b> b </b> c", &["a b c"]);
    check_blocks("a<!-- x -->b<script>c</script>d", &["abd"]);
}

#[test]
fn references_are_decoded_in_text_and_attributes() {
    check_blocks("caf&eacute; &lt;b&gt; &#8212; AT&T&nbsp;&amp;amp;", &["café <b> — AT&T &amp;"]);
    check_links(
        "<a href='?a=1&amp;b=2&copy=3'>x&amp;y</a>",
        &["/d/page.html?a=1&b=2&copy=3 [x&y] 0 \"x&y\""],
    );
}

#[test]
fn a_link_knows_its_words_and_where_they_stand() {
    check_links(
        "see <a href=/x>the <b>colony</b></a> there",
        &["/x [the colony] 0 \"the colony\""],
    );
    check_links(
        "<h2>One</h2>é <a href=x> a </a>b<a href=y>c</a>",
        &["/d/x [a] 1 \"a\"", "/d/y [c] 1 \"c\""],
    );
    check_links("<a href=x></a>", &["/d/x [] 0 \"\""]);
}

#[test]
fn a_link_in_a_heading_belongs_to_the_block_it_opens() {
    check_links("a<h2><a href=x>One</a></h2>b", &["/d/x [One] 1 \"\""]);
    check_links("a<a href=x><h2>One</h2><p>text</p></a>b", &["/d/x [One text] 1 \"text\""]);
}

#[test]
fn a_link_that_began_in_a_block_stays_there() {
    check_links("<a href=x>a <h2>One</h2>b</a>c", &["/d/x [a One b] 0 \"a\""]);
}

#[test]
fn an_image_speaks_for_a_link_without_words() {
    check_links("<a href=x><img src=i alt=' An  image '></a>", &["/d/x [An image] 0 \"\""]);
    check_links("<a href=x><img src=i alt=image>words</a>", &["/d/x [words] 0 \"words\""]);
    check_links("<a href=x aria-label=Label></a>", &["/d/x [Label] 0 \"\""]);
    check_links("<a href=x><svg><title>Logo</title></svg></a>", &["/d/x [Logo] 0 \"\""]);
}

#[test]
fn links_left_open_end_at_the_next_link_or_cell() {
    check_links("<a href=x>a<a href=y>b</a>c", &["/d/x [a] 0 \"a\"", "/d/y [b] 0 \"b\""]);
    check_links("<table><tr><td><a href=x>a<td>b</table>", &["/d/x [a] 0 \"a\""]);
    check_links("<a href=x>a<p>b", &["/d/x [a b] 0 \"a b\""]);
    check_links("<a href=x>a<table><td>b</table>c</a>d", &["/d/x [a b c] 0 \"a b c\""]);
}

#[test]
fn only_what_a_crawler_can_follow_is_a_link() {
    check_links("<a href=#top>a</a><a href=''>b</a><a>c</a><a href=mailto:x@y.example>d</a>", &[]);
    check_links(
        "<a href='JavaScript:x()'>a</a><a href=data:,x>b</a><a href=ftp://f.example/>c</a>",
        &[],
    );
    check_links("<a href='http://['>a</a><a href=' /x\n'>b</a>", &["/x [b] 0 \"b\""]);
    check_links("<a href=x#part>a</a>", &["/d/x [a] 0 \"a\""]);
}

#[test]
fn the_first_base_holds_for_the_whole_page() {
    check_links("<base href=/b/><a href=x>a</a>", &["/b/x [a] 0 \"a\""]);
    check_links("<a href=x>a</a><base href=/b/><base href=/c/>", &["/b/x [a] 0 \"a\""]);
    check_links("<base target=t><base href=/b/><a href=x>a</a>", &["/b/x [a] 0 \"a\""]);
    check_links("<base href=data:,x><base href=/c/><a href=x>a</a>", &["/d/x [a] 0 \"a\""]);
    assert_eq!(document("<base href=/b/>").base.unwrap().as_str(), "http://a.example/b/");
    assert_eq!(document("x").base.unwrap().as_str(), "http://a.example/d/page.html");
}

#[test]
fn frames_areas_and_head_links_are_links_of_their_kind() {
    let found = document(
        "<link rel=next href=n><link rel='alternate' type='application/rss+xml' href=f>\
         <link rel=icon href=i><area href=m alt=Map><frame src=g><iframe src=h></iframe>",
    );
    let kinds: Vec<_> = found.links.iter().map(|link| link.kind).collect();
    assert_eq!(
        kinds,
        [LinkKind::Head, LinkKind::Head, LinkKind::Area, LinkKind::Frame, LinkKind::Frame]
    );
    assert!(found.links[0].rel.next && found.links[1].rel.feed);
    assert_eq!(found.links[2].anchor, "Map");
}

#[test]
fn a_link_says_its_relation_and_title() {
    let found = document("<a href=x rel='NoFollow prev' title='a &amp; b'>x</a>");
    assert!(found.links[0].rel.nofollow && found.links[0].rel.prev && !found.links[0].rel.next);
    assert_eq!(found.links[0].title, "a & b");
}

#[test]
fn a_block_counts_the_characters_in_its_links() {
    let found = document("é<a href=x>éa</a>b<h2><a href=y>H</a></h2><a href=z>cd</a>");
    let counts: Vec<_> = found.blocks.iter().map(|block| block.linked_chars).collect();
    assert_eq!(counts, [2, 2]);
}

#[test]
fn the_head_says_what_the_page_is() {
    let found = document(
        "<html lang=EN-gb><title> The\n gannet &amp; co </title><title>second</title>\
         <meta name=Description content='About  birds'><meta name=robots content=noindex>\
         <meta name=gannet content=noarchive><meta name=otherbot content=nofollow>\
         <meta http-equiv=Refresh content='3; url=r'><link rel=canonical href=/c>\
         <link rel=stylesheet href=s.css>",
    );
    assert_eq!(found.title, "The gannet & co");
    assert_eq!(found.language.as_deref(), Some("en-gb"));
    assert_eq!(found.description, "About birds");
    assert!(found.robots.noindex && found.robots.noarchive && !found.robots.nofollow);
    assert_eq!(found.refresh.unwrap().as_str(), "http://a.example/d/r");
    assert_eq!(found.canonical.unwrap().as_str(), "http://a.example/c");
    assert_eq!(found.stylesheets[0].as_str(), "http://a.example/d/s.css");
    assert!(found.links.is_empty());
}

#[test]
fn forms_and_images_are_kept_with_their_places() {
    let found = document(
        "<h1>A</h1><img src=i.png alt=I><img src='data:,x' data-src=j.png><img alt=none>\
         <form action=/s><input name=q><select name=k></select><textarea name=t></textarea><input></form>\
         <input name=outside><form method=POST><button name=b></form><form method=dialog>",
    );
    let images: Vec<_> =
        found.images.iter().map(|it| (it.url.path(), it.alt.as_str(), it.block)).collect();
    assert_eq!(images, [("/d/i.png", "I", 1), ("/d/j.png", "", 1)]);
    let forms: Vec<_> = found
        .forms
        .iter()
        .map(|it| format!("{:?} {} {:?}", it.method, it.action.path(), it.fields))
        .collect();
    assert_eq!(forms, [r#"Get /s ["q", "k", "t"]"#, r#"Post /d/page.html ["b"]"#]);
}

#[test]
fn limits_cut_and_say_so() {
    let limits = Limits { max_links: 1, max_blocks: 2, max_text_bytes: 8, ..Limits::default() };
    let page = "<h1>é</h1>a<h2>Two</h2><a href=x>éé</a><a href=y>longer</a>";
    let found = read_within(page, &limits);
    assert_eq!((found.links.len(), found.blocks.len()), (1, 2));
    assert_eq!(found.blocks[1].text, "a Two é");
    let cut = |limit: &str| Note::Cut { limit: limit.to_owned() };
    assert_eq!(found.notes, [cut("blocks"), cut("text"), cut("links")]);
}

/// Passages of the whole page, headings left out.
#[track_caller]
fn check_passages(document: &Document, expected: &[&str]) {
    let passages: Vec<_> = document.passages().map(|passage| passage.text.trim_end()).collect();
    assert_eq!(passages, expected);
}

#[test]
fn a_passage_begins_where_a_box_begins_or_ends() {
    #[track_caller]
    fn check(page: &str, expected: &[&str]) {
        check_passages(&document(page), expected);
    }
    check("<p>one <b>two</b></p><p>three", &["one two", "three"]);
    check("a<div>b</div>c", &["a", "b", "c"]);
    check("<ul><li>a<li><a href=x>b</a> c</ul>d", &["a", "b c", "d"]);
    check("<table><tr><th>a<td>b<tr><td>c</table>d", &["a", "b", "c", "d"]);
    check("<dl><dt>a<dd>b</dl><hr>c<blockquote>d</blockquote>e", &["a", "b", "c", "d", "e"]);
    check("<select><option>a<option>b</select>c", &["a", "b", "c"]);
    check("<nav>a</nav><main>b<figure>c<figcaption>d</figure>", &["a", "b", "c", "d"]);
    check("<details><summary>a</summary>b</details><pre>c\n\nd</pre>", &["a", "b", "c d"]);
}

#[test]
fn one_line_break_stays_in_the_passage_and_two_end_it() {
    #[track_caller]
    fn check(page: &str, expected: &[&str]) {
        check_passages(&document(page), expected);
    }
    check("a<br>b", &["a b"]);
    check("a<br>\n<br/>b", &["a", "b"]);
    check("a<br>&nbsp;<b><br></b>b", &["a", "b"]);
    check("a<br>b<br>c", &["a b c"]);
    check("a <label>b</label><span>c</span>", &["a b c"]);
}

#[test]
fn headings_have_no_passages_and_end_those_around_them() {
    check_passages(&document("a<h1>H<div>i</div></h1><div>b</div>c"), &["a", "b", "c"]);
    assert_eq!(document("<h1>H<div>i</div></h1>b").blocks[1].breaks, [0; 0]);
    let limits = Limits { max_blocks: 1, ..Limits::default() };
    check_passages(&read_within("a<h1>H</h1>b", &limits), &["a", "H", "b"]);
}

#[test]
fn empty_lines_end_the_passages_of_plain_text() {
    let found = respond("text/plain", b"\n\nOne\ntwo.\n \t\r\n\nThree.\n\n");
    assert_eq!(
        (found.blocks[0].text.as_str(), &found.blocks[0].breaks[..]),
        ("One two. Three.", &[9][..])
    );
}

fn respond(content_type: &str, body: &'static [u8]) -> Document {
    let response = Response {
        url: PageUrl::parse("http://a.example/").unwrap(),
        request_head: Vec::new().into(),
        version: HttpVersion::Http11,
        status: 200,
        status_text: String::new(),
        headers: [("Content-Type", content_type.as_bytes().to_vec())].into_iter().collect(),
        wire_body: body.into(),
        body: body.into(),
        address: [127, 0, 0, 1].into(),
        asked_at: Timestamp::default(),
        timings: gannet_model::Timings::default(),
    };
    read(&response, &Limits::default())
}

#[test]
fn any_answer_yields_a_document() {
    assert_eq!(respond("text/html", b"<p>a").blocks[0].text, "a");
    assert_eq!(respond("text/plain", b"<p> a\n b").blocks[0].text, "<p> a b");
    let image = respond("image/png", b"\x89PNG");
    assert_eq!(image.notes, [Note::NotHtml { media_type: "image/png".to_owned() }]);
    assert_eq!((image.blocks.len(), image.is_blank()), (1, true));
    assert_eq!(respond("text/html", b"").notes, [Note::Empty]);
    let odd = respond("text/html; charset=utf-8", b"<p>a\xFF");
    assert_eq!((odd.notes, odd.charset), (vec![Note::BadEncoding], "UTF-8"));
}

/// Passages begin at words, in order; none begins at 0, where the first does.
fn check_breaks_sound(text: &str, breaks: &[u32]) {
    let mut before = 0;
    for at in breaks.iter().map(|at| *at as usize) {
        assert!(before < at && at < text.len(), "{breaks:?} in {text:?}");
        assert!(text.is_char_boundary(at) && text.as_bytes()[at - 1] == b' ');
        assert_ne!(text.as_bytes()[at], b' ');
        before = at;
    }
}

/// What must hold of every document, whatever the bytes.
fn check_sound(document: &Document) {
    assert!(!document.blocks.is_empty());
    assert!(document.blocks[0].heading.is_none());
    for (index, block) in document.blocks.iter().enumerate() {
        assert!(block.parent.is_none_or(|parent| parent < index));
        assert_eq!(block.text.trim_matches(' '), block.text);
        assert!(block.linked_chars <= block.text.chars().count());
        check_breaks_sound(&block.text, &block.breaks);
    }
    for link in &document.links {
        let spanned = document.blocks[link.block].text.get(link.span.0..link.span.1);
        assert!(link.anchor.contains(spanned.unwrap()) || link.anchor.is_empty());
    }
}

#[test]
fn hostile_pages_are_read_in_one_pass() {
    let limits = Limits::default();
    for piece in [
        "<div>",
        "<b><a href=x>",
        "<h1>",
        "<table><td>",
        "<svg>",
        "<template>",
        "<svg><foreignObject>",
        "<a href=\"",
        "<!--",
        "<![CDATA[",
        "</",
        "<script><!--<script>",
        "&",
        "&#",
        "<title>",
        "<base href=x>",
        "<a href=x><h1>",
        "<form><input name=a>",
        "<p a=b ",
        "<x a='",
        "<img alt=a src=b>",
    ] {
        let page = piece.repeat(100_000);
        let document = read_within(&page, &limits);
        check_sound(&document);
        assert!(
            document.links.len() <= limits.max_links && document.blocks.len() <= limits.max_blocks
        );
    }
}

#[test]
fn what_is_kept_is_no_larger_than_the_page() {
    let page = "<h2><a href=x>words <h3>and</a> more".repeat(10_000);
    let found = document(&page);
    let kept: usize = found.text().map(str::len).sum();
    let anchors: usize = found.links.iter().map(|link| link.anchor.len()).sum();
    assert!(kept <= page.len() && anchors <= page.len());
}

proptest! {
    #[test]
    fn any_bytes_yield_a_sound_document(body in prop::collection::vec(any::<u8>(), 0..600)) {
        let url = PageUrl::parse("http://a.example/").unwrap();
        check_sound(&read_html(&url, &Headers::new(), &body, &Limits::default()));
    }

    #[test]
    fn any_soup_yields_a_sound_document(page in soup::page()) {
        check_sound(&document(&page));
    }

    #[test]
    fn any_soup_under_tight_limits_yields_a_sound_document(
        page in soup::page(), links in 0..4_usize, blocks in 0..4_usize, text in 0..40_usize
    ) {
        let limits = Limits { max_links: links, max_blocks: blocks, max_text_bytes: text, ..Limits::default() };
        check_sound(&read_within(&page, &limits));
    }
}
