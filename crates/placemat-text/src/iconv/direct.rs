//! The fast way between two forms without state: the kernels of the library convert long runs.

use placemat::{Form, Status, Transcoder};

use super::Progress;
use super::names::Encoding;

/// Converts well-formed text that the target carries. Where it stops, other code decides.
pub(super) struct Direct {
    transcoder: Transcoder,
    fresh: Transcoder,
}

/// Forms whose readers and writers have no state, so that two of them can work on one text.
const FORGETFUL: [Form; 7] =
    [Form::Utf8, Form::Utf16Le, Form::Utf16Be, Form::Utf32Le, Form::Utf32Be, Form::Iso8859_1, Form::UsAscii];

impl Direct {
    pub(super) fn between(from: Encoding, to: Encoding) -> Option<Direct> {
        let native = |encoding| match encoding {
            Encoding::Form(form) => Some(form),
            Encoding::Marked { little, big } => {
                Some(if cfg!(target_endian = "little") { little } else { big })
            }
            Encoding::Table(..) | Encoding::Iso2022Jp => None,
        };
        // Where a byte order mark decides, the form is not known yet.
        let Encoding::Form(from) = from else { return None };
        let to = native(to)?;
        let fresh = Transcoder::new(from, to).from_middle();
        (FORGETFUL.contains(&from) && FORGETFUL.contains(&to))
            .then(|| Direct { transcoder: fresh.clone(), fresh })
    }

    /// Converts from `at` on, up to the first sequence that needs a decision.
    pub(super) fn run(&mut self, src: &[u8], dst: &mut [u8], at: &mut Progress) {
        let start = self.transcoder.offset();
        let step = self.transcoder.push(&src[at.read..], &mut dst[at.written..]);
        let end = match step.status {
            Status::Failed(error) => error.offset(),
            _ => self.transcoder.offset(),
        };
        let read = (end - start) as usize;
        if read < step.read {
            // The transcoder holds bytes that the caller will pass again.
            self.transcoder = self.fresh.clone();
        }
        at.read += read;
        at.written += step.written;
    }
}
