//! The same page by the book: `html5ever` builds the tree, a walk reads it.
//!
//! Slow and independent of the scanner, the counters and the outline. It
//! shares only the table of elements and the folding of white space, which
//! are choices of ours and not of the standard.

use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::{Rc, Weak};

use gannet_model::PageUrl;
use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::{Attribute, ExpandedName, ParseOpts, QualName, parse_document};

use crate::element::Element;
use crate::folded::{Folded, Gap};

/// What the tree says.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    pub(crate) title: String,
    /// Address and words of every `a` that leads somewhere.
    pub(crate) anchors: Vec<(String, String)>,
    pub(crate) text: String,
}

/// Reads a page found at `url`.
pub(crate) fn read(url: &PageUrl, text: &str) -> Reading {
    let mut options = ParseOpts::default();
    options.tree_builder.scripting_enabled = false;
    let root = parse_document(Tree { root: Node::new(None) }, options).one(text);
    let base = find(&root, &|node| node.is("base") && node.attribute("href").is_some());
    let base = base.and_then(|node| url.join(&node.attribute("href")?).ok());
    let mut walk = Walk {
        base: base.unwrap_or_else(|| url.clone()),
        text: Folded::default(),
        open: Vec::new(),
        anchors: Vec::new(),
        title: None,
    };
    walk.visit(&root, false);
    Reading {
        title: walk.title.unwrap_or_default(),
        anchors: walk.anchors,
        text: walk.text.into_text(),
    }
}

struct Walk {
    base: PageUrl,
    text: Folded,
    /// Links and headings around the current node: their words, and those of their images.
    open: Vec<(Folded, Folded)>,
    anchors: Vec<(String, String)>,
    title: Option<String>,
}

impl Walk {
    fn visit(&mut self, node: &Rc<Node>, is_drawing: bool) {
        if is_drawing && node.is("title") {
            self.add_alternative(&node.content());
        } else if !is_drawing {
            self.add(&node.text.borrow());
        }
        let Some(name) = node.name.as_ref().map(|name| name.local.to_string()) else {
            return self.visit_children(node, is_drawing);
        };
        let element = Element::named(&name);
        let is_html = &*node.name.as_ref().unwrap().ns == "http://www.w3.org/1999/xhtml";
        if is_html && element == Element::Title {
            if self.title.as_deref().unwrap_or_default().is_empty() {
                let mut title = Folded::default();
                title.push(&node.content());
                self.title = Some(title.into_text());
            }
            return self.separate();
        }
        let is_hidden = matches!(
            element,
            Element::Script
                | Element::HiddenRaw(_)
                | Element::Template
                | Element::TextArea
                | Element::InlineFrame
        );
        let separates = is_html && element.gap() > Gap::None;
        if separates {
            self.separate();
        }
        if !is_hidden {
            let is_drawing = match element {
                Element::Svg => true,
                Element::ForeignObject => false,
                _ => is_drawing,
            };
            self.visit_element(node, element, is_drawing);
        }
        if separates {
            self.separate();
        }
    }

    fn visit_element(&mut self, node: &Rc<Node>, element: Element, is_drawing: bool) {
        let href = node.attribute("href").filter(|_| element == Element::Anchor);
        let href = href.as_deref().map(str::trim_ascii);
        let href = href.filter(|href| !href.is_empty() && !href.starts_with('#'));
        let url = href.and_then(|href| self.base.join(href).ok());
        if element == Element::Image {
            self.add_alternative(&node.attribute("alt").unwrap_or_default());
        }
        if url.is_none() && !matches!(element, Element::Heading(_)) {
            return self.visit_children(node, is_drawing);
        }
        let place = self.anchors.len();
        let is_link = url.is_some();
        self.anchors.extend(url.map(|url| (url.to_string(), String::new())));
        let mut label = Folded::default();
        label.push(&node.attribute("aria-label").filter(|_| is_link).unwrap_or_default());
        self.open.push((Folded::default(), label));
        self.visit_children(node, is_drawing);
        let Some((words, alternative)) = self.open.pop() else { unreachable!("just pushed") };
        if is_link {
            self.anchors[place].1 = if words.is_empty() { alternative } else { words }.into_text();
        } else if words.is_empty() {
            self.text.push(alternative.as_str());
        }
    }

    fn add_alternative(&mut self, words: &str) {
        for (_, alternative) in &mut self.open {
            alternative.separate(Gap::Space);
            alternative.push(words);
        }
    }

    fn visit_children(&mut self, node: &Rc<Node>, is_drawing: bool) {
        for child in node.children.borrow().iter() {
            self.visit(child, is_drawing);
        }
    }

    fn add(&mut self, text: &str) {
        self.text.push(text);
        self.open.iter_mut().for_each(|(words, _)| words.push(text));
    }

    fn separate(&mut self) {
        self.text.separate(Gap::Space);
        self.open.iter_mut().for_each(|(words, _)| words.separate(Gap::Space));
    }
}

fn find(node: &Rc<Node>, wanted: &impl Fn(&Node) -> bool) -> Option<Rc<Node>> {
    if wanted(node) {
        return Some(node.clone());
    }
    node.children.borrow().iter().find_map(|child| find(child, wanted))
}

