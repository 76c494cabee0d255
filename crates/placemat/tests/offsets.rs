//! Compares offset maps with a conversion of the whole text, and with a conversion of what precedes a place.
#![cfg(feature = "alloc")]

mod common;

use common::Random;
use placemat::offsets::{Index, Offsets, Place};
use placemat::{
    Bom, CodePoint, Decision, Fault, Form, Handler, Policy, Text, Transcoder, Unencodable, sequences,
};

fn measures(place: Place) -> [usize; 7] {
    let Place { source, text, utf16, code_point, line, column, utf16_column, .. } = place;
    [source, text, utf16, code_point, line, column, utf16_column]
}

/// Text longer than one or two blocks of the map: with errors unless `clean`, and with or without line feeds.
fn long(random: &mut Random, form: Form, clean: bool) -> Vec<u8> {
    let has_lines = random.below(2) == 0;
    // Empty in forms that have no surrogates.
    let surrogate = placemat::convert(Form::Ucs4Be, form, b"\0\0\xD8\0").unwrap_or_default();
    let mut bytes = Vec::new();
    while bytes.len() < 9000 {
        let text = format!("{}\n", random.text(60));
        let text = if has_lines { text } else { text.replace('\n', "") };
        bytes.extend(placemat::convert(Form::Utf8, form, text.as_bytes()).unwrap_or_default());
        if !clean || bytes.is_empty() {
            bytes.extend(random.bytes(16).iter().filter(|&&byte| has_lines || byte != b'\n'));
            bytes.extend(&surrogate);
        }
    }
    bytes
}

/// Every place of the text with U+FFFD for each error, including the end.
fn by_reading(form: Form, bytes: &[u8]) -> Vec<[usize; 7]> {
    let [mut text, mut utf16, mut line, mut column, mut start] = [0, 0, 1, 1, 0];
    let mut all = Vec::new();
    for (index, sequence) in sequences(form, bytes).enumerate() {
        all.push([sequence.range().start, text, utf16, index, line, column, utf16 - start]);
        let c = sequence.code_point().ok().and_then(CodePoint::to_char).unwrap_or('\u{FFFD}');
        (text, utf16) = (text + c.len_utf8(), utf16 + c.len_utf16());
        let is_mark = c == '\u{FEFF}' && sequence.range().start == 0;
        if c == '\n' {
            (line, column, start) = (line + 1, 1, utf16);
        } else {
            column += usize::from(!is_mark);
        }
    }
    all.push([bytes.len(), text, utf16, all.len(), line, column, utf16 - start]);
    all
}

#[test]
fn repaired_text_maps_as_reading_says() {
    let mut random = Random::new(4096);
    for &form in Form::ALL {
        for round in 0..5 {
            let bytes = if round == 0 { random.bytes(40) } else { long(&mut random, form, round < 3) };
            let all = by_reading(form, &bytes);
            let last_bytes: Vec<_> = sequences(form, &bytes).map(|s| s.range().end - 1).collect();
            let mut offsets = Offsets::new(form, &bytes);
            let text = placemat::decode_lossy(form, &bytes);
            assert_eq!(
                (offsets.end().text, offsets.end().code_point),
                (text.len(), text.chars().count()),
                "{form}"
            );
            for _ in 0..25 {
                let index = random.below(all.len());
                let [source, text, utf16, code_point, line, column, _] = all[index];
                let expected = all[index];
                // A byte order mark takes no column, so for its column the place behind it is found.
                let at_line = if index == 0 { [expected, all[1.min(all.len() - 1)]] } else { [expected; 2] };
                assert_eq!(measures(offsets.at_source(source)), expected, "{form}");
                assert_eq!(measures(offsets.at_text(text)), expected, "{form}");
                assert_eq!(measures(offsets.at_utf16(utf16)), expected, "{form}");
                assert_eq!(measures(offsets.at_code_point(code_point)), expected, "{form}");
                assert!(at_line.contains(&measures(offsets.at_line(line, column))), "{form} {line}:{column}");
                if let Some(next) = all.get(index + 1) {
                    assert_eq!(
                        measures(offsets.at_source(last_bytes[index])),
                        expected,
                        "{form}: its last byte"
                    );
                    assert_eq!(measures(offsets.at_text(next[1] - 1)), expected, "{form}: its last byte");
                    assert_eq!(measures(offsets.at_utf16(next[2] - 1)), expected, "{form}: its last unit");
                }
            }
            assert_eq!(measures(offsets.end()), *all.last().unwrap(), "{form}");
        }
    }
}

