//! For every form: its sequences cover the text exactly, what is read can be written and reads the same again, and it
//! agrees with the standard library if that reads the form too.

use placemat::{CodePoint, Form, Policy, Transcoder, Unencodable, convert_with, count, errors, sequences};

use crate::source::Source;
use crate::{explained, strings};

/// The encoders of these forms do not check for forged escapes.
const UNGUARDED: [Form; 2] = [Form::Utf8bPython, Form::Optu8MirBsd];

/// U+FEFF in UCS-4LE.
const MARK: &[u8] = &[0xFF, 0xFE, 0, 0];

/// See the module.
pub fn run(input: &[u8]) {
    let mut source = Source::new(input);
    let form = source.form();
    let bytes = source.text();

    let mut at = sequences(form, &bytes).next().map_or(0, |first| first.range().start);
    let (mut read, mut wrong) = (Vec::new(), Vec::new());
    for sequence in sequences(form, &bytes) {
        let range = sequence.range();
        // A shift of UTF-7 is no character, so the next sequence may begin later than the last one ended.
        assert!(range.start >= at && range.end > range.start && range.end <= bytes.len(), "{form}");
        at = range.end;
        match sequence.code_point() {
            Ok(c) => read.push(c),
            Err(error) => {
                assert_eq!(error.range(), range.start as u64..range.end as u64, "{form}");
                wrong.push(error);
                read.push(CodePoint::REPLACEMENT);
            }
        }
    }
    assert_eq!(errors(form, &bytes).collect::<Vec<_>>(), wrong, "{form}");
    assert_eq!(count(form, &bytes), read.len(), "{form}");

    if wrong.is_empty() && !UNGUARDED.contains(&form) {
        round_trip(form, &bytes);
    }
    agrees_with_std(&bytes, &read, form);
    if bytes.len() < 100 {
        strings::whole(&bytes);
        // Limited, since it is slow.
        if bytes.len().is_multiple_of(5) {
            explained::whole(form, &bytes);
        }
    }
}

/// Text that is read without an error can be written, and then reads the same.
fn round_trip(form: Form, bytes: &[u8]) {
    let lossless = Policy::Stop.unencodable(Unencodable::Stop);
    let read = |bytes: &[u8]| convert_with(Transcoder::new(form, Form::Ucs4Le).on_error(lossless), bytes);
    let write = |text: &[u8]| convert_with(Transcoder::new(Form::Ucs4Le, form).on_error(lossless), text);
    let Ok(text) = read(bytes) else { panic!("{form}: without an error, all can be read") };
    // An encoder that checks may refuse text that would be read back as something else.
    let Ok(written) = write(&text) else { return };
    let rest = text.strip_prefix(MARK).unwrap_or(&text);
    // This form is written little-endian without a byte order mark, so a leading U+FFFE is read as a mark, as on the web.
    if form == Form::Utf16Web && text.starts_with(&[0xFE, 0xFF, 0, 0]) {
        return;
    }
    // A form with its own mark takes a leading U+FEFF as that mark: it is written once, and removed by the decoder.
    let owns_mark = rest.len() < text.len() && write(MARK).is_ok_and(|mark| count(form, &mark) == 0);
    let expected = if owns_mark { rest } else { &text };
    assert_eq!(read(&written).as_deref(), Ok(expected), "{form}: {written:02X?}");
}

fn agrees_with_std(bytes: &[u8], read: &[CodePoint], form: Form) {
    let chars = || read.iter().map(|c| c.to_char().unwrap_or(char::REPLACEMENT_CHARACTER));
    match form {
        Form::Utf8 => assert!(chars().eq(String::from_utf8_lossy(bytes).chars())),
        Form::Utf16Le | Form::Utf16Be if bytes.len().is_multiple_of(2) => {
            let order = if form == Form::Utf16Le { u16::from_le_bytes } else { u16::from_be_bytes };
            let units = bytes.as_chunks().0.iter().map(|&unit| order(unit));
            let theirs = char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER));
            assert!(chars().eq(theirs), "{form}");
        }
        Form::Utf32Le if bytes.len().is_multiple_of(4) => {
            let values = bytes.as_chunks().0.iter().map(|&unit| u32::from_le_bytes(unit));
            let theirs = values.map(|c| char::from_u32(c).unwrap_or(char::REPLACEMENT_CHARACTER));
            assert!(chars().eq(theirs), "{form}");
        }
        _ => {}
    }
}
