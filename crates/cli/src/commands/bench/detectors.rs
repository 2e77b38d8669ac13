//! Does the time of every change detector, and of the diff, grow with the page and not faster?
//!
//! Each compares two versions of a page at half and at full size, on markup that is nested without
//! end and on plain passages. Linear time doubles; the ratio is told.

use std::fmt::Write as _;
use std::process::ExitCode;
use std::time::Instant;

use bytes::Bytes;
use gannet_change::diff::{diff, lines};
use gannet_change::{DETECTORS, Version};
use gannet_content::Limits;
use gannet_engine::ReadVersion;
use gannet_model::PageUrl;

use crate::config::Size;
use crate::exit::Exit;
use crate::print;
use crate::table::Table;

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// The size of the larger page
    #[arg(long, default_value = "20MiB")]
    size: Size,
}

/// A way to make a page of about so many bytes; the flag makes its second version.
type Shape = (&'static str, fn(usize, bool) -> String);

const SHAPES: [Shape; 2] = [("nested tags", nested), ("passages", passages)];

/// Every how many passages of the second version one differs.
const EDITED_EVERY: usize = 100;

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let size = usize::try_from(args.size.0)?;
    let mut table = Table::new(&["page", "by", "half, ms", "whole, ms", "ratio (linear time: 2)"]);
    for (name, shape) in SHAPES {
        print::talk(format!("{name}: reading"));
        let half = Pair::new(shape, size / 2)?;
        let whole = Pair::new(shape, size)?;
        let mut row = |by: &str, work: &dyn Fn(&Pair)| {
            let (short, long) = (millis(|| work(&half)), millis(|| work(&whole)));
            let ratio = long / short.max(f64::EPSILON);
            table.row([
                name.to_owned(),
                by.to_owned(),
                format!("{short:.1}"),
                format!("{long:.1}"),
                format!("{ratio:.2}"),
            ]);
        };
        for entry in DETECTORS {
            let detector = (entry.build)();
            row(entry.name, &|pair| {
                std::hint::black_box(detector.compare(&pair.old(), &pair.new_version()));
            });
        }
        row("diff", &|pair| {
            std::hint::black_box(diff(&lines(pair.old.document()), &lines(pair.new.document())));
        });
    }
    table.print()?;
    Ok(Exit::Done.into())
}

/// Two versions of a page.
struct Pair {
    old: ReadVersion,
    new: ReadVersion,
}

impl Pair {
    fn new(shape: fn(usize, bool) -> String, size: usize) -> anyhow::Result<Pair> {
        let url = PageUrl::parse("http://a.example/")?;
        let limits = Limits::default();
        let read =
            |is_edited| ReadVersion::of_html(&url, Bytes::from(shape(size, is_edited)), &limits);
        Ok(Pair { old: read(false), new: read(true) })
    }

    fn old(&self) -> Version<'_> {
        self.old.version()
    }

    fn new_version(&self) -> Version<'_> {
        self.new.version()
    }
}

fn millis(work: impl Fn()) -> f64 {
    let began = Instant::now();
    work();
    began.elapsed().as_secs_f64() * 1e3
}

fn nested(size: usize, is_edited: bool) -> String {
    let word = if is_edited { "dives" } else { "glides" };
    format!("{}{word}", "<div>".repeat(size / 5))
}

fn passages(size: usize, is_edited: bool) -> String {
    let mut page = String::with_capacity(size + 64);
    let mut number = 0_usize;
    while page.len() < size {
        let is_other = is_edited && number.is_multiple_of(EDITED_EVERY);
        let verb = if is_other { "dives" } else { "glides" };
        // Writing to a string cannot fail.
        let _ = writeln!(page, "<p>The gannet {number} {verb} over the water of bay {number}.</p>");
        number += 1;
    }
    page
}
