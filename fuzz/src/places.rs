//! Boundaries, search, positions and orders give the same results as reading from the start.

use placemat::search::Finder;
use placemat::{CodePoint, Form, boundary, compare, position, sequences};

use crate::source::Source;

/// See the module.
pub fn run(input: &[u8]) {
    let mut source = Source::new(input);
    let (form, other) = (source.form(), source.form());
    let (index, len) = (source.below(300), source.below(12));
    let bytes = source.text();

    boundaries(form, &bytes, index);
    search(form, &bytes, index, len);
    positions(form, &bytes);
    let cut = index.min(bytes.len());
    order((form, &bytes[..cut]), (other, &bytes[cut..]));
    order((form, &bytes), (form, &bytes[..cut]));
}

/// Where sequences start, and the end.
fn starts(form: Form, bytes: &[u8]) -> Vec<usize> {
    let mut all: Vec<_> = [0].into_iter().chain(sequences(form, bytes).map(|s| s.range().start)).collect();
    all.push(bytes.len());
    all.dedup();
    all
}

fn boundaries(form: Form, bytes: &[u8], index: usize) {
    let Some(found) = boundary::of(form, bytes) else { return };
    let all = starts(form, bytes);
    for index in [index, index / 2, bytes.len(), bytes.len().saturating_sub(index)] {
        let floor = all.iter().rfind(|&&at| at <= index).copied();
        let ceil = all.iter().find(|&&at| at >= index).copied().unwrap_or(bytes.len());
        assert_eq!(Some(found.floor(index)), floor, "{form}: floor({index})");
        assert_eq!(found.ceil(index), ceil, "{form}: ceil({index})");
        assert_eq!(found.is_boundary(index), floor == Some(index), "{form}: is({index})");
    }
    let pieces: Vec<_> = found.split(index % 9 + 1).collect();
    assert_eq!(pieces.concat(), bytes, "{form}");
}

fn search(form: Form, bytes: &[u8], from: usize, len: usize) {
    let from = from.min(bytes.len());
    let needle = &bytes[from..bytes.len().min(from + len)];
    let Some(finder) = Finder::new(form, needle) else { return };
    let mut all = starts(form, bytes);
    all.retain(|at| at % usize::from(form.facts().width.0) == 0);
    let mut free = 0;
    let mut expected = Vec::new();
    for &at in &all {
        let end = at + needle.len();
        if at >= free && bytes[at..].starts_with(needle) && all.binary_search(&end).is_ok() {
            expected.push(at);
            free = end;
        }
    }
    assert_eq!(finder.find_iter(bytes).collect::<Vec<_>>(), expected, "{form}: {needle:02X?}");
}

fn positions(form: Form, bytes: &[u8]) {
    for (index, sequence) in sequences(form, bytes).enumerate().take(64) {
        let range = sequence.range();
        assert_eq!(position::offset_of(form, bytes, index), Some(range.start), "{form}");
        assert_eq!(position::index_at(form, bytes, range.end - 1), index, "{form}");
    }
}

fn order(a: (Form, &[u8]), b: (Form, &[u8])) {
    let read = |(form, bytes)| -> Vec<CodePoint> {
        sequences(form, bytes).map(|s| s.code_point().unwrap_or(CodePoint::REPLACEMENT)).collect()
    };
    let (left, right) = (read(a), read(b));
    assert_eq!(compare::by_code_point(a, b), left.cmp(&right), "{} and {}", a.0, b.0);
    assert_eq!(compare::by_utf16(a, b), units(&left).cmp(&units(&right)), "{} and {}", a.0, b.0);
}

/// UTF-16 code units as a sort key. Code points above U+10FFFF sort after all of them.
fn units(text: &[CodePoint]) -> Vec<u32> {
    let of = |c: &CodePoint| match c.value() {
        c @ 0x1_0000..=0x10_FFFF => vec![0xD800 + (c - 0x1_0000) / 0x400, 0xDC00 + c % 0x400],
        c => vec![c],
    };
    text.iter().flat_map(of).collect()
}
