//! A policy's notes on its pages, by their numbers, which are dense.

use crate::policy::PageNumber;

/// One note a page.
#[derive(Clone, Debug)]
pub(crate) struct Table<T> {
    notes: Vec<Option<T>>,
    held: usize,
}

impl<T> Default for Table<T> {
    fn default() -> Table<T> {
        Table { notes: Vec::new(), held: 0 }
    }
}

impl<T> Table<T> {
    /// The note on a page, if there is one.
    pub(crate) fn get(&self, page: PageNumber) -> Option<&T> {
        self.notes.get(page.0 as usize)?.as_ref()
    }

    /// The note on a page, to be written to.
    pub(crate) fn get_mut(&mut self, page: PageNumber) -> Option<&mut T> {
        self.notes.get_mut(page.0 as usize)?.as_mut()
    }

    /// Puts a note in the place of what was there.
    pub(crate) fn put(&mut self, page: PageNumber, note: T) {
        let place = page.0 as usize;
        if place >= self.notes.len() {
            self.notes.resize_with(place + 1, || None);
        }
        if self.notes[place].replace(note).is_none() {
            self.held += 1;
        }
    }

    /// Drops the note on a page.
    pub(crate) fn forget(&mut self, page: PageNumber) -> Option<T> {
        let note = self.notes.get_mut(page.0 as usize)?.take()?;
        self.held -= 1;
        Some(note)
    }

    /// How many pages there are notes on.
    pub(crate) fn len(&self) -> usize {
        self.held
    }

    /// All notes, by number, to be written to.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = (PageNumber, &mut T)> {
        let notes = (0_u32..).zip(&mut self.notes);
        notes.filter_map(|(number, note)| Some((PageNumber(number), note.as_mut()?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_reused_and_counted_once() {
        let mut table = Table::default();
        table.put(PageNumber(2), 'a');
        table.put(PageNumber(2), 'b');
        assert_eq!((table.len(), table.get(PageNumber(2))), (1, Some(&'b')));
        assert_eq!(table.forget(PageNumber(2)), Some('b'));
        assert_eq!((table.len(), table.forget(PageNumber(2))), (0, None));
        table.put(PageNumber(0), 'c');
        assert_eq!(table.iter_mut().collect::<Vec<_>>(), [(PageNumber(0), &mut 'c')]);
    }
}
