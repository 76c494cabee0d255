//! The laws of the engine: chunking never matters, policies never change well-formed input, offsets are those of std.

#![cfg(feature = "alloc")]

mod common;

use common::{Random, in_chunks, whole};
use placemat::{
    Bom, CodePoint, Decision, Error, ErrorKind, ErrorSize, Fault, Form, Handler as _, Misfit, Policy,
    StandIn, Status, Text, Transcoder, Unencodable,
};

const UNENCODABLE: [Unencodable; 5] =
    [Unencodable::Stop, Unencodable::Replace(None), Unencodable::Skip, Unencodable::Escape, Unencodable::Ncr];

#[test]
fn any_chunking_gives_the_same_bytes_and_errors() {
    let mut random = Random::new(1);
    for round in 0..40_000 {
        let (from, to) = (random.pick(Form::ALL), random.pick(Form::ALL));
        let policy = random.pick(Policy::ALL).1.unencodable(random.pick(&UNENCODABLE));
        let bom = random.pick(&[Bom::Keep, Bom::Strip, Bom::Add]);
        let len = random.below(40);
        let bytes = random.bytes(len);
        let fresh = || Transcoder::new(from, to).on_error(policy).bom(bom);
        let expected = whole(fresh(), &bytes);
        let what = || format!("round {round}: {from} to {to}, {policy:?}, {bom:?}, {bytes:02X?}");
        assert_eq!(in_chunks(fresh(), &bytes, || (1, 16)), expected, "byte by byte, {}", what());
        assert_eq!(in_chunks(fresh(), &bytes, || (99, 17)), expected, "small outputs, {}", what());
        let mut sizes = Random::new(round);
        let random_sizes = || (sizes.below(9), sizes.below(40));
        assert_eq!(in_chunks(fresh(), &bytes, random_sizes), expected, "random sizes, {}", what());
    }
}

/// A policy that skips is not called for each character; a closure that does the same is called.
#[test]
fn what_is_skipped_without_a_question_is_as_if_it_were_asked_for() {
    let pieces = ["日本語", "é", "plain", "\u{FFFD}", "😀", "\u{FEFF}"];
    let skip = Policy::Skip.unencodable(Unencodable::Skip);
    let mut random = Random::new(11);
    for round in 0..20_000 {
        let (from, to) = (random.pick(Form::ALL), random.pick(Form::ALL));
        let mut policy = random.pick(Policy::ALL).1.unencodable(Unencodable::Skip);
        if policy.size != ErrorSize::Maximal || policy.fits(from, to).is_err() {
            continue;
        }
        // Stretches of one kind, as in real text, so that a batch is removed as a whole, in part, or not at all.
        let stretches = (0..random.below(6)).map(|_| random.pick(&pieces).repeat(random.below(40)));
        let text: String = stretches.collect();
        let written = Transcoder::new(Form::Utf8, from).on_error(skip);
        let mut bytes = placemat::convert_with(written, text.as_bytes()).unwrap();
        if let Some(byte) = bytes.get_mut(random.below(200)) {
            *byte ^= 0x80;
        }
        let fresh = || Transcoder::new(from, to).on_error(policy);
        let quick = whole(fresh(), &bytes);
        let what = || format!("round {round}: {from} to {to}, {policy:?}, {bytes:02X?}");
        let asked = move |fault: &Fault<'_>, text: &mut Text| policy.decide(fault, text);
        assert_eq!(quick, whole(Transcoder::new(from, to).on_error_with(asked), &bytes), "{}", what());
        let mut sizes = Random::new(round);
        let random_sizes = || (sizes.below(90), sizes.below(400));
        assert_eq!(in_chunks(fresh(), &bytes, random_sizes), quick, "{}", what());
    }
}

#[test]
fn replacing_equals_from_utf8_lossy() {
    let mut random = Random::new(2);
    for _ in 0..100_000 {
        let len = random.below(30);
        let bytes = random.bytes(len);
        let lossy = String::from_utf8_lossy(&bytes);
        let (out, errors) = whole(Transcoder::new(Form::Utf8, Form::Utf8).on_error(Policy::Replace), &bytes);
        assert_eq!(out, lossy.as_bytes(), "{bytes:02X?}");
        assert_eq!(errors, []);
        assert_eq!(placemat::repair(&bytes), lossy);
    }
}

