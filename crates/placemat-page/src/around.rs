//! The bytes of a window, and everything about the byte under the cursor.

#![forbid(unsafe_code)]

use std::io::{self, BufRead, Read};
use std::ops::Range;

use placemat::Form;
use placemat_text::explain::{
    Detail, Input, Item, View, cells, tell, tell_table, tell_tables, tell_verdicts, verdict_objects,
};
use serde_json::{Value, json};

use crate::value::json_of;

/// Returns the bytes `range` of an input with their roles, and the text of the items that overlap the range. `bytes` start at
/// offset `base`, at a position from which the form can be read.
pub(crate) fn cells_of(form: Form, bytes: &[u8], base: u64, range: Range<u64>) -> Result<Value, String> {
    let from = range.start.saturating_sub(base) as usize;
    let to = range.end.saturating_sub(base) as usize;
    let first = first_whole(form, bytes, base, from);
    let window = from - first..to.max(from) - first;
    let view = View::new(form, &bytes[first.min(bytes.len())..], Some(&window));
    let mut cells = cells(&view);
    let base = base + first as u64;
    cells.offset += base;
    for item in &mut cells.items {
        item.offset += base;
    }
    json_of(cells)
}

/// The last position at or before `from` that is inside no character, although `bytes` may start inside one.
fn first_whole(form: Form, bytes: &[u8], base: u64, from: usize) -> usize {
    if base == 0 {
        return 0;
    }
    // Twelve bytes have room for two sequences of six.
    let near = from.saturating_sub(12);
    let unit = usize::from(form.facts().width.0);
    let found = placemat::boundary::of(form, bytes).map_or(near, |boundary| boundary.floor(near));
    if matches!(unit, 2 | 4) { found - (base as usize + found) % unit } else { found }
}

/// A stream of which only a part is in memory. The bytes before the part are never shown.
struct Part<'a> {
    at: u64,
    base: u64,
    bytes: &'a [u8],
}

impl Read for Part<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let here = self.fill_buf()?;
        let n = here.len().min(room.len());
        room[..n].copy_from_slice(&here[..n]);
        self.consume(n);
        Ok(n)
    }
}

impl BufRead for Part<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        Ok(match self.at.checked_sub(self.base) {
            Some(from) => self.bytes.get(from as usize..).unwrap_or_default(),
            None => &[0; 4],
        })
    }

    fn consume(&mut self, n: usize) {
        self.at += n as u64;
    }
}

fn skip(part: &mut Part<'_>, count: u64) -> io::Result<()> {
    part.at += count;
    Ok(())
}

/// Explains the character or error at a byte of the bytes that start at `base`.
pub(crate) fn at(form: Form, bytes: &[u8], at: usize, base: u64) -> Result<Value, String> {
    let offset = base + at as u64;
    let part = Part { at: 0, base, bytes };
    let near = Input::around(part, skip, offset, form).map_err(|error| error.to_string())?;
    let mut view = near.view();
    let first = cells(&view).offset;
    let start = view.told.start;
    let place = (offset - first) as usize + start;
    view.items.retain(|item| item.range().contains(&place));
    view.told = view.items.first().map_or(place..place + 1, |item| item.range().clone());
    let tables = match view.items.first() {
        Some(Item::Character(c)) => Some(tell_tables(c.code_point)),
        _ => None,
    };
    Ok(json!({
        "from": first + (view.told.start - start) as u64,
        "length": view.told.len(),
        "told": json_of(tell(&view, Detail { full: true, ..Detail::default() }))?,
        "tables": json_of(tables)?,
    }))
}

/// Returns the verdict of each form on all the bytes.
pub(crate) fn verdicts(form: Form, bytes: &[u8]) -> Result<Value, String> {
    let input = Input::new(bytes.to_vec(), form);
    let view = input.view();
    Ok(json!({ "told": json_of(tell_verdicts(&view))?, "objects": json_of(verdict_objects(&view))? }))
}

/// Returns the table of the 256 bytes of a form.
pub(crate) fn table(form: Form) -> Result<Value, String> {
    json_of(tell_table(form).map_err(|error| error.to_string())?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::asked;

    #[test]
    fn a_window_of_a_file_says_what_the_whole_says() {
        let text = "añ€😀b".repeat(20);
        for form in [Form::Utf8, Form::Utf16Le, Form::Utf16Be, Form::Utf32Le] {
            let bytes = placemat::convert(Form::Utf8, form, text.as_bytes()).unwrap();
            let unit = usize::from(form.facts().width.0).max(1);
            let whole = cells_of(form, &bytes, 0, 0..bytes.len() as u64).unwrap();
            let all = whole["items"].as_array().unwrap();
            for base in (0..80).step_by(unit) {
                let range = base as u64 + 32..base as u64 + 64;
                let part = cells_of(form, &bytes[base..base + 96], base as u64, range.clone()).unwrap();
                let overlaps = |item: &&Value| {
                    let (offset, length) =
                        (item["offset"].as_u64().unwrap(), item["length"].as_u64().unwrap());
                    offset < range.end && range.start < offset + length
                };
                let expected: Vec<&Value> = all.iter().filter(overlaps).collect();
                assert_eq!(
                    part["items"].as_array().unwrap().iter().collect::<Vec<_>>(),
                    expected,
                    "{form} {base}"
                );
            }
        }
    }

    #[test]
    fn a_byte_is_told_with_its_character() {
        let answer = asked(json!({"ask": "at", "form": "utf-8", "at": 6, "base": 0}), "abc €".as_bytes());
        assert_eq!((&answer["from"], &answer["length"]), (&json!(4), &json!(3)));
        let told = answer.to_string();
        for words in ["U+20AC", "Step by step", "In every form", "RFC 2279", "1992"] {
            assert!(told.contains(words), "{words}");
        }
        let answer = asked(json!({"ask": "at", "form": "utf-8", "at": 3, "base": 0}), b"caf\xE9");
        assert!(answer.to_string().contains("truncated"));
        // The same bytes as part of a file: only the offsets differ.
        let part = asked(
            json!({"ask": "at", "form": "utf-8", "at": 80, "base": 1 << 20}),
            "aé".repeat(60).as_bytes(),
        );
        assert_eq!((&part["from"], &part["length"]), (&json!((1 << 20) + 79), &json!(2)));
        assert!(part.to_string().contains("1048655"), "{part}");
        assert!(
            asked(json!({"ask": "at", "form": "utf-8", "at": 9, "base": 0}), b"a")["refused"].is_string()
        );
    }
}
