//! The bytes to explain: from memory, from code points, or from a stream, of which possibly only the part around one byte is read.

use std::io::{self, BufRead, Read};
use std::ops::Range;
use std::{error, fmt};

use placemat::{Form, Policy, Transcoder, sequences};

use super::view::View;
use crate::notation::number;

/// The most bytes that are read of a stream.
pub const MOST: u64 = 1 << 20;

/// Bytes to explain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    bytes: Vec<u8>,
    /// The form of the bytes. If they do not start at the start of the stream, it is the form that the byte order mark
    /// there selects.
    form: Form,
    base: u64,
    focus: Option<usize>,
    window: Option<Range<usize>>,
    is_cut: bool,
}

/// Why some bytes cannot be explained.
#[derive(Debug)]
#[non_exhaustive]
pub enum InputError {
    /// Reading failed.
    Io(io::Error),
    /// The stream ends before the byte at this offset.
    NoByte(u64),
    /// The form can only be read from certain positions, and the last of these is more than [`MOST`] bytes before this byte.
    TooFar(u64),
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputError::Io(error) => error.fmt(f),
            InputError::NoByte(offset) => write!(f, "there is no byte {offset}"),
            InputError::TooFar(offset) => write!(
                f,
                "byte {offset} can only be decoded from a position more than {} bytes before it",
                number(MOST)
            ),
        }
    }
}

impl error::Error for InputError {}

impl From<io::Error> for InputError {
    fn from(error: io::Error) -> InputError {
        InputError::Io(error)
    }
}

impl Input {
    /// Explains all of these bytes.
    ///
    /// ```
    /// use placemat::Form;
    /// use placemat_text::explain::Input;
    ///
    /// assert_eq!(Input::new("né".into(), Form::Utf8).view().characters, 2);
    /// ```
    pub fn new(bytes: Vec<u8>, form: Form) -> Input {
        Input { bytes, form, base: 0, focus: None, window: None, is_cut: false }
    }

    /// Returns the bytes.
    ///
    /// ```
    /// use placemat::Form;
    /// use placemat_text::explain::Input;
    ///
    /// assert_eq!(Input::new(b"ab".to_vec(), Form::Utf8).into_bytes(), b"ab");
    /// ```
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Reads the first [`MOST`] bytes of a stream.
    ///
    /// # Errors
    /// Those of reading.
    ///
    /// ```
    /// use placemat::Form;
    /// use placemat_text::explain::Input;
    ///
    /// let input = Input::read(&b"\xC0\xAF"[..], Form::Utf8).unwrap();
    /// assert_eq!(input.view().errors, 2);
    /// ```
    pub fn read(reader: impl Read, form: Form) -> io::Result<Input> {
        let mut bytes = Vec::new();
        reader.take(MOST + 1).read_to_end(&mut bytes)?;
        let is_cut = bytes.len() as u64 > MOST;
        bytes.truncate(MOST as usize);
        Ok(Input { is_cut, ..Input::new(bytes, form) })
    }

    /// Reads the bytes around the one at `offset` of a stream, counted from 0. `skip` moves forward by a number of bytes;
    /// it seeks or reads. Forms that can be read only from the start are read from there.
    ///
    /// # Errors
    /// Those of reading and of `skip`; [`InputError::NoByte`]; and [`InputError::TooFar`], if more than [`MOST`] bytes
    /// would have to be kept.
    ///
    /// ```
    /// use placemat::Form;
    /// use placemat_text::explain::{Detail, Input, tell};
    /// use std::io::{self, BufRead, Read};
    ///
    /// fn skip(reader: &mut impl BufRead, n: u64) -> io::Result<()> {
    ///     io::copy(&mut reader.take(n), &mut io::sink()).map(drop)
    /// }
    ///
    /// let log = "ASCII ".repeat(100) + "né";
    /// let input = Input::around(log.as_bytes(), |reader, n| skip(reader, n), 601, Form::Utf8).unwrap();
    /// assert!(tell(&input.view(), Detail::default()).screen(80).starts_with("\u{1b}[1mFrom byte 585"));
    /// ```
    pub fn around<R: BufRead>(
        mut reader: R,
        skip: impl Fn(&mut R, u64) -> io::Result<()>,
        offset: u64,
        form: Form,
    ) -> Result<Input, InputError> {
        // If the form reads a byte order mark, the start of the input decides which form it is.
        let mut bytes = Vec::new();
        reader.by_ref().take(4).read_to_end(&mut bytes)?;
        let concrete = sequences(form, &bytes).form();
        let facts = concrete.facts();
        let wanted = offset.saturating_sub(AROUND);
        let base = if facts.self_synchronising {
            let unit = if matches!(facts.width.0, 2 | 4) { u64::from(facts.width.0) } else { 1 };
            let base = wanted.saturating_sub(RUN_UP) / unit * unit;
            match base.checked_sub(bytes.len() as u64) {
                Some(n) => {
                    bytes.clear();
                    match skip(&mut reader, n) {
                        // The system does not allow such a large offset.
                        Err(error) if error.kind() == io::ErrorKind::InvalidInput => {
                            return Err(InputError::NoByte(offset));
                        }
                        skipped => skipped?,
                    }
                    base
                }
                None => 0,
            }
        } else {
            last_rest(&mut reader, &mut bytes, concrete, wanted)?
        };
        let end = offset.saturating_add(AROUND + 1 + RUN_UP);
        reader.take(end.saturating_sub(base + bytes.len() as u64)).read_to_end(&mut bytes)?;
        let focus = offset.checked_sub(base).map(|at| at as usize).filter(|&at| at < bytes.len());
        let Some(focus) = focus else {
            return Err(InputError::NoByte(offset));
        };
        let window = wanted.saturating_sub(base) as usize..focus + 1 + AROUND as usize;
        let form = if base == 0 { form } else { concrete };
        Ok(Input { base, window: Some(window), focus: Some(focus), ..Input::new(bytes, form) })
    }

