//! Writes the edited view back in the file's encoding. Lines that were not edited keep their bytes, and so do the
//! characters of edited lines that were not changed.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

use super::view::{Lacking, Line, View};

/// The time after which a difference need not be minimal.
const PATIENCE: Duration = Duration::from_secs(5);

/// Returns the new content of the file after its byte order mark.
///
/// # Errors
/// Every character of `text` that the encoding cannot hold.
///
/// ```
/// use placemat::Form;
/// use placemat_text::edit::merge::merge;
/// use placemat_text::edit::view::View;
///
/// // The malformed byte comes back as it was.
/// let view = View::of(Form::Utf8.into(), b"caf\xE9\ncolor\n").unwrap();
/// let edited = view.text.replace("color", "colour");
/// assert_eq!(merge(&view, &edited).unwrap(), b"caf\xE9\ncolour\n");
/// ```
pub fn merge(view: &View, text: &str) -> Result<Vec<u8>, Vec<Lacking>> {
    // Where the file cannot be divided into lines, its bytes would not come back.
    if text == view.text {
        return Ok(view.bytes.clone());
    }
    let old: Vec<&str> = view.lines.iter().map(|line| &view.text[line.text.clone()]).collect();
    let new: Vec<&str> = text.split_inclusive('\n').collect();
    let deadline = Instant::now() + PATIENCE;
    let mut merging =
        Merging { view, deadline, bytes: Vec::with_capacity(view.bytes.len()), lacking: Vec::new() };
    let mut at = 0;
    let mut numbers = HashMap::new();
    let [old_numbers, new_numbers] = [&old, &new].map(|lines| numbered(lines, &mut numbers));
    for op in changes(&old_numbers, &new_numbers, deadline) {
        let len = new[op.new_range()].iter().map(|line| line.len()).sum::<usize>();
        merging.hunk(&op, &view.lines[op.old_range()], &text[at..at + len], at);
        at += len;
    }
    if merging.lacking.is_empty() { Ok(merging.bytes) } else { Err(merging.lacking) }
}

/// Gives each line a number; equal lines have equal numbers.
fn numbered<'a>(lines: &[&'a str], known: &mut HashMap<&'a str, u32>) -> Vec<u32> {
    let number = |line: &&'a str| {
        let next = known.len() as u32;
        *known.entry(*line).or_insert(next)
    };
    lines.iter().map(number).collect()
}

/// Returns the changes between two lists of lines or characters. Both are passed as numbers, since the code is large for
/// each type.
#[inline(never)]
fn changes(old: &[u32], new: &[u32], deadline: Instant) -> Vec<DiffOp> {
    capture_diff_slices_deadline(Algorithm::Myers, old, new, Some(deadline))
}

struct Merging<'a> {
    view: &'a View,
    deadline: Instant,
    bytes: Vec<u8>,
    lacking: Vec<Lacking>,
}

impl Merging<'_> {
    /// Writes the lines of one operation. `text` is their new text, at offset `at` of the whole.
    fn hunk(&mut self, op: &DiffOp, lines: &[Line], text: &str, at: usize) {
        let (Some(first), Some(last)) = (lines.first(), lines.last()) else { return self.write(text, at) };
        let old = first.bytes.start..last.bytes.end;
        if let DiffOp::Equal { .. } = op {
            self.bytes.extend_from_slice(&self.view.bytes[old]);
            return;
        }
        let reading = &self.view.reading;
        if text.is_empty() {
            return;
        }
        if !reading.stands_alone() {
            return self.write(text, at);
        }
        self.characters(
            &self.view.bytes[old.clone()],
            &self.view.text[first.text.start..last.text.end],
            text,
            at,
        );
    }

    /// Writes some lines, character by character.
    fn characters(&mut self, bytes: &[u8], old: &str, text: &str, at: usize) {
        let units = self.view.reading.units(bytes);
        let old: Vec<char> = old.chars().collect();
        let new: Vec<char> = text.chars().collect();
        if units.iter().map(|unit| unit.1).sum::<usize>() != old.len() {
            return self.write(text, at);
        }
        // For each old character that is the first of its unit: the bytes of the unit, and its number of characters.
        let mut starts = vec![None; old.len()];
        let (mut byte, mut character) = (0, 0);
        for (len, characters) in units {
            starts[character] = Some((byte..byte + len, characters));
            byte += len;
            character += characters;
        }
        // The offsets in `text` of the first character that is not written yet, and of the current one.
        let (mut written, mut here) = (0, 0);
        let [old_numbers, new_numbers] =
            [&old, &new].map(|text| text.iter().map(|c| u32::from(*c)).collect::<Vec<_>>());
        for op in changes(&old_numbers, &new_numbers, self.deadline) {
            let (mut index, end) = (op.old_range().start, op.old_range().end);
            if !matches!(op, DiffOp::Equal { .. }) {
                here += new[op.new_range()].iter().map(|c| c.len_utf8()).sum::<usize>();
                continue;
            }
            while index < end {
                match starts[index].clone() {
                    Some((unit, characters)) if index + characters <= end => {
                        self.write(&text[written..here], at + written);
                        self.bytes.extend_from_slice(&bytes[unit]);
                        here += old[index..index + characters].iter().map(|c| c.len_utf8()).sum::<usize>();
                        written = here;
                        index += characters;
                    }
                    // Only a part of a unit's characters was kept, so they are written anew.
                    _ => {
                        here += old[index].len_utf8();
                        index += 1;
                    }
                }
            }
        }
        self.write(&text[written..], at + written);
    }

    fn write(&mut self, text: &str, at: usize) {
        if text.is_empty() {
            return;
        }
        self.lacking.extend(self.view.reading.encode(text, at, &mut self.bytes));
    }
}

#[cfg(test)]
mod tests {
    use placemat::Form;
    use placemat::label::Labels;

    use super::{View, merge};
    use crate::charset::Charset;

    #[test]
    fn text_that_was_not_edited_keeps_its_bytes() {
        let named = |name| Charset::resolve(Labels::Lenient, name).unwrap();
        let all = Form::ALL.iter().map(|&form| Charset::from(form));
        for charset in all.chain(["iso-2022-jp", "gb18030", "big5"].map(named)) {
            // Half a pair of runs; an escape before the end of a line, and after one that the text needs not.
            for bytes in
                [&b"a&AwE-&IBw-b\n"[..], b"+AOk-+AOk-\n\xE9", b"\x1B$B!!\na\x1B(B\n\xFF\x1B(B", b"~{!!\n~}"]
            {
                let view = View::of(charset, bytes).unwrap();
                let merged = [&view.mark[..], &merge(&view, &view.text).unwrap()].concat();
                assert_eq!(merged, bytes, "{}", charset.name());
            }
        }
    }
}