/// Texts of any length with few errors, which are repaired one by one, and with more.
#[test]
fn few_errors_are_repaired_as_many_are() {
    let mut random = Random::new(12);
    for round in 0..6_000 {
        let pieces = ["plain text ", "é", "日本", "😀", "naïve "];
        let length = random.below([20, 80, 600, 5_000, 10_000][round % 5]);
        let piece = random.pick(&pieces);
        let mut bytes = piece.repeat(1 + length / piece.len()).into_bytes();
        for _ in 0..random.below(7) {
            let place = random.below(bytes.len());
            bytes[place] = random.pick(&[0x41, 0x80, 0xC2, 0xE2, 0xED, 0xF0, 0xFF]);
        }
        bytes.truncate(bytes.len() - random.below(4).min(bytes.len()));
        let lossy = String::from_utf8_lossy(&bytes);
        assert_eq!(placemat::repair(&bytes), lossy, "{bytes:02X?}");
        let error = core::str::from_utf8(&bytes).err();
        let found = placemat::validate(&bytes).err();
        assert_eq!(found.map(|e| e.offset()), error.map(|e| e.valid_up_to() as u64), "{bytes:02X?}");
    }
}

#[test]
fn offsets_and_lengths_are_those_of_core_str() {
    let mut random = Random::new(3);
    for _ in 0..100_000 {
        let len = random.below(30);
        let bytes = random.bytes(len);
        match (core::str::from_utf8(&bytes), placemat::validate(&bytes)) {
            (Ok(a), Ok(b)) => assert_eq!(a, b),
            (Err(a), Err(b)) => {
                assert_eq!(a.valid_up_to() as u64, b.offset(), "{bytes:02X?}");
                let rest = bytes.len() - a.valid_up_to();
                assert_eq!(a.error_len().unwrap_or(rest), usize::from(b.length()), "{bytes:02X?}");
            }
            (a, b) => panic!("{a:?} but {b:?} for {bytes:02X?}"),
        }
        let (valid, error) = placemat::valid_prefix(&bytes);
        let cut = core::str::from_utf8(&bytes)
            .map_or_else(|a| (a.valid_up_to(), a.error_len()), |a| (a.len(), None));
        let found = error.map(|error| (error.offset(), usize::from(error.length())));
        assert_eq!((valid, found), (cut.0, cut.1.map(|len| (cut.0 as u64, len))), "{bytes:02X?}");
    }
}

#[test]
fn errors_of_a_transcoder_are_those_of_the_iterator() {
    let mut random = Random::new(4);
    for _ in 0..20_000 {
        let form = random.pick(Form::ALL);
        let len = random.below(60);
        let bytes = random.bytes(len);
        let transcoder = Transcoder::new(form, Form::Ucs4Be);
        let (_, errors) = whole(transcoder, &bytes);
        assert_eq!(placemat::errors(form, &bytes).collect::<Vec<_>>(), errors, "{form} {bytes:02X?}");
    }
}

#[test]
fn counting_is_counting_sequences() {
    let mut random = Random::new(12);
    for _ in 0..20_000 {
        let (len, chars) = (random.below(300), random.below(300));
        let bytes = [random.bytes(len), random.text(chars).into_bytes()].concat();
        assert_eq!(placemat::count(Form::Utf8, &bytes), placemat::sequences(Form::Utf8, &bytes).count());
        let form = random.pick(Form::ALL);
        // With shifts of UTF-7, which are no sequences, also behind the last sequence.
        let bytes = [
            &bytes[..random.below(bytes.len() + 1)],
            b"+AOk-",
            &bytes[..random.below(2) % (bytes.len() + 1)],
        ]
        .concat();
        assert_eq!(
            placemat::count(form, &bytes),
            placemat::sequences(form, &bytes).count(),
            "{form} {bytes:02X?}"
        );
    }
}

