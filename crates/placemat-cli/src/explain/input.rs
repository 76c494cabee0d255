//! Where the bytes come from: text, code points, a file, standard input.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::ops::Range;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use placemat::{CodePoint, Form, Policy, Transcoder, sequences};

use super::view::View;
use crate::escape;
use crate::input::standard_input;

/// The most that is read of a file or of standard input.
pub(crate) const MOST: u64 = 1 << 20;

/// Bytes to explain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Input {
    bytes: Vec<u8>,
    /// Their form; away from the start, the one that a byte order mark there decided on.
    form: Form,
    /// The offset of the first of them in the file.
    pub(crate) base: u64,
    /// The byte that was asked about, and what is to be shown around it.
    pub(crate) focus: Option<usize>,
    window: Option<Range<usize>>,
    /// Whether there is more that was not read.
    pub(crate) is_cut: bool,
}

impl Input {
    /// All of some bytes.
    pub(crate) fn new(bytes: Vec<u8>, form: Form) -> Input {
        Input { bytes, form, base: 0, focus: None, window: None, is_cut: false }
    }

    pub(crate) fn view(&self) -> View<'_> {
        View::new(self.form, &self.bytes, self.window.as_ref())
    }
}

/// The bytes of code points (`U+20AC`, `0x20AC`, `20AC`; several apart) in a form.
pub(crate) fn of_code_points(text: &str, form: Form) -> Result<Vec<u8>> {
    let mut source = Vec::new();
    for word in text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty()) {
        let prefixes = ["U+", "u+", "0x", "\\u{", "&#x"];
        let digits = prefixes.iter().find_map(|prefix| word.strip_prefix(prefix)).unwrap_or(word);
        let digits = digits.trim_end_matches(['}', ';']);
        let value = u32::from_str_radix(digits, 16).ok().and_then(CodePoint::new);
        let Some(c) = value else {
            bail!("“{}” is not a code point: hexadecimal, at most 7FFFFFFF, is expected", escape::text(word));
        };
        if !form.carries(c) {
            let other = carrier(form, c).map_or(String::new(), |other| format!("; {other} can: -f {other}"));
            bail!("{form} cannot carry {c}{other}");
        }
        source.extend_from_slice(&c.value().to_be_bytes());
    }
    placemat::convert(Form::Ucs4Be, form, &source).with_context(|| format!("{form} cannot carry this"))
}

/// The form most like this one that carries `c`: a profile of it, or else the first.
fn carrier(form: Form, c: CodePoint) -> Option<Form> {
    let carries = |other: &&Form| other.carries(c);
    let is_profile =
        |other: &&Form| other.name().split_once('/').is_some_and(|(base, _)| base == form.name());
    let all = Form::ALL.iter();
    all.clone().filter(is_profile).find(carries).or_else(|| all.clone().find(carries)).copied()
}

/// The beginning of a stream.
fn of_reader(reader: impl Read, form: Form) -> io::Result<Input> {
    let mut bytes = Vec::new();
    reader.take(MOST + 1).read_to_end(&mut bytes)?;
    let is_cut = bytes.len() as u64 > MOST;
    bytes.truncate(MOST as usize);
    Ok(Input { is_cut, ..Input::new(bytes, form) })
}

/// The beginning of standard input, or what stands around a byte of it.
pub(crate) fn of_standard_input(offset: Option<u64>, form: Form) -> Result<Input> {
    let read = || {
        let reader = BufReader::new(standard_input()?);
        match offset {
            Some(offset) => around(reader, read_over, offset, form),
            None => Ok(of_reader(reader, form)?),
        }
    };
    read().context("standard input")
}

/// The beginning of a file, or what stands around a byte of it.
pub(crate) fn of_file(path: &Path, offset: Option<u64>, form: Form) -> Result<Input> {
    let read = || {
        let reader = BufReader::new(File::open(path)?);
        match offset {
            Some(offset) => around(reader, skip, offset, form),
            None => Ok(of_reader(reader, form)?),
        }
    };
    read().with_context(|| escape::path(path).to_string())
}

/// Bytes shown before and after the one that was asked about.
const AROUND: u64 = 16;

/// Bytes read before and after those, so that sequences which they share are whole.
const RUN_UP: u64 = 16;

/// Bytes after which a reader that cannot begin anywhere is asked whether one could begin there.
const STRIDE: u64 = 64;

/// Goes so many bytes on.
type Skip<R> = fn(&mut R, u64) -> io::Result<()>;

