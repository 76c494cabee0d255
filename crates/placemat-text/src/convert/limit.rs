//! A conversion with a limit on the bytes of its output, which is cut between characters.

use std::io::{self, Write};

use placemat::Form;

use super::{Halt, Pipeline};
use crate::charset::Charset;

/// An upper bound of the bytes that one byte of the source can become, including what waits in the reader: a stand-in has at
/// most 32 code points, and none takes more than 12 bytes in any encoding.
const MOST: u64 = 512;

/// A [`Pipeline`] that writes at most a given number of bytes.
///
/// The output ends after a character, or after the whole stand-in of an error, and in the initial state of its encoding.
pub struct Limited {
    pipeline: Pipeline,
    /// The number of bytes that may still be written.
    room: u64,
    /// The bytes that would end the output now.
    closing: Vec<u8>,
    /// The number of errors before the cut, once the output is cut.
    cut: Option<u64>,
}

impl Limited {
    /// Writes at most `limit` bytes of the output of `pipeline`.
    ///
    /// ```
    /// use placemat::{Bom, Form, Policy};
    /// use placemat_text::convert::{Limited, Pipeline, Settings};
    ///
    /// let settings = Settings { to: Form::Utf8.into(), policy: Policy::Stop, bom: Bom::Keep };
    /// let mut limited = Limited::new(Pipeline::new(Form::Iso8859_1.into(), settings), 4);
    /// let mut out = Vec::new();
    /// assert!(limited.push(b"na\xEFve", &mut out).is_ok() && limited.finish(&mut out).is_ok());
    /// assert_eq!(out, "naï".as_bytes());
    /// assert!(limited.is_cut());
    /// ```
    pub fn new(pipeline: Pipeline, limit: u64) -> Limited {
        let closing = pipeline.closing();
        let cut = (closing.len() as u64 > limit).then_some(0);
        Limited { pipeline, room: limit, closing, cut }
    }

    /// Whether something did not fit. The input after that is not converted. An error behind a full output counts as something that did not
    /// fit, and is not told.
    ///
    /// ```
    /// use placemat::{Bom, Form, Policy};
    /// use placemat_text::convert::{Limited, Pipeline, Settings};
    ///
    /// let settings = Settings { to: Form::Utf16Le.into(), policy: Policy::Stop, bom: Bom::Keep };
    /// let mut limited = Limited::new(Pipeline::new(Form::Utf8.into(), settings), 4);
    /// assert!(limited.push(b"ab", &mut Vec::new()).is_ok() && !limited.is_cut());
    /// assert!(limited.push(b"c", &mut Vec::new()).is_ok() && limited.is_cut());
    /// ```
    pub fn is_cut(&self) -> bool {
        self.cut.is_some()
    }

    /// The number of errors that the policy replaced in what was written.
    ///
    /// ```
    /// use placemat::{Bom, Form, Policy};
    /// use placemat_text::convert::{Limited, Pipeline, Settings};
    ///
    /// let settings = Settings { to: Form::Utf8.into(), policy: Policy::Replace, bom: Bom::Keep };
    /// let mut limited = Limited::new(Pipeline::new(Form::Utf8.into(), settings), 5);
    /// assert!(limited.push(b"a\xFFb\xFF\xFF", &mut Vec::new()).is_ok());
    /// assert_eq!(limited.errors(), 1);
    /// ```
    pub fn errors(&self) -> u64 {
        self.cut.unwrap_or_else(|| self.pipeline.errors())
    }

    /// Like [`Pipeline::push`].
    ///
    /// # Errors
    /// Those of [`Pipeline::push`], if it stops before the cut.
    ///
    /// ```
    /// use placemat::{Bom, Form, Policy};
    /// use placemat_text::convert::{Limited, Pipeline, Settings};
    ///
    /// let settings = Settings { to: Form::Utf8.into(), policy: Policy::Stop, bom: Bom::Keep };
    /// let mut limited = Limited::new(Pipeline::new(Form::Utf8.into(), settings), 1);
    /// assert!(limited.push(b"a\xC3\xA9\xFF", &mut Vec::new()).is_ok(), "what is wrong lies behind the cut");
    /// ```
    pub fn push(&mut self, mut src: &[u8], out: &mut dyn Write) -> Result<(), Halt> {
        while !src.is_empty() && self.cut.is_none() {
            // This many bytes fit in any case; near the end, bytes are converted one by one.
            let safe = (self.room / MOST).saturating_sub(16).min(src.len() as u64) as usize;
            let (piece, rest) = src.split_at(safe.max(1));
            self.step(safe > 0, out, |pipeline, text| pipeline.push(piece, text))?;
            src = rest;
        }
        Ok(())
    }