#[test]
fn policies_never_change_well_formed_text() {
    let mut random = Random::new(5);
    for _ in 0..5_000 {
        let chars = random.below(80);
        let text = random.text(chars);
        for &(name, policy) in Policy::ALL {
            let transcoder = Transcoder::new(Form::Utf8, Form::Utf8).on_error(policy);
            assert_eq!(whole(transcoder, text.as_bytes()), (text.clone().into_bytes(), vec![]), "{name}");
        }
    }
}

#[test]
fn every_level_gives_the_same() {
    let mut random = Random::new(6);
    for _ in 0..4_000 {
        let (from, to) = (random.pick(Form::ALL), random.pick(Form::ALL));
        let policy = random.pick(&[Policy::Stop, Policy::Replace]);
        let mut bytes = Vec::new();
        for _ in 0..random.below(12) {
            let chars = random.below(60);
            let text = random.text(chars);
            bytes.extend(
                whole(
                    Transcoder::new(Form::Utf8, from).on_error(Policy::Skip.unencodable(Unencodable::Skip)),
                    text.as_bytes(),
                )
                .0,
            );
            let len = random.below(3);
            bytes.extend(random.bytes(len));
        }
        let at = |level| whole(Transcoder::new(from, to).on_error(policy).at_level(level), &bytes);
        let expected = at(placemat::Level::Scalar);
        for level in placemat::Level::available() {
            assert_eq!(at(level), expected, "{from} to {to} at {}", level.name());
        }
    }
}

#[test]
fn another_policy_or_level_in_the_middle_counts_from_there() {
    let mut out = [0; 1000];
    let ill_formed = [&[b'a'; 64][..], &[0xFF], &[b'b'; 64]].concat();
    for to in [Form::Utf8, Form::Utf16Le, Form::Utf32Be] {
        for level in placemat::Level::available() {
            for (first, second) in [(Policy::Replace, Policy::Stop), (Policy::Stop, Policy::Replace)] {
                let mut t = Transcoder::new(Form::Utf8, to).at_level(level).on_error(first);
                assert_eq!(t.push(b"head ", &mut out).status, Status::NeedInput);
                let mut t = t.on_error(second).at_level(level);
                let stops = matches!(t.push(&ill_formed, &mut out).status, Status::Failed(_));
                assert_eq!(stops, second == Policy::Stop, "{to} at {}", level.name());
            }
            let mut asked = 0;
            let ask = |_: &Fault<'_>, _: &mut Text| {
                asked += 1;
                Decision::Resume
            };
            let midway =
                Transcoder::new(Form::Utf8, to).at_level(level).on_error(Policy::Replace).from_middle();
            assert_eq!(midway.on_error_with(ask).push(&ill_formed, &mut out).status, Status::NeedInput);
            assert_eq!(asked, 1);
        }
    }
}

#[test]
fn a_mark_is_never_written_in_the_middle() {
    let mut out = [0; 64];
    for bom in [Bom::Keep, Bom::Strip, Bom::Add] {
        let mut t = Transcoder::new(Form::Utf8, Form::Utf16);
        assert_eq!(t.push(b"a", &mut out).written, 4);
        let mut t = t.bom(bom);
        assert_eq!(t.push(b"b", &mut out).written, 2, "{bom:?}");
        let mut t = Transcoder::new(Form::Utf8, Form::Utf16).from_middle().bom(bom);
        assert_eq!(t.push(b"a", &mut out).written, 2, "{bom:?}");
        // There was room for the byte order mark only.
        let mut t = Transcoder::new(Form::Utf8, Form::Utf16);
        assert_eq!(t.push(b"a", &mut out[..2]).written, 2);
        let mut t = t.bom(bom).bom(Bom::Keep).bom(bom);
        assert_eq!(t.push(b"a", &mut out).written, 2, "{bom:?}");
    }
}

#[test]
fn scalar_values_come_back_from_every_form() {
    for &form in Form::ALL {
        let text: String = ('\0'..=char::MAX).filter(|&c| form.carries(CodePoint::from(c))).collect();
        let bytes = placemat::convert(Form::Utf8, form, text.as_bytes()).unwrap();
        let back = placemat::convert(form, Form::Utf8, &bytes).unwrap();
        assert!(back == text.as_bytes(), "{form}");
    }
}