/// Every character of the text, with its place.
fn read(form: Form, bytes: &[u8]) -> Vec<(char, [usize; 7])> {
    let chars = sequences(form, bytes)
        .map(|sequence| sequence.code_point().ok().and_then(CodePoint::to_char).unwrap_or('\u{FFFD}'));
    chars.chain(['\0']).zip(by_reading(form, bytes)).collect()
}

#[test]
fn an_index_is_asked_by_line_and_unit() {
    let mut random = Random::new(16);
    for &form in Form::ALL {
        let mut bytes = long(&mut random, form, form.name().len() % 2 == 0);
        for line in ["one\r\n", "\r\n", "\n", "tw\u{1F600}\r\r\n", "\u{1F600}\u{E9}three\n", "end\r"] {
            bytes.extend(placemat::convert(Form::Utf8, form, line.as_bytes()).unwrap_or_default());
        }
        let all = read(form, &bytes);
        let transcoder = Transcoder::new(form, Form::Utf8).on_error(Policy::Lossy);
        let index = Offsets::of(transcoder, &bytes).unwrap().into_index();
        assert!(index.of(&bytes[1..]).is_none());
        let places = index.of(&bytes).unwrap();
        for _ in 0..60 {
            let at = random.below(all.len());
            let (c, place) = all[at];
            let expected = match (c, at.checked_sub(1).map(|before| all[before])) {
                ('\n', Some(('\r', before))) if place[4] == before[4] => before,
                _ => place,
            };
            let text = format!("{form} {place:?}");
            assert_eq!(measures(places.at_line_utf16(place[4], place[6])), expected, "{text}");
            assert_eq!(measures(places.at_source(place[0])), place, "{text}");
            assert_eq!(measures(places.at_text(place[1])), place, "{text}");
            assert_eq!(measures(places.at_utf16(place[2])), place, "{text}");
            assert_eq!(measures(places.at_code_point(place[3])), place, "{text}");
            // The end of the line: before the line feed, or the end of the text.
            let end = all.iter().position(|&(c, other)| c == '\n' && other[4] == place[4]);
            let end = end.unwrap_or(all.len() - 1);
            let has_return =
                end > 0 && all[end].0 == '\n' && all[end - 1].0 == '\r' && all[end - 1].1[4] == place[4];
            assert_eq!(measures(places.line_end(place[4])), all[end - usize::from(has_return)].1, "{text}");
        }
        assert_eq!(measures(places.end()), all.last().unwrap().1);
    }
}

#[test]
fn an_index_of_other_bytes_is_harmless() {
    let mut random = Random::new(99);
    for &form in Form::ALL {
        let (one, mut other) = (long(&mut random, form, false), long(&mut random, form, false));
        other.resize(one.len(), b'x');
        let index = Index::new(form, &one);
        let places = index.of(&other).unwrap();
        for _ in 0..20 {
            let at = random.below(one.len() * 2);
            let found = [
                places.at_source(at),
                places.at_text(at),
                places.at_utf16(at),
                places.at_line_utf16(at / 40, 3),
            ];
            assert!(found.iter().all(|place| place.source <= one.len()));
            let _ = (places.at_line(at / 40, 3), places.line_end(at / 40), places.end());
        }
    }
}

