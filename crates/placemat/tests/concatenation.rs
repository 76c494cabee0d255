//! Texts in parts: several inputs that become one text, and pieces from the middle of a text.
#![cfg(feature = "alloc")]
#![forbid(unsafe_code)]

mod common;

use common::{Random, whole};
use placemat::{
    Bom, Error, ErrorKind, ErrorSize, Form, Handler, Policy, Status, Step, Transcoder, convert_into,
};

/// Converts the parts one after the other, each from its form, into outputs of `room` bytes. Returns the text, and each error
/// with its part.
fn joined<H: Handler>(
    mut transcoder: Transcoder<H>,
    parts: &[(Form, &[u8])],
    mut room: impl FnMut() -> usize,
) -> (Vec<u8>, Vec<(usize, Error)>) {
    let (mut text, mut errors) = (Vec::new(), Vec::new());
    for (part, (form, bytes)) in parts.iter().enumerate() {
        if part > 0 {
            transcoder.next_part(*form);
        }
        let (mut rest, mut is_over) = (*bytes, false);
        loop {
            let mut out = vec![0; room()];
            let step = match (is_over, part + 1 == parts.len()) {
                (false, _) => transcoder.push(rest, &mut out),
                (true, false) => transcoder.finish_part(&mut out),
                (true, true) => transcoder.finish(&mut out),
            };
            rest = &rest[step.read..];
            text.extend_from_slice(&out[..step.written]);
            match step.status {
                Status::Done => break,
                Status::NeedInput => is_over = true,
                Status::Failed(error) => errors.push((part, error)),
                Status::NeedOutput => {}
            }
        }
    }
    (text, errors)
}

#[test]
fn a_text_of_parts_is_the_texts_of_the_parts() {
    let mut random = Random::new(31);
    // The expected text is stripped too, because a byte order mark at the start of a later part is dropped.
    for round in 0..20_000 {
        let forms = [(); 3].map(|()| random.pick(Form::ALL));
        let to = random.pick(&[Form::Utf8, Form::Utf16Le, Form::Ucs4Be, Form::Utf7]);
        let bytes = [(); 3].map(|()| {
            let len = random.below(40);
            random.bytes(len)
        });
        let policy = random.pick(&[Policy::Stop, Policy::Replace, Policy::ReplaceRun, Policy::Escape]);
        let parts: Vec<_> = forms.iter().zip(&bytes).map(|(&form, bytes)| (form, &bytes[..])).collect();
        let fresh = |form| Transcoder::new(form, to).on_error(policy).bom(Bom::Strip);
        let (text, errors) = joined(fresh(forms[0]), &parts, || 4096);
        let mut sizes = Random::new(round);
        assert_eq!(joined(fresh(forms[0]), &parts, || 16 + sizes.below(40)), (text.clone(), errors.clone()));
        let alone: Vec<_> = parts.iter().map(|&(form, bytes)| whole(fresh(form), bytes)).collect();
        let expected = alone.iter().enumerate().flat_map(|(part, (_, e))| e.iter().map(move |&e| (part, e)));
        assert_eq!(errors, expected.collect::<Vec<_>>(), "round {round}: {parts:02X?} to {to}");
        // A run of base64 may continue in the next part: the same text, in fewer bytes.
        let meaning = |bytes: &[u8]| placemat::convert(to, Form::Ucs4Be, bytes).unwrap();
        let expected: Vec<u8> = alone.iter().flat_map(|(text, _)| meaning(text)).collect();
        assert_eq!(meaning(&text), expected, "round {round}: {parts:02X?} to {to}");
    }
}

#[test]
fn a_text_has_one_mark() {
    let marked = |bom, parts: &[&[u8]]| {
        let parts: Vec<_> = parts.iter().map(|&bytes| (Form::Utf8, bytes)).collect();
        joined(Transcoder::new(Form::Utf8, Form::Utf8).bom(bom), &parts, || 64).0
    };
    let (mark, a) = (b"\xEF\xBB\xBF", b"\xEF\xBB\xBFa");
    assert_eq!(marked(Bom::Keep, &[a, a]), b"\xEF\xBB\xBFaa");
    assert_eq!(marked(Bom::Keep, &[b"a", a]), b"aa");
    // If all parts before it are empty, it is the first.
    assert_eq!(marked(Bom::Keep, &[b"", a]), a);
    assert_eq!(marked(Bom::Add, &[b"", b"a", a]), b"\xEF\xBB\xBFaa");
    assert_eq!(marked(Bom::Strip, &[a, mark, a]), b"aa");
    // Only the first of each part is a byte order mark.
    assert_eq!(marked(Bom::Strip, &[a, b"\xEF\xBB\xBF\xEF\xBB\xBFa"]), b"a\xEF\xBB\xBFa");
}

