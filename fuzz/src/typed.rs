//! The functions on code units give the results of the transcoder, in destinations of any size, and write nothing outside of them.

use core::fmt::Debug;

use placemat::{Error, Form, Policy, Status, Step, Transcoder, latin1, utf16, utf32};

use crate::source::plainly;

/// A code unit: `u8`, `u16` or `u32`.
trait Unit: Copy + Debug + PartialEq {
    const SIZE: usize = size_of::<Self>();
    /// The value of units around a destination, which must not change.
    const CANARY: Self;
    fn all(bytes: &[u8]) -> Vec<Self>;
}

macro_rules! units {
    ($($unit:ident)*) => {$(
        impl Unit for $unit {
            const CANARY: $unit = $unit::from_ne_bytes([0xA5; size_of::<$unit>()]);
            fn all(bytes: &[u8]) -> Vec<$unit> {
                bytes.as_chunks().0.iter().map(|&unit| $unit::from_ne_bytes(unit)).collect()
            }
        }
    )*};
}
units! { u8 u16 u32 }

const UTF16: Form = if cfg!(target_endian = "big") { Form::Utf16Be } else { Form::Utf16Le };
const UTF32: Form = if cfg!(target_endian = "big") { Form::Utf32Be } else { Form::Utf32Le };
const LATIN1: Form = Form::Iso8859_1;
const MARGIN: usize = 16;

/// Runs one conversion, chosen by the bytes, and all functions that only read.
pub(crate) fn run(bytes: &[u8], room: usize) {
    use Policy as P;
    match bytes.iter().fold(bytes.len(), |sum, &byte| sum + usize::from(byte)) % 18 {
        0 => face(utf16::from_utf8, Form::Utf8, UTF16, P::Stop, bytes, room),
        1 => face(utf16::from_utf8_lossy, Form::Utf8, UTF16, P::Replace, bytes, room),
        2 => face(utf16::to_utf8, UTF16, Form::Utf8, P::Stop, bytes, room),
        3 => face(utf16::to_utf8_lossy, UTF16, Form::Utf8, P::Replace, bytes, room),
        4 => face(utf16::to_utf32, UTF16, UTF32, P::Stop, bytes, room),
        5 => face(utf16::to_utf32_lossy, UTF16, UTF32, P::Replace, bytes, room),
        6 => face(utf16::to_latin1, UTF16, LATIN1, P::Stop, bytes, room),
        7 => face(utf32::from_utf8, Form::Utf8, UTF32, P::Stop, bytes, room),
        8 => face(utf32::from_utf8_lossy, Form::Utf8, UTF32, P::Replace, bytes, room),
        9 => face(utf32::to_utf8, UTF32, Form::Utf8, P::Stop, bytes, room),
        10 => face(utf32::to_utf8_lossy, UTF32, Form::Utf8, P::Replace, bytes, room),
        11 => face(utf32::to_utf16, UTF32, UTF16, P::Stop, bytes, room),
        12 => face(utf32::to_utf16_lossy, UTF32, UTF16, P::Replace, bytes, room),
        13 => face(utf32::to_latin1, UTF32, LATIN1, P::Stop, bytes, room),
        14 => face(latin1::from_utf8, Form::Utf8, LATIN1, P::Stop, bytes, room),
        15 => face(latin1::to_utf8, LATIN1, Form::Utf8, P::Stop, bytes, room),
        16 => face(latin1::to_utf16, LATIN1, UTF16, P::Stop, bytes, room),
        _ => face(latin1::to_utf32, LATIN1, UTF32, P::Stop, bytes, room),
    }
    look(utf16::utf8_len, UTF16, Form::Utf8, bytes);
    look(utf16::utf32_len, UTF16, UTF32, bytes);
    look(utf32::utf8_len, UTF32, Form::Utf8, bytes);
    look(utf32::utf16_len, UTF32, UTF16, bytes);
    look(|src: &[u8]| Ok::<_, Error>(latin1::utf8_len(src)), LATIN1, Form::Utf8, bytes);
    let (sixteen, thirty_two) = (u16::all(bytes), u32::all(bytes));
    assert_eq!(utf16::validate(&sixteen).err(), utf16::utf8_len(&sixteen).err());
    assert_eq!(utf32::validate(&thirty_two).err(), utf32::utf8_len(&thirty_two).err());
    if let Ok(text) = core::str::from_utf8(bytes) {
        assert_eq!(utf16::len_of_str(text), text.encode_utf16().count());
    }
}