/// Under any policy, the text before a place is as long as the place says.
#[test]
fn other_policies_map_as_converting_a_prefix_says() {
    let mut random = Random::new(53);
    // Policies whose stand-ins do not depend on what precedes the error.
    for name in ["replace", "replace-byte", "skip", "latin1", "cp1252", "optu", "escape", "stop"] {
        let policy = Policy::named(name).unwrap().unencodable(Unencodable::Escape);
        for form in [Form::Utf8, Form::Utf16Le, Form::Utf8Surrogates, Form::Utf32Be] {
            let bytes = long(&mut random, form, false);
            let transcoder = || Transcoder::new(form, Form::Utf8).on_error(policy);
            let mut offsets = Offsets::of(transcoder(), &bytes).unwrap();
            let all: Vec<_> = sequences(form, &bytes).collect();
            for _ in 0..40 {
                let sequence = random.pick(&all);
                let place = offsets.at_source(sequence.range().start);
                assert_eq!(place.source, sequence.range().start);
                assert_prefix(transcoder(), &bytes[..place.source], place, &format!("{name} {form}"));
                // From the text back to the source.
                let (after, _) = common::whole(transcoder(), &bytes[..sequence.range().end]);
                for text in place.text..after.len() {
                    assert_eq!(offsets.at_text(text).source, place.source, "{name} {form}");
                }
            }
            assert_prefix(transcoder(), &bytes, offsets.end(), name);
        }
    }
}

/// The handler writes nothing for one surrogate and twice as much for the next, in sum as much as U+FFFD for both.
#[test]
fn stand_ins_that_only_come_out_even_map_as_they_are() {
    let mut is_second = true;
    let uneven = move |_: &Fault<'_>, text: &mut Text| {
        is_second = !is_second;
        for _ in 0..2 * u8::from(is_second) {
            text.push(CodePoint::REPLACEMENT).unwrap();
        }
        Decision::Resume
    };
    let transcoder = || Transcoder::new(Form::Utf8Surrogates, Form::Utf8).on_error_with(uneven);
    let x = "x".repeat(6000).into_bytes();
    let bytes = [&x[..], b"\xED\xA0\x80", b"between", b"\xED\xA0\x80", &x].concat();
    let mut offsets = Offsets::of(transcoder(), &bytes).unwrap();
    for source in [5999, 6003, 6009, 6013, 12_012] {
        let place = offsets.at_source(source);
        assert_eq!(place.source, source);
        assert_prefix(transcoder(), &bytes[..source], place, "uneven");
    }
}

fn assert_prefix<H: Handler>(transcoder: Transcoder<H>, source: &[u8], place: Place, what: &str) {
    let text = String::from_utf8(common::whole(transcoder, source).0).unwrap();
    let expected = [text.len(), text.encode_utf16().count(), text.chars().count()];
    assert_eq!([place.text, place.utf16, place.code_point], expected, "{what}");
}

#[test]
fn lines_and_columns_that_are_not_there() {
    let mut offsets = Offsets::new(Form::Utf8, b"ab\nc\xFF\n\nd");
    let mut at = |line, column| offsets.at_line(line, column).source;
    assert_eq!([at(1, 1), at(1, 3), at(1, 4), at(1, 99)], [0, 2, 2, 2], "a line ends at its U+000A");
    assert_eq!([at(2, 2), at(2, 3), at(3, 1), at(3, 2)], [4, 5, 6, 6]);
    assert_eq!([at(4, 1), at(4, 2), at(9, 1)], [7, 8, 8]);
    assert_eq!([at(0, 0), at(1, 0)], [0, 0]);
}