#[test]
fn the_middle_of_a_text_has_no_mark() {
    for (from, text) in [
        (Form::Utf8, &b"\xEF\xBB\xBFa"[..]),
        (Form::Utf8Bom, b"\xEF\xBB\xBFa"),
        (Form::Utf16, b"\xFE\xFF\0a"),
    ] {
        for to in [Form::Utf16, Form::Utf16Be] {
            for bom in [Bom::Keep, Bom::Strip, Bom::Add] {
                let transcoder = Transcoder::new(from, to).bom(bom).from_middle();
                assert_eq!(whole(transcoder, text), (b"\xFE\xFF\0a".to_vec(), vec![]), "{from} to {to}");
            }
        }
    }
}

#[test]
fn the_end_of_a_part_is_the_end_of_its_last_sequence() {
    let mut out = [0; 64];
    let mut transcoder = Transcoder::new(Form::Utf8, Form::Utf8);
    assert_eq!(
        transcoder.push(b"a\xE2\x82", &mut out),
        Step { read: 3, written: 1, status: Status::NeedInput }
    );
    let error = Error::new(ErrorKind::Truncated, 1, 2);
    assert_eq!(transcoder.finish_part(&mut out), Step { read: 0, written: 0, status: Status::Failed(error) });
    assert_eq!(transcoder.finish_part(&mut out), Step { read: 0, written: 0, status: Status::Done });
    assert_eq!((transcoder.offset(), transcoder.errors()), (3, 1));
    transcoder.next_part(Form::Utf16Le);
    assert_eq!((transcoder.offset(), transcoder.errors()), (0, 1));
    assert_eq!(
        transcoder.push(b"\xAC\x20\0", &mut out),
        Step { read: 3, written: 3, status: Status::NeedInput }
    );
    let error = Error::new(ErrorKind::Truncated, 2, 1);
    assert_eq!(transcoder.finish(&mut out).status, Status::Failed(error));
}

/// A run of errors ends at the end of its part.
#[test]
fn groups_of_errors_end_with_their_part() {
    let transcoder = Transcoder::new(Form::Utf8, Form::Utf8).on_error(Policy::ReplaceRun);
    let parts = [(Form::Utf8, &b"\xFF\xFF"[..]), (Form::Utf8, b"\xFF")];
    assert_eq!(joined(transcoder, &parts, || 64).0, "\u{FFFD}\u{FFFD}".as_bytes());
}

/// Counts, and writes nothing.
#[derive(Default)]
struct Counting(u32);

impl Handler for Counting {
    fn decide(&mut self, fault: &placemat::Fault<'_>, _: &mut placemat::Text) -> placemat::Decision {
        self.0 += u32::from(fault.opens);
        placemat::Decision::Resume
    }

    fn size(&self) -> ErrorSize {
        ErrorSize::Run
    }
}

#[test]
fn what_a_transcoder_says_of_itself() {
    let mut out = [0; 64];
    let mut transcoder = Transcoder::new(Form::Utf16, Form::Utf7).on_error(Counting::default());
    assert_eq!((transcoder.source_form(), transcoder.is_flushed()), (Form::Utf16Be, true));
    let step = transcoder.push(b"\xFF\xFE\xE9\0\0\xDC\0\xDC", &mut out);
    assert_eq!(step.status, Status::NeedInput);
    assert_eq!((transcoder.source_form(), transcoder.is_flushed()), (Form::Utf16Le, false));
    assert_eq!((transcoder.offset(), transcoder.errors(), transcoder.handler().0), (8, 2, 1));
    let written = transcoder.finish(&mut out[step.written..]).written;
    assert_eq!(&out[..step.written + written], b"+AOk-");
    assert_eq!((transcoder.errors(), transcoder.is_flushed()), (2, true));
    assert_eq!((transcoder.source_form(), transcoder.offset()), (Form::Utf16Be, 0));
    transcoder.reset();
    assert_eq!(transcoder.errors(), 0);
}

#[test]
fn what_is_held_back_before_an_error_is_written_too() {
    for (from, to, bytes, text) in [
        (Form::Utf8, Form::Utf7, &b"\xC3\xA9\xFF"[..], &b"+AOk-"[..]),
        (Form::Ucs4Le, Form::Wtf8, b"\x3D\xD8\0\0\0\0\0\x7F", b"\xED\xA0\xBD"),
    ] {
        let mut out = b"> ".to_vec();
        let error = convert_into(Transcoder::new(from, to), bytes, &mut out).unwrap_err();
        assert_eq!((error.range().end, &out[2..]), (bytes.len() as u64, text), "{to}");
    }
}