    /// Like [`Pipeline::finish_input`].
    ///
    /// # Errors
    /// Those of [`Pipeline::finish_input`], if it stops before the cut.
    ///
    /// ```
    /// use placemat::{Bom, Form, Policy};
    /// use placemat_text::convert::{Limited, Pipeline, Settings};
    ///
    /// let settings = Settings { to: Form::Utf8.into(), policy: Policy::Replace, bom: Bom::Keep };
    /// let mut limited = Limited::new(Pipeline::new(Form::Utf8.into(), settings), 2);
    /// let mut out = Vec::new();
    /// assert!(limited.push(b"a\xC3", &mut out).is_ok() && limited.finish_input(&mut out).is_ok());
    /// assert_eq!(out, b"a", "U+FFFD takes three bytes");
    /// ```
    pub fn finish_input(&mut self, out: &mut dyn Write) -> Result<(), Halt> {
        match self.cut {
            None => self.step(false, out, Pipeline::finish_input),
            Some(_) => Ok(()),
        }
    }

    /// Like [`Pipeline::next`].
    ///
    /// ```
    /// use placemat::{Bom, Form, Policy};
    /// use placemat_text::convert::{Limited, Pipeline, Settings};
    ///
    /// let settings = Settings { to: Form::Utf8.into(), policy: Policy::Stop, bom: Bom::Keep };
    /// let mut limited = Limited::new(Pipeline::new(Form::Utf8.into(), settings), 3);
    /// let mut out = Vec::new();
    /// assert!(limited.push(b"a", &mut out).is_ok() && limited.finish_input(&mut out).is_ok());
    /// limited.next(Form::Iso8859_1.into());
    /// assert!(limited.push(b"\xE9\xE9", &mut out).is_ok());
    /// assert_eq!(out, "aé".as_bytes());
    /// ```
    pub fn next(&mut self, from: Charset) {
        self.pipeline.next(from);
    }

    /// Like [`Pipeline::finish`].
    ///
    /// # Errors
    /// Those of [`Pipeline::finish`], if nothing was cut off.
    ///
    /// ```
    /// use placemat::{Bom, Form, Policy};
    /// use placemat_text::convert::{Limited, Pipeline, Settings};
    ///
    /// let settings = Settings { to: Form::Utf7.into(), policy: Policy::Stop, bom: Bom::Keep };
    /// let mut limited = Limited::new(Pipeline::new(Form::Utf8.into(), settings), 6);
    /// let mut out = Vec::new();
    /// assert!(limited.push("éé".as_bytes(), &mut out).is_ok() && limited.finish(&mut out).is_ok());
    /// assert_eq!(out, b"+AOk-", "a second character would take two bytes more");
    /// ```
    pub fn finish(&mut self, out: &mut dyn Write) -> Result<(), Halt> {
        if self.pipeline.is_open {
            self.finish_input(out)?;
        }
        match self.cut {
            None => self.pipeline.finish(out),
            Some(_) => Ok(()),
        }
    }

    /// Runs a step and writes its output, unless the output does not fit; then ends the text as it was before. `fits` says that
    /// it is known to fit.
    fn step(
        &mut self,
        fits: bool,
        out: &mut dyn Write,
        step: impl FnOnce(&mut Pipeline, &mut dyn Write) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        if fits {
            let mut counted = Counted { out, written: 0 };
            let done = step(&mut self.pipeline, &mut counted);
            self.room -= counted.written;
            self.closing = self.pipeline.closing();
            return done;
        }
        let errors = self.pipeline.errors();
        let mut text = Vec::new();
        let done = step(&mut self.pipeline, &mut text);
        let closing = self.pipeline.closing();
        // If nothing more can be written, an error is after the cut.
        let is_full = self.room == self.closing.len() as u64 && matches!(done, Err(Halt::Stopped(_)));
        if is_full || (text.len() + closing.len()) as u64 > self.room {
            self.cut = Some(errors);
            self.room = 0;
            return out.write_all(&self.closing).map_err(Halt::Output);
        }
        (self.room, self.closing) = (self.room - text.len() as u64, closing);
        out.write_all(&text).map_err(Halt::Output)?;
        done
    }
}

impl Pipeline {
    /// Returns what [`Pipeline::finish`] would write if the source ended here.
    fn closing(&self) -> Vec<u8> {
        if let Some(writer) = &self.writer {
            return writer.closing().to_vec();
        }
        let mut transcoder = self.transcoder.clone();
        transcoder.next_part(Form::Utf8);
        let mut room = [0; 16];
        let step = transcoder.finish(&mut room);
        room[..step.written].to_vec()
    }
}

/// Counts what is written.
struct Counted<'a> {
    out: &'a mut dyn Write,
    written: u64,
}