#[test]
fn room_of_k_bytes_finds_the_source_of_output_byte_k() {
    let text = "aé€😀z".as_bytes();
    let checkpoint = Transcoder::new(Form::Utf8, Form::Utf16Le);
    for (k, source) in [0, 0, 1, 1, 3, 3, 6, 6, 6, 6, 10, 10].into_iter().enumerate() {
        let step = checkpoint.clone().push(text, &mut vec![0; k]);
        assert_eq!(step.read, source, "k = {k}");
    }
}

#[test]
fn after_a_failure_reading_goes_on_behind_it() {
    let mut transcoder = Transcoder::new(Form::Utf8, Form::Utf8);
    let mut out = [0; 32];
    let step = transcoder.push(b"a\xFFb", &mut out);
    assert!(matches!(step.status, Status::Failed(e) if e.offset() == 1 && e.length() == 1));
    assert_eq!((step.read, &out[..step.written]), (2, &b"a"[..]));
    let step = transcoder.push(b"b", &mut out);
    assert_eq!((step.status, &out[..step.written]), (Status::NeedInput, &b"b"[..]));
}

#[test]
fn a_reset_forgets_what_waits() {
    let mut transcoder = Transcoder::new(Form::Utf8, Form::Utf8).on_error(Policy::Escape);
    let mut out = [0; 4];
    let step = transcoder.push(b"\xE2\x82a", &mut out);
    assert_eq!((step.status, &out[..step.written]), (Status::NeedOutput, &br"\xe2"[..]));
    transcoder.reset();
    let step = transcoder.push(b"b", &mut out);
    assert_eq!((step.status, &out[..step.written], transcoder.offset()), (Status::NeedInput, &b"b"[..], 1));
}

#[test]
fn a_stand_in_that_the_target_lacks_is_asked_for_once() {
    let run = |unencodable| {
        let policy = Policy::Cp1252.unencodable(unencodable);
        whole(Transcoder::new(Form::Utf8, Form::UsAscii).on_error(policy), b"a\x80b")
    };
    assert_eq!(run(Unencodable::Ncr), (b"a&#8364;b".to_vec(), vec![]));
    assert_eq!(run(Unencodable::Escape), (b"a\\u{20ac}b".to_vec(), vec![]));
    assert_eq!(run(Unencodable::Replace(None)), (b"a?b".to_vec(), vec![]));
    let (out, errors) = run(Unencodable::Stop);
    assert_eq!((out, errors.len(), errors[0].range()), (b"ab".to_vec(), 1, 1..2));
    // The code points behind the refused one in the same stand-in are dropped too.
    let two = Transcoder::new(Form::Utf8, Form::UsAscii).on_error(Policy::Cp1252);
    let (out, errors) = whole(two, b"a\xE2\x82b");
    assert_eq!((out, errors.len(), errors[0].range()), (b"ab".to_vec(), 1, 1..3));
    // A replacement that the target lacks too is an error, not a loop.
    let (out, errors) = run(Unencodable::Replace(Some(CodePoint::from('€'))));
    assert_eq!((out, errors.len()), (b"ab".to_vec(), 1));
    let replace = Transcoder::new(Form::Utf8, Form::UsAscii).on_error(Policy::Replace);
    assert_eq!(whole(replace, b"a\xFFb"), (b"a?b".to_vec(), vec![]));
}