/// The transcoder's output up to its first error, and that error, in code units.
fn expected<U: Unit, V: Unit>(from: Form, to: Form, policy: Policy, bytes: &[u8]) -> (Vec<V>, Option<Error>) {
    let convert = |bytes| plainly(Transcoder::new(from, to).on_error(policy), bytes);
    let whole = convert(bytes);
    let Some(stop) = whole.stops.first() else { return (V::all(&whole.text), None) };
    let units = |error: &Error| {
        Error::new(error.kind(), error.offset() / U::SIZE as u64, error.length() / U::SIZE as u8)
            .in_units_of(U::SIZE as u8)
    };
    (V::all(&convert(&bytes[..stop.offset() as usize]).text), Some(units(stop)))
}

fn face<U: Unit, V: Unit>(
    convert: fn(&[U], &mut [V]) -> Step,
    from: Form,
    to: Form,
    policy: Policy,
    bytes: &[u8],
    room: usize,
) {
    let src = U::all(bytes);
    let bytes = &bytes[..src.len() * U::SIZE];
    // The transcoder takes a leading U+FEFF as a byte order mark, which is dropped for ISO 8859-1. These functions take it as a character.
    if to == LATIN1 && utf8_of(from, bytes).starts_with("\u{FEFF}".as_bytes()) {
        return;
    }
    let (text, stop) = expected::<U, V>(from, to, policy, bytes);
    for room in [room, text.len()] {
        let (mut memory, mut written, mut read) = (vec![V::CANARY; room + 2 * MARGIN], Vec::new(), 0);
        loop {
            let step = convert(&src[read..], &mut memory[MARGIN..MARGIN + room]);
            let outside = memory[..MARGIN].iter().chain(&memory[MARGIN + room..]);
            assert!(outside.copied().all(|unit| unit == V::CANARY), "{from} to {to}: written outside");
            written.extend_from_slice(&memory[MARGIN..][..step.written]);
            let base = read as u64;
            read += step.read;
            match step.status {
                Status::Done => assert_eq!((read, stop), (src.len(), None), "{from} to {to}"),
                Status::Failed(e) => {
                    let error = Error::new(e.kind(), e.offset() + base, e.length()).in_units_of(e.unit());
                    assert_eq!(Some(error), stop, "{from} to {to}");
                }
                Status::NeedOutput if step.read + step.written > 0 => {
                    assert!(room != text.len() || stop.is_some(), "{from} to {to}: the exact room is enough");
                    continue;
                }
                Status::NeedOutput => assert!(room < 4, "{from} to {to}: no progress in {room}"),
                Status::NeedInput => panic!("{from} to {to}: all the input was there"),
            }
            if step.status != Status::NeedOutput {
                assert_eq!(written, text, "{from} to {to}");
            }
            assert!(text.starts_with(&written), "{from} to {to}");
            break;
        }
    }
}

fn utf8_of(form: Form, bytes: &[u8]) -> Vec<u8> {
    plainly(Transcoder::new(form, Form::Utf8).on_error(Policy::Replace), bytes).text
}

fn look<U: Unit>(len: fn(&[U]) -> Result<usize, Error>, from: Form, to: Form, bytes: &[u8]) {
    let src = U::all(bytes);
    let size = if to == UTF16 {
        2
    } else if to == UTF32 {
        4
    } else {
        1
    };
    let (text, stop) = expected::<U, u8>(from, to, Policy::Stop, &bytes[..src.len() * U::SIZE]);
    assert_eq!(len(&src), stop.map_or(Ok(text.len() / size), Err), "{from} to {to}");
}
