//! Seeds out of documents: sitemaps, feeds, pages and lists of links.

use std::collections::HashSet;
use std::path::Path;

use anyhow::{Context, bail};
use gannet_content::{Extent, SitemapKind, SitemapLimits, read_feed, read_sitemap};
use gannet_fetch::Accept;
use gannet_model::Document;
use gannet_scope::read_seeds;
use gannet_scope::seeds::read_seed;

use super::found::{Finds, Said};
use crate::asking::{Asker, Robots};
use crate::config::{self, Loaded};
use crate::exit::UsageError;
use crate::print;
use crate::seeds::read_url;
use crate::topic::{KeptPage, NOWHERE, read_kept};

/// Reads documents and adds what they name.
pub(super) struct Documents<'a> {
    loaded: &'a Loaded,
    asker: &'a mut Asker,
    finds: &'a mut Finds,
    /// Sitemaps that were read: an index may name itself.
    read: HashSet<String>,
}

/// Sitemaps read in one run: with 50,000 URLs each, more than any crawl starts from.
const MOST_SITEMAPS: usize = 200;

impl<'a> Documents<'a> {
    pub(super) fn new(
        loaded: &'a Loaded,
        asker: &'a mut Asker,
        finds: &'a mut Finds,
    ) -> Documents<'a> {
        Documents { loaded, asker, finds, read: HashSet::new() }
    }

    /// The sitemaps of a site.
    pub(super) fn site(&mut self, given: &str) -> anyhow::Result<()> {
        let site =
            read_seed(given).map_err(|error| UsageError(format!("--site {given:?}: {error}")))?;
        let named = self.asker.sitemaps(&site)?;
        if named.is_empty() {
            let usual = site.join("/sitemap.xml")?;
            print::talk(format_args!(
                "robots.txt of {} names no sitemap; trying {usual}",
                site.host()
            ));
            return self.sitemap(usual.as_str());
        }
        for sitemap in named {
            let read = match site.join(&sitemap) {
                Ok(url) => self.sitemap(url.as_str()),
                Err(error) => Err(error.into()),
            };
            if let Err(error) = read {
                print::warn(format_args!(
                    "{sitemap}, which robots.txt names, is left out: {error:#}"
                ));
            }
        }
        Ok(())
    }

    /// A sitemap, or everything that an index of sitemaps names.
    pub(super) fn sitemap(&mut self, given: &str) -> anyhow::Result<()> {
        let mut waiting = self.one_sitemap(given)?;
        while let Some(next) = waiting.pop() {
            match self.one_sitemap(&next) {
                Ok(further) => waiting.extend(further),
                // The others are worth having without it.
                Err(error) => print::warn(format_args!("left out: {error:#}")),
            }
        }
        Ok(())
    }

    /// Adds the pages of a sitemap; gives the sitemaps that an index names, the first last.
    fn one_sitemap(&mut self, given: &str) -> anyhow::Result<Vec<String>> {
        if !self.read.insert(given.to_owned()) {
            return Ok(Vec::new());
        }
        if self.read.len() > MOST_SITEMAPS {
            bail!("{given}: {MOST_SITEMAPS} sitemaps were read, which is enough");
        }
        let page = self.bring(given, Accept::Feed)?;
        let sitemap = read_sitemap(&page.body, &page.base(), &SitemapLimits::default())
            .with_context(|| given.to_owned())?;
        tell_extent(given, sitemap.extent);
        if sitemap.kind == SitemapKind::Index {
            return Ok(sitemap.entries.into_iter().rev().map(|entry| entry.url.into()).collect());
        }
        for entry in sitemap.entries {
            let lastmod = entry.lastmod.map(|at| at.to_string());
            self.finds.add(entry.url, Said { lastmod, ..Said::default() }, given);
        }
        Ok(Vec::new())
    }

    /// The entries of a feed.
    pub(super) fn feed(&mut self, given: &str) -> anyhow::Result<()> {
        let page = self.bring(given, Accept::Feed)?;
        let feed = read_feed(&page.body, &page.base()).with_context(|| given.to_owned())?;
        tell_extent(given, feed.extent);
        for entry in feed.entries {
            let lastmod = entry.updated.or(entry.published).map(|at| at.to_string());
            let said = Said { title: Some(entry.title), score: None, lastmod };
            self.finds.add(entry.url, said, given);
        }
        Ok(())
    }

    /// What a page links to, or what a text lists.
    pub(super) fn links(&mut self, given: &str) -> anyhow::Result<()> {
        let page = self.bring(given, Accept::Page)?;
        let declared = page.provenance.content_type.split(';').next().unwrap_or_default().trim();
        if gannet_content::is_html(declared, &page.body) {
            let document = page.read(&config::content_limits(&self.loaded.file));
            return self.out_links(given, &document);
        }
        let list = read_seeds(&String::from_utf8_lossy(&page.body));
        for error in list.errors {
            print::warn(format_args!("not a seed: {given}: {error}"));
        }
        for url in list.seeds {
            self.finds.add(url, Said::default(), given);
        }
        Ok(())
    }

    /// As a crawl does, links that ask not to be followed are not.
    fn out_links(&mut self, given: &str, document: &Document) -> anyhow::Result<()> {
        if document.robots.nofollow {
            bail!("{given} asks robots not to follow its links");
        }
        for link in document.links.iter().filter(|link| !link.rel.nofollow) {
            // A saved page without its address cannot say where its relative links lead.
            if link.url.host().name() == NOWHERE {
                continue;
            }
            let said = Said { title: Some(link.anchor.clone()), ..Said::default() };
            self.finds.add(link.url.clone(), said, given);
        }
        Ok(())
    }

    /// The document at a path or URL.
    fn bring(&mut self, given: &str, accept: Accept) -> anyhow::Result<KeptPage> {
        let path = Path::new(given);
        if path.is_file() {
            return Ok(read_kept(path)
                .map_err(|error| UsageError(format!("cannot read {given}: {error}")))?);
        }
        let url = read_url(given)?;
        let response = self.asker.get(&url, accept, Robots::Obey)?;
        if !response.is_success() {
            bail!("{url} answered {}", response.status);
        }
        Ok(KeptPage::of(&response))
    }
}

/// Half a list is worth having, and worth a word.
fn tell_extent(given: &str, extent: Extent) {
    match extent {
        Extent::Whole => {}
        Extent::Limited => print::warn(format_args!("{given} is too long: its end is left out")),
        _ => {
            print::warn(format_args!("{given} is broken or cut short: what could be read is used"));
        }
    }
}