#[test]
fn marks_are_read_kept_stripped_and_added() {
    let run = |from, to, bom, bytes: &[u8]| whole(Transcoder::new(from, to).bom(bom), bytes).0;
    let marked = b"\xEF\xBB\xBFa";
    assert_eq!(run(Form::Utf8, Form::Utf8, Bom::Keep, marked), marked);
    assert_eq!(run(Form::Utf8, Form::Utf8, Bom::Strip, marked), b"a");
    assert_eq!(run(Form::Utf8, Form::Utf8, Bom::Add, marked), marked);
    assert_eq!(run(Form::Utf8, Form::Utf8, Bom::Add, b"a"), marked);
    assert_eq!(run(Form::Utf8, Form::Utf8, Bom::Add, &marked[..3]), &marked[..3]);
    assert_eq!(run(Form::Utf8, Form::Iso8859_1, Bom::Add, marked), b"a");
    assert!(Bom::Add.fits(Form::Iso8859_1).is_err() && Bom::Add.fits(Form::Utf16Web).is_ok());
    assert_eq!(run(Form::Utf8Bom, Form::Utf8, Bom::Keep, marked), b"a");
    assert_eq!(run(Form::Utf8Bom, Form::Utf8Bom, Bom::Keep, marked), marked);
    assert_eq!(run(Form::Utf8, Form::Utf8Bom, Bom::Keep, marked), marked);
    assert_eq!(run(Form::Utf8, Form::Utf16, Bom::Keep, marked), b"\xFE\xFF\0a");
    assert_eq!(run(Form::Utf8, Form::Utf16, Bom::Keep, b"a"), b"\xFE\xFF\0a");
    assert_eq!(run(Form::Utf8, Form::Utf16, Bom::Keep, b""), b"");
    assert_eq!(run(Form::Utf8, Form::Utf16Web, Bom::Keep, marked), b"a\0");
    assert_eq!(run(Form::Utf8, Form::Iso8859_1, Bom::Keep, marked), b"a");
    assert_eq!(run(Form::Utf16, Form::Utf8, Bom::Keep, b"\xFF\xFEa\0"), b"a");
    assert_eq!(run(Form::Utf16, Form::Utf8, Bom::Keep, b"\0a"), b"a");
    assert_eq!(run(Form::Utf16Web, Form::Utf8, Bom::Keep, b"a\0"), b"a");
    assert_eq!(run(Form::Utf16Le, Form::Utf8, Bom::Keep, b"\xFF\xFEa\0"), marked);
    // Only the first is a byte order mark.
    assert_eq!(run(Form::Utf16, Form::Utf8, Bom::Strip, b"\xFF\xFE\xFF\xFEa\0"), marked);
    assert_eq!(run(Form::Utf32, Form::Utf8, Bom::Keep, b"\xFF\xFE\0\0a\0\0\0"), b"a");
    assert_eq!(run(Form::Utf32, Form::Utf8, Bom::Keep, b"\0\0\xFE\xFF\0\0\0a"), b"a");
}

/// If a text begins with U+FEFF or U+FFFE, a byte order mark is written before it where it would otherwise be read as one.
#[test]
fn what_looks_like_a_mark_is_read_back() {
    for &form in Form::ALL {
        for text in ["\u{FFFE}ab", "\u{FEFF}\u{FFFE}ab", "\u{FEFF}\u{FEFF}ab", "\u{FEFF}\u{FEFF}"] {
            let Ok(bytes) = placemat::convert(Form::Utf8, form, text.as_bytes()) else { continue };
            let back = placemat::convert(form, Form::Utf8, &bytes).unwrap();
            let marked = text.strip_prefix('\u{FEFF}').unwrap_or(text).as_bytes();
            assert!(back == text.as_bytes() || back == marked, "{form}: {text:?}: {bytes:02X?}");
        }
    }
    let web = |text: &str| placemat::convert(Form::Utf8, Form::Utf16Web, text.as_bytes()).unwrap();
    assert_eq!(web("\u{FFFE}"), [0xFF, 0xFE, 0xFE, 0xFF]);
    assert_eq!(web("a\u{FFFE}"), [b'a', 0, 0xFE, 0xFF]);
}

#[test]
fn byte_by_byte_stand_ins() {
    let run = |policy: Policy, bytes: &[u8]| {
        whole(Transcoder::new(Form::Utf8, Form::Ucs4Be).on_error(policy), bytes)
            .0
            .chunks(4)
            .map(|c| u32::from_be_bytes(c.try_into().unwrap()))
            .collect::<Vec<_>>()
    };
    assert_eq!(run(Policy::ReplaceRun, b"\xE2\x82\xFFa\x80\x80"), [0xFFFD, 0x61, 0xFFFD]);
    assert_eq!(run(Policy::ReplaceSequence, b"\xF8\x88\x80\x80\x80\x80"), [0xFFFD, 0xFFFD]);
    assert_eq!(run(Policy::ReplaceByte, b"\xE2\x82"), [0xFFFD, 0xFFFD]);
    assert_eq!(run(Policy::SurrogateEscape, b"\xE2\x82"), [0xDCE2, 0xDC82]);
    assert_eq!(run(Policy::Optu, b"\xE2\x82"), [0xEFE2, 0xEF82]);
    assert_eq!(run(Policy::Escape, b"\xAF"), [0x5C, 0x78, 0x61, 0x66]);
    assert_eq!(run(Policy::Stop.stand_in(StandIn::Cp1252Strict), b"\x81\x80"), [0xFFFD, 0x20AC]);
}

