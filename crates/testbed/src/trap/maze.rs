//! A maze of session ids: a few pages about the topic, under ever new addresses.
//!
//! Every link names a visit that nobody has made yet, in a parameter that no
//! list of session ids knows.

use crate::draw::{Draw, Purpose};

/// How many different pages there are.
const ROOMS: u64 = 30;
/// Where each of them leads.
const DOORS: u64 = 8;

/// A room as one visitor sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Room {
    room: u64,
    visit: u64,
}

impl Room {
    /// Where a host's navigation enters it.
    pub(super) const FIRST: Room = Room { room: 0, visit: 1 };

    pub(super) fn path(self) -> String {
        format!("/guide/{}?visit={:016x}", self.room, self.visit)
    }

    pub(super) fn read(path_and_query: &str) -> Option<Room> {
        let (room, visit) = path_and_query.strip_prefix("/guide/")?.split_once("?visit=")?;
        let room = Room { room: room.parse().ok()?, visit: u64::from_str_radix(visit, 16).ok()? };
        (room.room < ROOMS && room.path() == path_and_query).then_some(room)
    }

    /// Where this room leads: always to visits not made before.
    pub(super) fn links(self) -> impl Iterator<Item = Room> {
        let mut draw = Draw::new(self.visit, Purpose::Trap, self.room, 1);
        (0..DOORS).map(move |_| Room { room: draw.below(ROOMS), visit: draw.bits() })
    }

    /// Which text it has: the same for every visit.
    pub(super) fn text(self) -> u64 {
        self.room
    }

    /// What tells this visit's page from another's.
    pub(super) fn remark(self) -> String {
        format!("You are visitor {}.", self.visit % 1_000_000)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_door_leads_to_another_address_of_the_same_few_rooms() {
        let mut seen = std::collections::BTreeSet::new();
        let mut room = Room::FIRST;
        for _ in 0..200 {
            assert_eq!(Room::read(&room.path()), Some(room));
            assert!(room.links().all(|next| seen.insert(next.path())));
            room = room.links().last().unwrap();
        }
        assert_eq!(Room::read("/guide/30?visit=0000000000000001"), None);
    }
}
