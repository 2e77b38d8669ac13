//! zstd: any number of frames, within the 8 MiB window of RFC 9659.

use zstd::stream::raw::{DParameter, Decoder, Operation};

use super::{Stage, Step, UnpackError};

/// RFC 9659: a window larger than 8 MiB must not be used as a content encoding.
const WINDOW_LOG: u32 = 23;

pub(super) struct Zstd {
    decoder: Decoder<'static>,
    /// True between frames.
    is_between: bool,
}

impl Zstd {
    pub(super) fn new() -> Result<Zstd, UnpackError> {
        let failed = |error: std::io::Error| UnpackError::Bad {
            encoding: "zstd",
            reason: error.to_string(),
        };
        let mut decoder = Decoder::new().map_err(failed)?;
        decoder.set_parameter(DParameter::WindowLogMax(WINDOW_LOG)).map_err(failed)?;
        Ok(Zstd { decoder, is_between: true })
    }
}

impl Stage for Zstd {
    fn name(&self) -> &'static str {
        "zstd"
    }

    fn step(&mut self, input: &[u8], output: &mut [u8]) -> Result<Step, String> {
        if input.is_empty() && self.is_between {
            return Ok(Step::default());
        }
        let status =
            self.decoder.run_on_buffers(input, output).map_err(|error| error.to_string())?;
        self.is_between = status.remaining == 0;
        Ok(Step { consumed: status.bytes_read, produced: status.bytes_written })
    }

    fn is_complete(&self) -> bool {
        self.is_between
    }
}