#[test]
fn a_stream_can_be_taken_up_by_another_transcoder() {
    let mut random = Random::new(21);
    for round in 0..40_000 {
        let from = random.pick(Form::ALL);
        // Targets without a state, except for a byte order mark.
        let to = random.pick(&[Form::Utf8, Form::Utf8Surrogates, Form::Ucs4Be, Form::Utf16, Form::UsAscii]);
        let policy = random.pick(Policy::ALL).1.unencodable(Unencodable::Skip);
        let bom = random.pick(&[Bom::Keep, Bom::Strip, Bom::Add]);
        let len = random.below(40);
        let bytes = random.bytes(len);
        let fresh = || Transcoder::new(from, to).on_error(policy).bom(bom);
        let expected = whole(fresh(), &bytes);
        let cut = random.below(len + 1);
        let mut out = [0; 4096];
        let mut first = fresh();
        let step = first.push(&bytes[..cut], &mut out);
        let may_mark = to == Form::Utf16 || bom == Bom::Add;
        if step.status != Status::NeedInput || may_mark && step.written == 0 && first.offset() > 0 {
            continue;
        }
        let second = fresh().with_state_bits(first.state_bits()).expect("a memory that a transcoder had");
        let base = first.offset();
        let (rest, errors) = whole(second, &bytes[base as usize..]);
        let errors: Vec<_> =
            errors.iter().map(|e| Error::new(e.kind(), e.offset() + base, e.length())).collect();
        assert_eq!(
            ([&out[..step.written], &rest].concat(), errors),
            expected,
            "round {round}: {from} to {to}, {policy:?}, {bom:?}, {bytes:02X?} cut at {cut}"
        );
    }
}

#[test]
fn a_policy_given_midway_begins_a_group_of_its_own_in_any_room() {
    for size in 4..70 {
        let mut out = [0; 140];
        let mut t = Transcoder::new(Form::Utf8, Form::Utf8).on_error(Policy::Replace);
        let first = t.push(b"a\xFF", &mut out[..size]);
        assert_eq!((first.read, first.written), (2, 4));
        let second = t.on_error(Policy::ReplaceRun).push(b"\xFF\xFFb", &mut out[4..]);
        assert_eq!(&out[..4 + second.written], "a\u{FFFD}\u{FFFD}b".as_bytes(), "{size}");
    }
}

#[test]
fn numbers_that_are_no_memory_are_refused() {
    for &form in Form::ALL {
        for memory in (0..5000).chain([u32::MAX]) {
            let Some(transcoder) = Transcoder::new(form, Form::Utf8).with_state_bits(memory) else {
                continue;
            };
            // The group of the last error is limited to what its lead byte can announce.
            assert_eq!(transcoder.state_bits() & 0x1FF, memory & 0x1FF, "{form} {memory}");
        }
    }
}

/// Outside a run, behind a run, in the two states of a run that ends badly, and with 0 to 14 bits of a base64 byte used.
#[test]
fn readers_of_base64_remember_twelve_states() {
    let expected: Vec<u32> = (0..4).chain((16..=30).step_by(2)).collect();
    for form in [Form::Utf7, Form::Utf7Base64, Form::Utf7Lenient, Form::Utf7Imap] {
        let recalled =
            |&reader: &u32| Transcoder::new(form, Form::Utf8).with_state_bits(reader << 2).is_some();
        assert_eq!((0..64).filter(recalled).collect::<Vec<_>>(), expected, "{form}");
    }
}

