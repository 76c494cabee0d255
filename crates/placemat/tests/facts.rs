//! Compares [`placemat::Facts`] of each form with what the form does.
#![cfg(feature = "alloc")]
#![forbid(unsafe_code)]

use placemat::{Bom, CodePoint, Form, Status, Transcoder};

/// The first and last code point of every length, and those that some form treats differently.
const EDGES: [u32; 40] = [
    0,
    1,
    0x20,
    0x26,
    0x2B,
    0x41,
    0x7E,
    0x7F,
    0x80,
    0x9F,
    0xA0,
    0xFF,
    0x100,
    0x152,
    0x7FF,
    0x800,
    0x2080,
    0x3400,
    0x4016,
    0x4E00,
    0xABFF,
    0xAC00,
    0xD7FF,
    0xD800,
    0xDBFF,
    0xDC00,
    0xDC80,
    0xDFFF,
    0xE000,
    0xEF80,
    0xF000,
    0xFFFD,
    0xFFFF,
    0x1_0000,
    0x3_8E2E,
    0x10_FFFF,
    0x1F_FFFF,
    0x20_0000,
    0x3FF_FFFF,
    0x7FFF_FFFF,
];

/// A single code point as the form writes it, without a byte order mark.
fn written(form: Form, value: u32) -> Option<Vec<u8>> {
    let (mut bytes, mut out) = (Vec::new(), [0; 64]);
    let mut transcoder = Transcoder::new(Form::Ucs4Be, form).bom(Bom::Keep).from_middle();
    let step = transcoder.push(&value.to_be_bytes(), &mut out);
    bytes.extend_from_slice(&out[..step.written]);
    if step.status != Status::NeedInput {
        return None;
    }
    let step = transcoder.finish(&mut out);
    bytes.extend_from_slice(&out[..step.written]);
    (step.status == Status::Done).then_some(bytes)
}

/// Each form's code points of [`EDGES`], in order, as the form writes them.
fn all() -> impl Iterator<Item = (Form, Vec<(u32, Vec<u8>)>)> {
    let of = |form| EDGES.iter().filter_map(move |&value| Some((value, written(form, value)?))).collect();
    Form::ALL.iter().map(move |&form| (form, of(form)))
}

#[test]
fn widths() {
    for (form, texts) in all() {
        let lengths = || texts.iter().map(|(_, bytes)| bytes.len());
        let (least, most) = form.facts().width;
        assert_eq!((lengths().min(), lengths().max()), (Some(least.into()), Some(most.into())), "{form}");
    }
}

#[test]
fn domains() {
    let beyond = [0x10_FFFE, 0x10_FFFF, 0x11_0000, 0x1F_FFFF, 0x7FFF_FFFF];
    for &form in Form::ALL {
        let carried: Vec<u32> =
            (0..=0x1_0001).chain(beyond).filter(|&c| form.carries(CodePoint::new(c).unwrap())).collect();
        let carries = |value| carried.binary_search(&value).is_ok();
        let is = |holds: &dyn Fn(u32) -> bool| (0..=0x1_0001).chain(beyond).all(|c| carries(c) == holds(c));
        let is_scalar = |c| char::from_u32(c).is_some();
        let domain = form.facts().domain;
        let holds = match domain {
            "0000..007F" => is(&|c| c <= 0x7F),
            "0000..00FF" => is(&|c| c <= 0xFF),
            "0000..FFFF" => is(&|c| c <= 0xFFFF),
            "0000..7FFFFFFF" => is(&|_| true),
            "0000..7FFFFFFF without surrogates" => is(&|c| !(0xD800..0xE000).contains(&c)),
            "251 characters and five C1 controls" => carried.len() == 256 && carries(0x20AC) && carries(0x81),
            "scalar values" => is(&is_scalar),
            "scalar values and DC80..DCFF" => is(&|c| is_scalar(c) || (0xDC80..=0xDCFF).contains(&c)),
            "scalar values without 3400..4DFF and 4,516 Hangul syllables" => {
                let lacking: Vec<_> = (0..=0x10_FFFF)
                    .filter(|&c| is_scalar(c) && !form.carries(CodePoint::new(c).unwrap()))
                    .collect();
                let (old, hangul) = lacking.split_at(lacking.partition_point(|&c| c < 0x4E00));
                old == (0x3400..=0x4DFF).collect::<Vec<u32>>()
                    && hangul.len() == 4516
                    && hangul.iter().all(|c| (0xAC00..=0xD7A3).contains(c))
            }
            "code points to 10FFFF" | "code points to 10FFFF, no surrogate pair" => is(&|c| c <= 0x10_FFFF),
            _ => domain.starts_with("0000..FFFD; EF80..EFFF are the bytes") && is(&|c| c <= 0xFFFD),
        };
        assert!(holds, "{form}: {domain}");
        assert!(
            EDGES.iter().all(|&c| written(form, c).is_some() == form.carries(CodePoint::new(c).unwrap())),
            "{form}"
        );
    }
}

/// For forms with their own byte order mark, neither fact is promised, because the mark breaks it.
fn owns_mark(form: Form) -> bool {
    Transcoder::new(form, Form::Utf8).source_form() != form
}

#[test]
fn ascii_stands_for_itself_alone() {
    for (form, texts) in all() {
        let is_itself = |(value, bytes): &(u32, Vec<u8>)| match u8::try_from(*value) {
            Ok(byte) if byte.is_ascii() => *bytes == [byte],
            _ => bytes.iter().all(|byte| !byte.is_ascii()),
        };
        let promised = form.facts().ascii_transparent;
        assert_eq!(promised, !owns_mark(form) && texts.iter().all(is_itself), "{form}");
    }
}

#[test]
fn bytes_sort_as_code_points() {
    for (form, texts) in all() {
        let promised = form.facts().order_preserving;
        assert_eq!(promised, !owns_mark(form) && texts.is_sorted_by(|(_, a), (_, b)| a < b), "{form}");
    }
}