#[test]
fn a_mark_takes_no_column_and_may_come_and_go() {
    let place = |bom, bytes: &[u8], source| {
        let transcoder = Transcoder::new(Form::Utf8, Form::Utf8).on_error(Policy::Replace).bom(bom);
        measures(Offsets::of(transcoder, bytes).unwrap().at_source(source))
    };
    assert_eq!(place(Bom::Keep, b"\xEF\xBB\xBFab", 3), [3, 3, 1, 1, 1, 1, 1]);
    assert_eq!(place(Bom::Strip, b"\xEF\xBB\xBFab", 3), [3, 0, 0, 0, 1, 1, 0]);
    assert_eq!(place(Bom::Strip, b"\xEF\xBB\xBFab", 4), [4, 1, 1, 1, 1, 2, 1]);
    assert_eq!(place(Bom::Add, b"ab", 1), [1, 4, 2, 2, 1, 2, 2]);
    let mut utf16 = Offsets::new(Form::Utf16, b"\xFF\xFEa\0\n\0b\0");
    assert_eq!(measures(utf16.at_source(6)), [6, 2, 2, 2, 2, 1, 0]);
    // U+FEFF in base64 is a byte order mark. A second one, behind the form's own mark, is a character.
    let column = |form, bytes: &[u8], source| Offsets::new(form, bytes).at_source(source).column;
    assert_eq!(column(Form::Utf7, b"+/v8-ab", 5), 1);
    assert_eq!(column(Form::Utf16, b"\xFF\xFE\xFF\xFEa\0", 4), 2);
    assert_eq!(column(Form::Utf8, b"\xEF\xBB\xBF\xEF\xBB\xBFa", 6), 2);
}

/// If each lookup read beyond the block, many lookups in such a source would be slow.
#[test]
fn where_nothing_is_written_the_next_checkpoint_answers() {
    let source = [&[0xFF; 3 * 4096][..], b"xy"].concat();
    for policy in [Policy::Skip, Policy::Stop] {
        let transcoder = Transcoder::new(Form::Utf8, Form::Utf8).on_error(policy);
        let mut offsets = Offsets::of(transcoder, &source).unwrap();
        assert_eq!(offsets.end().text, 2);
        for source in [0, 1, 4095, 4096, 5000, 3 * 4096] {
            assert_eq!(measures(offsets.at_source(source)), [source, 0, 0, 0, 1, 1 + source, 0]);
        }
        assert_eq!(measures(offsets.at_text(1)), [source.len() - 1, 1, 1, 1, 1, source.len(), 1]);
        assert_eq!(offsets.at_text(0).source, 3 * 4096);
    }
}

#[test]
fn only_maps_to_utf_8_are_made() {
    let transcoder = Transcoder::new(Form::Utf8, Form::Utf16Le).on_error(Policy::Replace);
    assert!(Offsets::of(transcoder, b"").is_none());
    assert_eq!(measures(Offsets::new(Form::Utf8, b"").at_text(5)), [0, 0, 0, 0, 1, 1, 0]);
}

/// A lookup that goes on from the last one answers like the first lookup of a map, whatever was asked before.
#[test]
fn the_order_of_lookups_never_matters() {
    let mut random = Random::new(77);
    let lookup = |map: &mut Offsets<'_, Policy>, kind: usize, at: usize| match kind {
        0 => map.at_source(at),
        1 => map.at_text(at),
        2 => map.at_utf16(at),
        3 => map.at_code_point(at),
        _ => map.at_line(1 + at / 40, 1 + at % 40),
    };
    for form in [Form::Utf8, Form::Utf16Le, Form::Utf7, Form::Cesu8Lenient, Form::Utf16] {
        for policy in [Policy::Replace, Policy::Skip] {
            for clean in [false, true] {
                let bytes = long(&mut random, form, clean);
                let map = || Offsets::of(Transcoder::new(form, Form::Utf8).on_error(policy), &bytes).unwrap();
                let mut kept = map();
                let mut at = 0;
                for _ in 0..150 {
                    // Mostly forward by a little, sometimes back or to the same place.
                    at = match random.below(8) {
                        0 => random.below(bytes.len() + 9),
                        1 => at,
                        step => at + step * 3,
                    };
                    let kind = random.below(5);
                    let found = lookup(&mut kept, kind, at);
                    assert_eq!(found, lookup(&mut map(), kind, at), "{form} {kind} {at}");
                }
            }
        }
    }
}