#[test]
fn escapes_need_a_target_that_carries_them_and_a_source_that_does_not() {
    let fits = |from, to| Policy::SurrogateEscape.fits(from, to);
    let holds_escapes = "utf-8b utf-8b/python ucs-2 ucs-2le ucs-2be ucs-2/pairs ucs-2le/pairs ucs-2be/pairs ucs-4 ucs-4le \
                         ucs-4be utf-16/surrogates utf-16le/surrogates utf-16be/surrogates";
    for &form in Form::ALL {
        let holds = holds_escapes.split(' ').any(|name| name == form.name());
        assert_eq!(fits(Form::Utf8, form).is_ok(), holds, "{form}");
    }
    assert_eq!(fits(Form::Wtf8, Form::Wtf8), Err(Misfit::EscapesAmbiguous));
    assert_eq!(fits(Form::Wtf8, Form::Utf8), Err(Misfit::EscapesAmbiguous));
    assert_eq!(fits(Form::Utf8, Form::Utf8), Err(Misfit::EscapesRefused));
    assert_eq!(Policy::Replace.fits(Form::Utf8, Form::Utf8), Ok(()));
}

#[test]
fn an_error_that_holds_an_ascii_byte_cannot_be_escaped_by_byte() {
    for policy in [Policy::SurrogateEscape, Policy::Optu] {
        let run = |unit: &[u8]| {
            let mut out = [0; 16];
            let step = Transcoder::new(Form::Utf16Le, Form::Wtf8).on_error(policy).push(unit, &mut out);
            (step.status, out[..step.written].to_vec())
        };
        // The byte 00 would be decoded as the character NUL.
        let (status, text) = run(b"\x00\xD8a\0");
        assert!(matches!(status, Status::Failed(error) if error.range() == (0..2)), "{status:?}");
        assert_eq!(text, b"");
        let (status, text) = run(b"\x80\xD8a\0");
        assert_eq!((status, text.len()), (Status::NeedInput, 7));
        // Byte by byte, the stand-ins of the earlier bytes are not written either.
        let mut out = [0; 16];
        let policy = policy.per(ErrorSize::Byte);
        let step = Transcoder::new(Form::Utf16Le, Form::Wtf8).on_error(policy).push(b"\x80\xD8a\0", &mut out);
        assert_eq!((step.status, step.written), (Status::NeedInput, 7));
        let step = Transcoder::new(Form::Utf16Be, Form::Wtf8).on_error(policy).push(b"\xD8\x00\0a", &mut out);
        assert!(matches!(step.status, Status::Failed(error) if error.range() == (0..2)), "{step:?}");
        assert_eq!(step.written, 0);
    }
}

#[test]
fn escapes_say_both_digits_of_each_byte() {
    let mut out = [0; 32];
    let step = Transcoder::new(Form::Utf8, Form::Utf8).on_error(Policy::Escape).push(b"\x9D\xE9a", &mut out);
    assert_eq!(&out[..step.written], br"\x9d\xe9a");
}

/// Each error and each refused code point is reported with its range, however many a batch holds.
#[test]
fn faults_are_counted_and_placed_in_batches_as_one_by_one() {
    let shifts =
        [b"a".repeat(40), b"+AOkA6Q-b\xFF+AOk-".to_vec(), b"c".repeat(40), b"\xFF+AOk-".to_vec()].concat();
    let damaged =
        ["aé😀".repeat(20).as_bytes(), b"\xFF\xFF", &"bé".repeat(20).into_bytes(), b"\xE2\x82a"].concat();
    let replace = Policy::Replace.unencodable(Unencodable::Replace(None));
    for from in [Form::Utf7, Form::Cesu8, Form::Utf8Surrogates, Form::Utf8, Form::Utf16Be] {
        for to in [Form::Utf8, Form::UsAscii, Form::Utf16Le, Form::Iso8859_1] {
            for text in [&shifts, &damaged] {
                let count = |chunk: usize| {
                    let (mut transcoder, mut out) = (Transcoder::new(from, to).on_error(replace), [0; 4096]);
                    text.chunks(chunk).for_each(|chunk| _ = transcoder.push(chunk, &mut out));
                    let _ = transcoder.finish(&mut out);
                    transcoder.errors()
                };
                assert_eq!(count(text.len()), count(1), "{from} to {to}");
                let ranges = |chunk: usize| {
                    let (mut ranges, mut out) = (Vec::new(), [0; 4096]);
                    let mut transcoder = Transcoder::new(from, to).on_error_with(|fault, _| {
                        ranges.push(fault.error.range());
                        Decision::Resume
                    });
                    text.chunks(chunk).for_each(|chunk| _ = transcoder.push(chunk, &mut out));
                    let _ = transcoder.finish(&mut out);
                    ranges
                };
                assert_eq!(ranges(text.len()), ranges(1), "{from} to {to}");
                assert_eq!(ranges(1).len() as u64, count(1), "{from} to {to}");
            }
        }
    }
}

