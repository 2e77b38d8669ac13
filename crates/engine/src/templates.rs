//! What repeats over the pages of each host, for the hosts visited lately.
//!
//! Not stored: decision 0014.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use gannet_content::SiteTemplate;
use gannet_model::{Document, HostId};

/// Hosts whose template is kept, those visited last. A template takes 4 KB at most, so all take
/// 16 MiB; a crawl rarely goes to more hosts than this between two visits to one.
const HOSTS_KEPT: usize = 4096;

/// Templates by host.
#[derive(Default)]
pub(crate) struct Templates {
    hosts: HashMap<HostId, Kept>,
    /// Hosts by their last use, oldest first.
    by_use: BTreeMap<u64, HostId>,
    uses: u64,
}

struct Kept {
    template: Arc<SiteTemplate>,
    last_use: u64,
}

impl Templates {
    /// What is known of a host; `None` when nothing is.
    pub(crate) fn of(&self, host: HostId) -> Option<Arc<SiteTemplate>> {
        self.hosts.get(&host).map(|kept| kept.template.clone())
    }

    /// Shows a page of a host.
    pub(crate) fn observe(&mut self, host: HostId, document: &Document) {
        self.uses += 1;
        let last_use = self.uses;
        let kept =
            self.hosts.entry(host).or_insert_with(|| Kept { template: Arc::default(), last_use });
        self.by_use.remove(&kept.last_use);
        kept.last_use = last_use;
        self.by_use.insert(last_use, host);
        // Copied only while a visit to the same host holds the one before.
        Arc::make_mut(&mut kept.template).observe(document);
        if self.hosts.len() > HOSTS_KEPT
            && let Some((_, oldest)) = self.by_use.pop_first()
        {
            self.hosts.remove(&oldest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hosts_visited_last_are_kept_and_no_more() {
        let mut templates = Templates::default();
        let page = Document::default();
        let first = HostId(0);
        for number in 0..HOSTS_KEPT as u32 {
            templates.observe(HostId(number), &page);
        }
        templates.observe(first, &page);
        templates.observe(HostId(HOSTS_KEPT as u32), &page);
        assert_eq!(templates.hosts.len(), HOSTS_KEPT);
        assert_eq!(templates.by_use.len(), HOSTS_KEPT);
        assert_eq!(templates.of(first).unwrap().pages(), 2, "it was visited again");
        assert!(templates.of(HostId(1)).is_none(), "the one not visited for longest made room");
    }

    #[test]
    fn a_visit_under_way_keeps_what_it_was_given() {
        let mut templates = Templates::default();
        templates.observe(HostId(1), &Document::default());
        let given = templates.of(HostId(1)).unwrap();
        templates.observe(HostId(1), &Document::default());
        assert_eq!(given.pages(), 1);
        assert_eq!(templates.of(HostId(1)).unwrap().pages(), 2);
    }
}