impl Write for Counted<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.written += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use placemat::label::Labels;
    use placemat::{Bom, Form, Policy, Unencodable};

    use super::super::{Pipeline, Settings};
    use super::Limited;
    use crate::charset::Charset;

    fn converted(
        from: Charset,
        settings: Settings,
        text: &[u8],
        limit: u64,
        piece: usize,
    ) -> (Vec<u8>, bool) {
        let mut limited = Limited::new(Pipeline::new(from, settings), limit);
        let mut out = Vec::new();
        for piece in text.chunks(piece) {
            assert!(limited.push(piece, &mut out).is_ok());
        }
        assert!(limited.finish_input(&mut out).is_ok() && limited.finish(&mut out).is_ok());
        (out, limited.is_cut())
    }

    /// Cut output has at most `limit` bytes, reads as a prefix of the whole and grows with the limit; the pieces make no difference.
    /// What waits at the end of the input was dropped without a word if `finish_input` was not called.
    #[test]
    fn finishing_ends_the_input() {
        let all = |name| Charset::resolve(Labels::Lenient, name).unwrap();
        for (from, text) in [("utf-8", &b"a\xE2\x82"[..]), ("shift_jis", b"a\x82"), ("utf-16le", b"a\0b")] {
            for (limit, expected) in [(u64::MAX, "a\u{FFFD}"), (3, "a")] {
                let settings = |policy| Settings { to: Form::Utf8.into(), policy, bom: Bom::Keep };
                let mut limited = Limited::new(Pipeline::new(all(from), settings(Policy::Replace)), limit);
                let mut out = Vec::new();
                assert!(limited.push(text, &mut out).is_ok() && limited.finish(&mut out).is_ok());
                assert_eq!(String::from_utf8(out).unwrap(), expected, "{from}");
                assert_eq!(limited.is_cut(), limit == 3);

                let mut strict = Limited::new(Pipeline::new(all(from), settings(Policy::Stop)), limit);
                assert!(strict.push(text, &mut Vec::new()).is_ok());
                assert!(strict.finish(&mut Vec::new()).is_err());
                // The error is told once.
                assert!(strict.finish(&mut Vec::new()).is_ok());
            }
        }
    }

    #[test]
    fn what_is_cut_is_a_prefix_of_the_whole_in_every_encoding() {
        let texts: [&[u8]; 4] =
            ["Grüße, 日本語 😀 и ещё".as_bytes(), b"a\xFFb\xC3(", b"", "日本語日本語".as_bytes()];
        let policy = Policy::Replace.unencodable(Unencodable::Ncr);
        for to in Charset::all() {
            let settings = Settings { to, policy, bom: Bom::Keep };
            for text in texts {
                let (whole, _) = converted(Form::Utf8.into(), settings, text, 1 << 40, text.len().max(1));
                let read = |bytes: &[u8]| {
                    let back = Settings { to: Form::Utf8.into(), policy: Policy::Stop, bom: Bom::Keep };
                    converted(to, back, bytes, 1 << 40, bytes.len().max(1)).0
                };
                let (text_of_whole, mut longest) = (read(&whole), 0);
                for limit in 0..=whole.len() as u64 + 1 {
                    let (cut, is_cut) = converted(Form::Utf8.into(), settings, text, limit, 1);
                    assert_eq!(cut, converted(Form::Utf8.into(), settings, text, limit, 5).0, "{to} {limit}");
                    assert!(cut.len() as u64 <= limit && cut.len() >= longest, "{to} {limit}: {cut:X?}");
                    assert!(text_of_whole.starts_with(&read(&cut)), "{to} {limit}: {cut:X?}");
                    assert_eq!(is_cut, (whole.len() as u64) > limit, "{to} {limit}");
                    longest = cut.len();
                }
                assert_eq!(longest, whole.len(), "{to}");
            }
        }
    }

    #[test]
    fn an_error_is_told_only_if_there_is_room_for_more() {
        let settings = Settings { to: Form::Iso8859_1.into(), policy: Policy::Stop, bom: Bom::Keep };
        for (limit, text, is_stopped, is_cut) in [
            (2, "ab日", false, true),
            (3, "ab日", true, false),
            (2, "ab", false, false),
            (1, "ab日", false, true),
        ] {
            let mut limited = Limited::new(Pipeline::new(Form::Utf8.into(), settings), limit);
            let pushed = limited.push(text.as_bytes(), &mut Vec::new());
            assert_eq!((pushed.is_err(), limited.is_cut()), (is_stopped, is_cut), "{limit} {text}");
        }
    }

    #[test]
    fn long_texts_are_cut_where_they_should_be() {
        let settings = Settings { to: Form::Utf8.into(), policy: Policy::Stop, bom: Bom::Keep };
        let koi8 = Charset::resolve(Labels::Lenient, "koi8-r").unwrap();
        let text = [0xC1; 100_000];
        for limit in [99_999, 100_000, 199_999, 200_000] {
            let (cut, _) = converted(koi8, settings, &text, limit, 8192);
            assert_eq!(cut.len() as u64, limit / 2 * 2, "{limit}");
        }
    }
}