    /// Divides the input into characters and faults. The time and the memory are linear in the input.
    ///
    /// ```
    /// # use placemat::Form;
    /// # use placemat_text::explain::Input;
    /// assert_eq!(Input::new(b"a\xFF".to_vec(), Form::Utf8).view().items.len(), 2);
    /// ```
    pub fn view(&self) -> View<'_> {
        let view = View::new(self.form, &self.bytes, self.window.as_ref());
        View { base: self.base, focus: self.focus, is_cut: self.is_cut, ..view }
    }
}

/// The number of bytes shown before and after the byte that was asked for.
const AROUND: u64 = 16;

/// The number of bytes read before and after those, so that sequences at their edges are whole.
const RUN_UP: u64 = 16;

/// For a form that cannot be read from every position: the distance, in bytes, at which the positions are tested.
const STRIDE: u64 = 64;

/// Reads up to `wanted`, and keeps only the bytes after the last position from which the form can be read. Returns that position.
fn last_rest(
    reader: &mut impl BufRead,
    bytes: &mut Vec<u8>,
    form: Form,
    wanted: u64,
) -> Result<u64, InputError> {
    let mut transcoder = Transcoder::new(form, Form::Ucs4Be).on_error(Policy::Replace);
    let (mut base, mut passed) = (0, 0);
    loop {
        pass(&mut transcoder, &bytes[passed..]);
        let rest = transcoder.offset();
        if transcoder.state_bits() == 0 && rest <= wanted {
            bytes.drain(..(rest - base) as usize);
            base = rest;
        } else if bytes.len() as u64 > MOST {
            return Err(InputError::TooFar(wanted));
        }
        passed = bytes.len();
        let left = wanted.saturating_sub(base + passed as u64);
        if reader.take(left.min(STRIDE)).read_to_end(bytes)? == 0 {
            return Ok(base);
        }
    }
}

fn pass(transcoder: &mut Transcoder, mut source: &[u8]) {
    let mut scratch = [0; 16 * STRIDE as usize];
    while !source.is_empty() {
        let step = transcoder.push(source, &mut scratch);
        source = &source[step.read..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_over(reader: &mut impl Read, n: u64) -> io::Result<()> {
        io::copy(&mut reader.take(n), &mut io::sink()).map(drop)
    }
    use crate::explain::view::Item;

    /// Returns the ranges of the items in the file, with their contents.
    fn items(view: &View<'_>, base: u64) -> Vec<(Range<u64>, String)> {
        let item = |item: &Item| {
            let range = base + item.range().start as u64..base + item.range().end as u64;
            let what = match item {
                Item::Character(c) => c.code_point.to_string(),
                Item::Fault(fault) => {
                    fault.errors.iter().map(|e| e.kind().name()).collect::<Vec<_>>().join(" ")
                }
                Item::Shift(_) => String::new(),
            };
            (range, what)
        };
        view.items.iter().map(item).collect()
    }

    #[test]
    fn in_every_form_a_window_says_what_the_whole_says() {
        let text =
            "a\u{FEFF}é ~日本語テキスト, \u{FFFE}\u{FEFF}日本日本日本日本日本日本日本日本日本日本😀!\n";
        for &form in Form::ALL {
            let source: String = text.chars().filter(|&c| form.carries(c.into())).collect();
            let text = placemat::convert(Form::Utf8, form, source.as_bytes()).unwrap();
            let bytes = [&text[..], b"\xFF\xED\xA0\xBD\xD8\x80\xC0\xD8", &text, &text].concat();
            let whole = items(&View::new(form, &bytes, None), 0);
            for offset in 0..bytes.len() as u64 {
                let input = Input::around(&bytes[..], read_over, offset, form).unwrap();
                let near = offset.saturating_sub(AROUND)..offset + AROUND + 1;
                let overlaps =
                    |(range, _): &&(Range<u64>, _)| range.start < near.end && near.start < range.end;
                let expected: Vec<_> = whole.iter().filter(overlaps).cloned().collect();
                assert_eq!(items(&input.view(), input.base), expected, "{form} {offset}");
                assert_eq!(input.base + input.focus.unwrap() as u64, offset);
            }
            assert!(Input::around(&bytes[..], read_over, bytes.len() as u64, form).is_err(), "{form}");
        }
    }

    #[test]
    fn what_cannot_be_entered_midway_is_passed_in_little_room() {
        for (form, bytes) in
            [(Form::Utf7, &b"+ZeVnLA- "[..]), (Form::Utf7, b"\xFF"), (Form::Utf1, b"\xA0\xE9\xFF")]
        {
            let bytes = bytes.repeat(20_000);
            let input = Input::around(&bytes[..], read_over, 15_000, form).unwrap();
            assert!(input.bytes.len() < 500, "{form}: {}", input.bytes.len());
        }
        let endless = [&b"+"[..], &[b'A'; 3 << 20]].concat();
        assert!(Input::around(&endless[..], read_over, 1 << 19, Form::Utf7).is_ok());
        let error = Input::around(&endless[..], read_over, 2 << 20, Form::Utf7).unwrap_err();
        assert!(error.to_string().contains("bytes before it"), "{error}");
    }
}