fn skip(file: &mut BufReader<File>, n: u64) -> io::Result<()> {
    match file.seek_relative(i64::try_from(n).map_err(|_| io::ErrorKind::InvalidInput)?) {
        Err(error) if error.kind() == io::ErrorKind::NotSeekable => read_over(file, n),
        sought => sought,
    }
}

fn read_over(reader: &mut impl Read, n: u64) -> io::Result<()> {
    io::copy(&mut reader.take(n), &mut io::sink()).map(drop)
}

fn around<R: BufRead>(mut reader: R, skip: Skip<R>, offset: u64, form: Form) -> Result<Input> {
    // A form that owns its mark says at the start which one it is.
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
                    // No file goes so far, says the system.
                    Err(error) if error.kind() == io::ErrorKind::InvalidInput => {
                        bail!("there is no byte {offset}")
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
    let Some(focus) = focus else { bail!("there is no byte {offset}") };
    let window = wanted.saturating_sub(base) as usize..focus + 1 + AROUND as usize;
    let form = if base == 0 { form } else { concrete };
    Ok(Input { base, window: Some(window), focus: Some(focus), ..Input::new(bytes, form) })
}

/// Read on to `wanted`; keep what stands behind the last place before it where the form's reader could have begun, and say
/// where that is.
fn last_rest(reader: &mut impl BufRead, bytes: &mut Vec<u8>, form: Form, wanted: u64) -> Result<u64> {
    let mut transcoder = Transcoder::new(form, Form::Ucs4Be).on_error(Policy::Replace);
    let (mut base, mut passed) = (0, 0);
    loop {
        pass(&mut transcoder, &bytes[passed..]);
        let rest = transcoder.offset();
        if transcoder.memory() == 0 && rest <= wanted {
            bytes.drain(..(rest - base) as usize);
            base = rest;
        } else if bytes.len() as u64 > MOST {
            bail!(
                "what stands before byte {wanted} must be read to know it, and {MOST} bytes are not enough"
            );
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
    use crate::explain::view::Item;

    #[test]
    fn code_points_are_written_in_the_form() {
        assert_eq!(of_code_points("U+20AC, 41", Form::Utf8).unwrap(), "€A".as_bytes());
        assert_eq!(of_code_points("D800", Form::Ucs2Be).unwrap(), b"\xD8\0");
        for (points, form, other) in [
            ("D83D DE00", Form::Utf8, "utf-8/surrogates"),
            ("D800", Form::Utf16Le, "utf-16le/surrogates"),
            ("20AC", Form::UsAscii, "utf-8"),
            ("7FFFFFFF", Form::Utf16, "utf-8-rfc2279"),
        ] {
            let message = of_code_points(points, form).unwrap_err().to_string();
            assert!(message.ends_with(&format!("; {other} can: -f {other}")), "{message}");
        }
        assert!(of_code_points("80000000", Form::Utf8).is_err());
    }

    /// Ranges in the file, and what is there.
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
                let input = around(&bytes[..], read_over, offset, form).unwrap();
                let near = offset.saturating_sub(AROUND)..offset + AROUND + 1;
                let overlaps =
                    |(range, _): &&(Range<u64>, _)| range.start < near.end && near.start < range.end;
                let expected: Vec<_> = whole.iter().filter(overlaps).cloned().collect();
                assert_eq!(items(&input.view(), input.base), expected, "{form} {offset}");
                assert_eq!(input.base + input.focus.unwrap() as u64, offset);
            }
            assert!(around(&bytes[..], read_over, bytes.len() as u64, form).is_err(), "{form}");
        }
    }

    #[test]
    fn what_cannot_be_entered_midway_is_passed_in_little_room() {
        for (form, bytes) in
            [(Form::Utf7, &b"+ZeVnLA- "[..]), (Form::Utf7, b"\xFF"), (Form::Utf1, b"\xA0\xE9\xFF")]
        {
            let bytes = bytes.repeat(20_000);
            let input = around(&bytes[..], read_over, 15_000, form).unwrap();
            assert!(input.bytes.len() < 500, "{form}: {}", input.bytes.len());
        }
        let endless = [&b"+"[..], &[b'A'; 3 << 20]].concat();
        assert!(around(&endless[..], read_over, 1 << 19, Form::Utf7).is_ok());
        let error = around(&endless[..], read_over, 2 << 20, Form::Utf7).unwrap_err();
        assert!(error.to_string().contains("are not enough"), "{error}");
    }
}
