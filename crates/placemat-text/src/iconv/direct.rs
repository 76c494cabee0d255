//! The short way between two forms that remember nothing: what the library's kernels convert without a stop.

use placemat::{Form, Status, Transcoder};

use super::Progress;
use super::names::Encoding;

/// Converts well-formed text that the target carries. What it stops at is looked at elsewhere.
pub(super) struct Direct {
    transcoder: Transcoder,
    fresh: Transcoder,
}

/// Forms whose readers and writers remember nothing, so that there may be two of them at work on one text.
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
        // What a mark decides on is not known yet.
        let Encoding::Form(from) = from else { return None };
        let to = native(to)?;
        let fresh = Transcoder::new(from, to).from_middle();
        (FORGETFUL.contains(&from) && FORGETFUL.contains(&to))
            .then(|| Direct { transcoder: fresh.clone(), fresh })
    }

    /// Go on from where `at` is, as far as it is easy.
    pub(super) fn run(&mut self, src: &[u8], dst: &mut [u8], at: &mut Progress) {
        let start = self.transcoder.offset();
        let step = self.transcoder.push(&src[at.read..], &mut dst[at.written..]);
        let end = match step.status {
            Status::Failed(error) => error.offset(),
            _ => self.transcoder.offset(),
        };
        let read = (end - start) as usize;
        if read < step.read {
            // It has taken what is to be offered again.
            self.transcoder = self.fresh.clone();
        }
        at.read += read;
        at.written += step.written;
    }
}
