//! An offset map gives the same places as reading from the start, with every policy and every handling of byte order marks.

use core::ops::Range;

use placemat::offsets::{Offsets, Place};
use placemat::{Bom, CodePoint, Form, Policy, Transcoder, Unencodable, boundary, convert, count, sequences};

use crate::source::{Source, plainly};

/// See the module.
pub fn run(input: &[u8]) {
    let mut source = Source::new(input);
    let form = source.form();
    let lossy = Policy::Replace.unencodable(Unencodable::Replace(None));
    let (policy, bom) = match source.below(2) {
        0 => (lossy, Bom::Keep),
        _ => (source.policy(), source.pick(&[Bom::Keep, Bom::Strip, Bom::Add])),
    };
    let picks = [0; 6].map(|_| source.below(1 << 16));
    let marks = "\u{FEFF}".repeat(source.pick(&[0, 0, 1, 2]));
    let mut bytes = convert(Form::Utf8, form, marks.as_bytes()).unwrap_or_default();
    // Checkpoints are 4 KiB apart.
    bytes.extend(source.text_up_to(5000));

    let transcoder = Transcoder::new(form, Form::Utf8).on_error(policy).bom(bom);
    let text = String::from_utf8(plainly(transcoder.clone(), &bytes).text).expect("what is written is text");
    let read = Read::new(form, &bytes);
    let mut offsets = Offsets::of(transcoder.clone(), &bytes).expect("it writes UTF-8");
    let what = format!("{form}, {policy:?}, {bom:?}");
    for pick in picks {
        in_source(&mut offsets, &read, pick, &what);
        in_text(&mut offsets, &read, &text, pick, &what);
        if (policy, bom) == (lossy, Bom::Keep) {
            repaired(&mut offsets, &read, pick, &what);
        } else if boundary::of(form, &bytes).is_some() {
            // The text before a boundary reads the same alone as within the whole.
            let source = read.starts[pick % read.starts.len()];
            let before = String::from_utf8(plainly(transcoder.clone(), &bytes[..source]).text);
            assert_eq!(
                in_its_text(offsets.at_source(source)),
                measured(&before.expect("text")),
                "{what}: byte {source}"
            );
        }
    }
    assert_eq!(in_its_source(offsets.end()), read.places[read.starts.len() - 1], "{what}");
    assert_eq!(in_its_text(offsets.end()), measured(&text), "{what}");
}

/// Source, line and column.
fn in_its_source(place: Place) -> [usize; 3] {
    [place.source, place.line, place.column]
}

/// UTF-8, UTF-16 and code points.
fn in_its_text(place: Place) -> [usize; 3] {
    [place.text, place.utf16, place.code_point]
}

fn measured(text: &str) -> [usize; 3] {
    [text.len(), text.encode_utf16().count(), text.chars().count()]
}

/// The places found by reading from the start.
struct Read {
    ranges: Vec<Range<usize>>,
    /// Where sequences start, and the end.
    starts: Vec<usize>,
    /// The places of `starts`, with lines and columns.
    places: Vec<[usize; 3]>,
    /// The characters there, U+FFFD for an error.
    chars: Vec<char>,
}

impl Read {
    fn new(form: Form, bytes: &[u8]) -> Read {
        let ranges: Vec<_> = sequences(form, bytes).map(|sequence| sequence.range()).collect();
        let starts: Vec<_> = ranges.iter().map(|range| range.start).chain([bytes.len()]).collect();
        let char = |c: Result<CodePoint, _>| c.ok().and_then(CodePoint::to_char).unwrap_or('\u{FFFD}');
        let chars: Vec<_> = sequences(form, bytes).map(|sequence| char(sequence.code_point())).collect();
        let mark = convert(Form::Utf8, form, "\u{FEFF}".as_bytes());
        let owns_mark = mark.is_ok_and(|mark| count(form, &mark) == 0);
        let (mut line, mut column) = (1, 1);
        let mut places = Vec::new();
        for (index, (&start, &c)) in starts.iter().zip(&chars).enumerate() {
            places.push([start, line, column]);
            // A byte order mark has no column. A form with its own mark reads a second U+FEFF as a character.
            let is_mark = index == 0 && c == '\u{FEFF}' && !owns_mark;
            (line, column) = if c == '\n' { (line + 1, 1) } else { (line, column + usize::from(!is_mark)) };
        }
        places.push([bytes.len(), line, column]);
        Read { ranges, starts, places, chars }
    }
}

fn in_source(offsets: &mut Offsets<'_>, read: &Read, pick: usize, what: &str) {
    let end = read.starts[read.starts.len() - 1];
    let byte = pick % (end + 1);
    let holds = read.ranges.iter().position(|range| byte < range.end).unwrap_or(read.ranges.len());
    assert_eq!(in_its_source(offsets.at_source(byte)), read.places[holds], "{what}: byte {byte}");

    let [_, line, column] = read.places[pick % read.places.len()];
    // Also columns after the end of a line.
    let column = column + pick % 3;
    let found = read.places.iter().rposition(|&[_, l, c]| (l, c) <= (line, column)).unwrap_or(0);
    assert_eq!(in_its_source(offsets.at_line(line, column)), read.places[found], "{what}: {line}:{column}");
}

/// All functions that find a place give the same place.
fn in_text(offsets: &mut Offsets<'_>, read: &Read, text: &str, pick: usize, what: &str) {
    let byte = pick % (text.len() + 1);
    let start = (0..=byte).rfind(|&at| text.is_char_boundary(at)).unwrap_or(0);
    let expected @ [_, unit, index] = measured(&text[..start]);
    let place = offsets.at_text(byte);
    assert_eq!(in_its_text(place), expected, "{what}: byte {byte} of the text");
    assert_eq!(offsets.at_utf16(unit), place, "{what}: unit {unit}");
    assert_eq!(offsets.at_code_point(index), place, "{what}: code point {index}");
    assert!(read.places.contains(&in_its_source(place)), "{what}: {place:?}");
    if text[start..].chars().next().is_some_and(|c| c.len_utf16() == 2) {
        assert_eq!(offsets.at_utf16(unit + 1), place, "{what}: unit {}", unit + 1);
    }
}

/// The text before a sequence, with U+FFFD for errors, has the length that its place says.
fn repaired(offsets: &mut Offsets<'_>, read: &Read, pick: usize, what: &str) {
    let index = pick % read.starts.len();
    let text: String = read.chars[..index].iter().collect();
    let place = offsets.at_source(read.starts[index]);
    assert_eq!((in_its_source(place), in_its_text(place)), (read.places[index], measured(&text)), "{what}");
    assert_eq!(offsets.at_text(text.len()), place, "{what}: byte {} of the text", text.len());
}
