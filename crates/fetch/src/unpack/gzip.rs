//! gzip: any number of members, text that only pretends, garbage at the end.

use flate2::{Decompress, FlushDecompress, Status};

use super::{Stage, Step};

const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// How far a body that pretends to be gzip is examined for being text.
const EXAMINED: usize = 1024;

/// The largest window gzip has.
const WINDOW_BITS: u8 = 15;

pub(super) struct Gzip {
    state: State,
    /// True once a member was unpacked in full.
    has_member: bool,
}

enum State {
    /// Before a member; holds the first byte of its magic if only that came.
    Before(Option<u8>),
    Member(Box<Decompress>),
    /// Not gzip at all; so many bytes were found to be text.
    Plain(usize),
    /// After the last member.
    Garbage,
}

impl Gzip {
    pub(super) fn new() -> Gzip {
        Gzip { state: State::Before(None), has_member: false }
    }

    /// Looks for a member's magic in the first two bytes.
    fn begin(&mut self, held: Option<u8>, input: &[u8], output: &mut [u8]) -> Result<Step, String> {
        let (first, second, consumed) = match (held, input) {
            (_, []) => return Ok(Step::default()),
            (Some(first), [second, ..]) => (first, *second, 1),
            (None, [first, second, ..]) => (*first, *second, 2),
            (None, [first]) => {
                self.state = State::Before(Some(*first));
                return Ok(Step { consumed: 1, produced: 0 });
            }
        };
        if [first, second] == MAGIC {
            let mut member = Box::new(Decompress::new_gzip(WINDOW_BITS));
            member.decompress(&MAGIC, output, FlushDecompress::None).map_err(|e| e.to_string())?;
            self.state = State::Member(member);
            return Ok(Step { consumed, produced: 0 });
        }
        if self.has_member {
            self.state = State::Garbage;
            return Ok(Step { consumed, produced: 0 });
        }
        if !is_text(first) || !is_text(second) {
            return Err("it does not begin like gzip".to_owned());
        }
        self.state = State::Plain(2);
        output[..2].copy_from_slice(&[first, second]);
        Ok(Step { consumed, produced: 2 })
    }
}

impl Stage for Gzip {
    fn name(&self) -> &'static str {
        "gzip"
    }

    fn step(&mut self, input: &[u8], output: &mut [u8]) -> Result<Step, String> {
        match &mut self.state {
            State::Before(held) => {
                let held = *held;
                self.begin(held, input, output)
            }
            State::Member(member) => {
                let (step, status) = inflate(member, input, output)?;
                if status == Status::StreamEnd {
                    self.has_member = true;
                    self.state = State::Before(None);
                }
                Ok(step)
            }
            State::Plain(examined) => {
                let taken = input.len().min(output.len());
                let suspect = EXAMINED.saturating_sub(*examined).min(taken);
                if !input[..suspect].iter().all(|&byte| is_text(byte)) {
                    return Err("it is neither gzip nor text".to_owned());
                }
                *examined += suspect;
                output[..taken].copy_from_slice(&input[..taken]);
                Ok(Step { consumed: taken, produced: taken })
            }
            State::Garbage => Ok(Step { consumed: input.len(), produced: 0 }),
        }
    }

    fn is_complete(&self) -> bool {
        match self.state {
            State::Before(_) => self.has_member,
            State::Member(_) => false,
            State::Plain(_) | State::Garbage => true,
        }
    }
}

/// One call of the inflater, with how far it went.
pub(super) fn inflate(
    inflater: &mut Decompress,
    input: &[u8],
    output: &mut [u8],
) -> Result<(Step, Status), String> {
    let (read, written) = (inflater.total_in(), inflater.total_out());
    let status = inflater
        .decompress(input, output, FlushDecompress::None)
        .map_err(|error| error.to_string())?;
    // Both differences are within the slices just passed.
    let consumed = (inflater.total_in() - read) as usize;
    let produced = (inflater.total_out() - written) as usize;
    Ok((Step { consumed, produced }, status))
}

/// False for bytes that text in any ASCII-based charset does without.
fn is_text(byte: u8) -> bool {
    byte >= 0x20 || matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c | 0x1b)
}
