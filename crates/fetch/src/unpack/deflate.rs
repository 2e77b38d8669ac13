//! deflate: in a zlib wrapper as the RFC says, or bare as some servers send it.

use flate2::{Decompress, Status};

use super::gzip::inflate;
use super::{Stage, Step};

pub(super) struct Deflate {
    state: State,
}

enum State {
    /// Two bytes tell the wrapper; holds the first if only that came.
    Before(Option<u8>),
    Stream(Box<Decompress>),
    /// What follows is ignored.
    Over,
}

impl Deflate {
    pub(super) fn new() -> Deflate {
        Deflate { state: State::Before(None) }
    }

    fn begin(&mut self, held: Option<u8>, input: &[u8], output: &mut [u8]) -> Result<Step, String> {
        let (head, consumed) = match (held, input) {
            (_, []) => return Ok(Step::default()),
            (Some(first), [second, ..]) => ([first, *second], 1),
            (None, [first, second, ..]) => ([*first, *second], 2),
            (None, [first]) => {
                self.state = State::Before(Some(*first));
                return Ok(Step { consumed: 1, produced: 0 });
            }
        };
        // Method 8 and a check sum over the two bytes (RFC 1950, 2.2). A bare
        // stream would have to begin with a stored block whose padding is not zero.
        let has_wrapper = head[0] & 0x0f == 8 && u16::from_be_bytes(head).is_multiple_of(31);
        let mut stream = Box::new(Decompress::new(has_wrapper));
        let (step, status) = inflate(&mut stream, &head, output)?;
        self.state = if status == Status::StreamEnd { State::Over } else { State::Stream(stream) };
        Ok(Step { consumed, produced: step.produced })
    }
}

impl Stage for Deflate {
    fn name(&self) -> &'static str {
        "deflate"
    }

    fn step(&mut self, input: &[u8], output: &mut [u8]) -> Result<Step, String> {
        match &mut self.state {
            State::Before(held) => {
                let held = *held;
                self.begin(held, input, output)
            }
            State::Stream(stream) => {
                let (step, status) = inflate(stream, input, output)?;
                if status == Status::StreamEnd {
                    self.state = State::Over;
                }
                Ok(step)
            }
            State::Over => Ok(Step { consumed: input.len(), produced: 0 }),
        }
    }

    fn is_complete(&self) -> bool {
        matches!(self.state, State::Over)
    }
}
