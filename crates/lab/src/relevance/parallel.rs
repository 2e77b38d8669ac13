//! The same work on many things, on all cores, with the answers in order.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Does `work` for every item on so many threads; the answers stand in the items' order, whoever
/// was faster.
pub(crate) fn in_parallel<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(items.len()));
    thread::scope(|scope| {
        for _ in 0..threads.clamp(1, items.len().max(1)) {
            scope.spawn(|| {
                while let Some((at, item)) = {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    items.get(at).map(|item| (at, item))
                } {
                    let answer = work(item);
                    done.lock().expect("no work panics with the lock held").push((at, answer));
                }
            });
        }
    });
    let mut done = done.into_inner().expect("no work panics with the lock held");
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, answer)| answer).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_stand_in_the_order_of_the_items() {
        let items: Vec<u32> = (0..100).collect();
        for threads in [0, 1, 3, 200] {
            assert_eq!(in_parallel(&items, threads, |item| item * 2)[99], 198);
        }
        assert!(in_parallel(&[0_u8; 0], 2, |_| ()).is_empty());
    }
}
