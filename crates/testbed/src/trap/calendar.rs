//! An endless calendar: URLs without end, each linking to more.

use std::fmt::Write;

/// A page of the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Month {
    year: u32,
    month: u32,
    /// The page of results within the month.
    page: u32,
}

impl Month {
    /// Where a host's navigation enters it.
    pub(super) const FIRST: Month = Month { year: 2026, month: 1, page: 1 };

    pub(super) fn path(self) -> String {
        let Month { year, month, page } = self;
        if page == 1 {
            return format!("/calendar/{year:04}/{month:02}/");
        }
        format!("/calendar/{year:04}/{month:02}/?page={page}")
    }

    pub(super) fn read(path_and_query: &str) -> Option<Month> {
        let (path, query) = path_and_query.split_once('?').unwrap_or((path_and_query, ""));
        let (year, month) = path.strip_prefix("/calendar/")?.strip_suffix('/')?.split_once('/')?;
        let page = match query {
            "" => 1,
            _ => query.strip_prefix("page=")?.parse().ok()?,
        };
        let month: u32 = month.parse().ok()?;
        let read = Month { year: year.parse().ok()?, month, page };
        ((1..=12).contains(&month) && read.path() == path_and_query).then_some(read)
    }

    fn next(self) -> Month {
        let ends_year = self.month == 12;
        let year = self.year.saturating_add(u32::from(ends_year));
        Month { year, month: if ends_year { 1 } else { self.month + 1 }, page: 1 }
    }

    /// Where this page leads: always to pages not seen before.
    pub(super) fn links(self) -> [Month; 2] {
        [self.next(), Month { page: self.page.saturating_add(1), ..self }]
    }

    pub(super) fn html(self) -> String {
        let mut out = String::from("<!doctype html><title>Calendar</title><h1>Events</h1><ul>");
        for month in self.links() {
            let _ = write!(out, "<li><a href=\"{}\">more events</a>", month.path());
        }
        out.push_str("</ul><p>There are no events on this day.</p>");
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_calendar_never_ends() {
        let mut month = Month::FIRST;
        for _ in 0..1_000 {
            assert_eq!(Month::read(&month.path()), Some(month));
            month = month.links()[0];
        }
        assert_eq!(Month::read("/calendar/2026/13/"), None);
    }
}