/// An element, a text (no name) or the root (neither).
struct Node {
    name: Option<QualName>,
    attributes: RefCell<Vec<Attribute>>,
    text: RefCell<String>,
    children: RefCell<Vec<Rc<Node>>>,
    parent: RefCell<Weak<Node>>,
    /// Where the content of a template goes, out of the reader's sight.
    template: RefCell<Option<Rc<Node>>>,
}

impl Node {
    fn new(name: Option<QualName>) -> Rc<Node> {
        Rc::new(Node {
            name,
            attributes: RefCell::default(),
            text: RefCell::default(),
            children: RefCell::default(),
            parent: RefCell::default(),
            template: RefCell::default(),
        })
    }

    fn is(&self, name: &str) -> bool {
        self.name.as_ref().is_some_and(|own| &*own.local == name)
    }

    fn attribute(&self, name: &str) -> Option<String> {
        let attributes = self.attributes.borrow();
        attributes.iter().find(|it| &*it.name.local == name).map(|it| it.value.to_string())
    }

    fn content(&self) -> String {
        self.children.borrow().iter().map(|child| child.text.borrow().clone()).collect()
    }

    fn detach(&self) {
        let parent = self.parent.take();
        if let Some(parent) = parent.upgrade() {
            parent.children.borrow_mut().retain(|child| !std::ptr::eq(&**child, self));
        }
    }

    fn place_of(&self, child: &Rc<Node>) -> Option<usize> {
        self.children.borrow().iter().position(|it| Rc::ptr_eq(it, child))
    }
}

struct Tree {
    root: Rc<Node>,
}

impl Tree {
    fn insert(&self, parent: &Rc<Node>, place: usize, new: NodeOrText<Rc<Node>>) {
        let node = match new {
            NodeOrText::AppendNode(node) => node,
            NodeOrText::AppendText(text) => {
                let before = place.checked_sub(1).map(|at| parent.children.borrow()[at].clone());
                if let Some(before) = before.filter(|it| !it.text.borrow().is_empty()) {
                    before.text.borrow_mut().push_str(&text);
                    return;
                }
                let node = Node::new(None);
                node.text.borrow_mut().push_str(&text);
                node
            }
        };
        node.detach();
        *node.parent.borrow_mut() = Rc::downgrade(parent);
        let place = place.min(parent.children.borrow().len());
        parent.children.borrow_mut().insert(place, node);
    }
}

impl TreeSink for Tree {
    type Handle = Rc<Node>;
    type Output = Rc<Node>;
    type ElemName<'a> = ExpandedName<'a>;

    fn finish(self) -> Rc<Node> {
        self.root
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> Rc<Node> {
        self.root.clone()
    }

    fn elem_name<'a>(&'a self, target: &'a Rc<Node>) -> ExpandedName<'a> {
        target.name.as_ref().expect("an element").expanded()
    }

    fn create_element(
        &self,
        name: QualName,
        attributes: Vec<Attribute>,
        _: ElementFlags,
    ) -> Rc<Node> {
        let node = Node::new(Some(name));
        *node.attributes.borrow_mut() = attributes;
        node
    }

    fn create_comment(&self, _: StrTendril) -> Rc<Node> {
        Node::new(None)
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> Rc<Node> {
        Node::new(None)
    }

    fn append(&self, parent: &Rc<Node>, child: NodeOrText<Rc<Node>>) {
        let place = parent.children.borrow().len();
        self.insert(parent, place, child);
    }

    fn append_based_on_parent_node(
        &self,
        element: &Rc<Node>,
        previous: &Rc<Node>,
        child: NodeOrText<Rc<Node>>,
    ) {
        if element.parent.borrow().upgrade().is_some() {
            self.append_before_sibling(element, child);
        } else {
            self.append(previous, child);
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    fn get_template_contents(&self, target: &Rc<Node>) -> Rc<Node> {
        target.template.borrow_mut().get_or_insert_with(|| Node::new(None)).clone()
    }

    fn same_node(&self, one: &Rc<Node>, other: &Rc<Node>) -> bool {
        Rc::ptr_eq(one, other)
    }

    fn set_quirks_mode(&self, _: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &Rc<Node>, new: NodeOrText<Rc<Node>>) {
        if let NodeOrText::AppendNode(node) = &new {
            node.detach();
        }
        let parent = sibling.parent.borrow().upgrade().expect("a parent");
        let place = parent.place_of(sibling).expect("a place");
        self.insert(&parent, place, new);
    }

    fn add_attrs_if_missing(&self, target: &Rc<Node>, attributes: Vec<Attribute>) {
        let mut own = target.attributes.borrow_mut();
        for attribute in attributes {
            if !own.iter().any(|it| it.name == attribute.name) {
                own.push(attribute);
            }
        }
    }

    fn remove_from_parent(&self, target: &Rc<Node>) {
        target.detach();
    }

    fn reparent_children(&self, node: &Rc<Node>, parent: &Rc<Node>) {
        for child in node.children.take() {
            *child.parent.borrow_mut() = Rc::downgrade(parent);
            parent.children.borrow_mut().push(child);
        }
    }
}
