//! Settings: the handler of errors, the byte order mark, the CPU level.

#![forbid(unsafe_code)]

use super::fault::Grouping;
use super::{Start, Transcoder};
use crate::bom::Bom;
use crate::dispatch::{self, Level};
use crate::policy::{Decision, Fault, Handler, Text};

impl<H: Handler> Transcoder<H> {
    /// Sets the policy, or any other [`Handler`], that decides on errors from here on. Whether a [`Policy`](crate::Policy) can be
    /// used between these forms is not checked: call [`Policy::fits`](crate::Policy::fits).
    ///
    /// ```
    /// use placemat::{Form, Policy, Transcoder, convert_with};
    /// let skipping = Transcoder::new(Form::Utf8, Form::Utf8).on_error(Policy::Skip);
    /// assert_eq!(convert_with(skipping, b"a\xFFb").unwrap(), b"ab");
    /// ```
    #[must_use]
    #[inline]
    pub fn on_error<G: Handler>(self, handler: G) -> Transcoder<G> {
        let Transcoder { from, to, bom, kernels, reader, writer, start, mark_due, .. } = self;
        let Transcoder {
            has_begun, carry, offset, announces_length, queue, errors, clean, one_by_one, ..
        } = self;
        let transcoder = Transcoder {
            handler,
            from,
            to,
            bom,
            kernels,
            reader,
            writer,
            start,
            mark_due,
            has_begun,
            kernel: None,
            carry,
            offset,
            // Under the old handler, errors may have been handled without an entry here.
            grouping: Grouping::NONE,
            announces_length,
            queue,
            errors,
            clean,
            one_by_one,
        };
        transcoder.with_its_kernel()
    }

    /// Lets a closure decide on errors: it gets each [`Fault`] and writes its stand-in.
    ///
    /// ```
    /// use placemat::{Form, Transcoder, Decision};
    /// let mut seen = Vec::new();
    /// let mut t = Transcoder::new(Form::Utf8, Form::Utf8).on_error_with(|fault, text| {
    ///     seen.push(fault.error.offset());
    ///     text.push('?').map_or(Decision::Stop, |()| Decision::Resume)
    /// });
    /// let mut out = [0; 32];
    /// let step = t.push(b"a\xFFb\xFE", &mut out);
    /// assert_eq!(&out[..step.written], b"a?b?");
    /// assert_eq!(seen, [1, 3]);
    /// ```
    #[must_use]
    pub fn on_error_with<F>(self, handler: F) -> Transcoder<F>
    where
        F: FnMut(&Fault<'_>, &mut Text) -> Decision,
    {
        self.on_error(handler)
    }

    /// What to do with a byte order mark ([`Bom::Keep`] unless set). Has no effect after the start of the text.
    ///
    /// ```
    /// use placemat::{Bom, Form, Transcoder, convert_with};
    /// let stripping = Transcoder::new(Form::Utf8, Form::Utf8).bom(Bom::Strip);
    /// assert_eq!(convert_with(stripping, b"\xEF\xBB\xBFa").unwrap(), b"a");
    /// ```
    #[must_use]
    #[inline]
    pub fn bom(mut self, bom: Bom) -> Self {
        self.bom = bom;
        let is_start = !self.has_begun && (self.start != Start::Past || self.mark_due);
        self.mark_due = is_start && self.may_write_mark();
        self
    }

    /// Use the kernels of this level, or of the best one below it that this CPU has. The result is the same on each.
    ///
    /// ```
    /// use placemat::{Form, Level, Transcoder, convert_with};
    /// let scalar = Transcoder::new(Form::Utf8, Form::Utf16Le).at_level(Level::Scalar);
    /// assert_eq!(convert_with(scalar, b"a").unwrap(), b"a\0");
    /// ```
    #[must_use]
    pub fn at_level(mut self, level: Level) -> Self {
        self.kernels = dispatch::kernels_at_most(level);
        self.with_its_kernel()
    }

    /// Choose the kernel for these forms, this handler and this level, if the form of the source is known.
    fn with_its_kernel(mut self) -> Self {
        if self.start != Start::Mark {
            self.kernel = self.find_kernel();
        }
        self
    }
}
