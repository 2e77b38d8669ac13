//! brotli, within the 16 MiB window of RFC 7932.

use brotli_decompressor::{BrotliDecompressStream, BrotliResult, BrotliState, StandardAlloc};

use super::{Stage, Step};

type Decoder = BrotliState<StandardAlloc, StandardAlloc, StandardAlloc>;

pub(super) struct Brotli {
    /// Gone once the stream is over; what follows is ignored.
    decoder: Option<Box<Decoder>>,
}

impl Brotli {
    pub(super) fn new() -> Brotli {
        let memory = StandardAlloc::default;
        // Strict: the large windows of other brotli dialects would take gigabytes.
        Brotli { decoder: Some(Box::new(BrotliState::new_strict(memory(), memory(), memory()))) }
    }
}

impl Stage for Brotli {
    fn name(&self) -> &'static str {
        "br"
    }

    fn step(&mut self, input: &[u8], output: &mut [u8]) -> Result<Step, String> {
        let Some(decoder) = &mut self.decoder else {
            return Ok(Step { consumed: input.len(), produced: 0 });
        };
        let (mut left, mut consumed) = (input.len(), 0);
        let (mut room, mut produced, mut total) = (output.len(), 0, 0);
        let result = BrotliDecompressStream(
            &mut left,
            &mut consumed,
            input,
            &mut room,
            &mut produced,
            output,
            &mut total,
            decoder,
        );
        match result {
            BrotliResult::ResultSuccess => self.decoder = None,
            BrotliResult::NeedsMoreInput | BrotliResult::NeedsMoreOutput => {}
            BrotliResult::ResultFailure => return Err("corrupt brotli stream".to_owned()),
        }
        Ok(Step { consumed, produced })
    }

    fn is_complete(&self) -> bool {
        self.decoder.is_none()
    }
}