/// Stand-ins that wait for room are written before what kernels write into it.
#[test]
fn errors_that_outgrow_the_room_stay_in_order() {
    let mut random = Random::new(22);
    for round in 0..2_000 {
        let from = random.pick(&[Form::Utf8, Form::Utf16Le, Form::Cesu8]);
        let to = random.pick(&[Form::Utf8, Form::Utf16Le, Form::Ucs4Be, Form::Utf7]);
        let policy = random.pick(&[Policy::Replace, Policy::Escape, Policy::Cp1252]);
        let policy = policy.unencodable(Unencodable::Replace(None));
        let (len, chars) = (random.below(1_000), random.below(200));
        let bytes = [random.bytes(len), random.text(chars).into_bytes(), random.bytes(len)].concat();
        let fresh = || Transcoder::new(from, to).on_error(policy);
        let (expected, errors) = in_chunks(fresh(), &bytes, || (1, 64));
        assert_eq!(errors, []);
        let what = || format!("round {round}: {from} to {to}, {policy:?}");
        assert!(placemat::convert_with(fresh(), &bytes) == Ok(expected), "{}", what());
    }
}

/// Another decoder may give a code point for bytes that it calls ill-formed.
#[test]
fn the_kind_of_a_fault_says_what_is_asked() {
    let decide = |kind| {
        let (mut text, c) = (Text::new(), Some(CodePoint::from('€')));
        let fault = Fault::new(Error::new(kind, 0, 1), b"\x80", c, true);
        let verdict = Policy::Escape.unencodable(Unencodable::Skip).decide(&fault, &mut text);
        (verdict, text.code_points().len())
    };
    assert_eq!(decide(ErrorKind::InvalidByte), (Decision::Resume, r"\x80".len()));
    assert_eq!(decide(ErrorKind::Unencodable), (Decision::Resume, 0));
}

/// Escapes of UTF-8B are bytes: no form treats them as surrogates, which it might join.
#[test]
fn escapes_reach_only_forms_that_hold_them() {
    for to in [Form::Wtf8, Form::Cesu8Lenient, Form::Mutf8, Form::Mutf8Java, Form::Utf1, Form::Utf16Le] {
        for from in [Form::Utf8b, Form::Utf8bPython] {
            let error = placemat::convert(from, to, b"a\xFFb").unwrap_err();
            assert_eq!((error.kind(), error.offset()), (ErrorKind::Unencodable, 1), "{from} to {to}");
            // Byte by byte too.
            let mut transcoder = Transcoder::new(from, to);
            let mut failed = 0;
            for byte in b"a\xFFb".chunks(1) {
                failed += u32::from(matches!(transcoder.push(byte, &mut [0; 16]).status, Status::Failed(_)));
            }
            failed += u32::from(matches!(transcoder.finish(&mut [0; 16]).status, Status::Failed(_)));
            assert_eq!(failed, 1, "{from} to {to}");
        }
    }
    for to in [Form::Ucs2Le, Form::Ucs4Be, Form::Utf16LeSurrogates, Form::Utf8Surrogates] {
        let there = placemat::convert(Form::Utf8b, to, b"a\xFFb").unwrap();
        assert_eq!(placemat::convert(to, Form::Utf8b, &there).unwrap(), b"a\xFFb", "{to}");
    }
}
