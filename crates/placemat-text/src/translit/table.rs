//! Transliteration by the decompositions of Unicode, and by a table.

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::{canonical_combining_class, decompose_compatible};

pub(super) fn resembling(c: char, carries: impl Fn(char) -> bool) -> Option<String> {
    without_marks(c, &carries)
        .or_else(|| whole(compatible(c, |_| true), &carries))
        .or_else(|| whole(compatible(c, |part| canonical_combining_class(part) == 0), &carries))
        .or_else(|| whole(any_ascii::any_ascii_char(c).to_owned(), &carries))
        .or_else(|| in_parts(c, &carries))
}

/// The canonical decomposition of the character, or the character with fewer of its marks.
fn without_marks(c: char, carries: &impl Fn(char) -> bool) -> Option<String> {
    let parts: Vec<char> = c.nfd().collect();
    let shorter = |len| whole(parts[..len].iter().copied().nfc().collect(), carries);
    let is_marked = parts.len() > 1 && canonical_combining_class(parts[1]) != 0;
    let all = if parts.len() > 1 { whole(parts.iter().collect(), carries) } else { None };
    all.or_else(|| if is_marked { (1..parts.len()).rev().find_map(shorter) } else { None })
}

fn compatible(c: char, keeps: impl Fn(char) -> bool) -> String {
    let mut text = String::new();
    decompose_compatible(c, |part| text.extend(keeps(part).then_some(part)));
    text
}

/// The compatibility decomposition. Each part that the target lacks is replaced by itself, from the table.
fn in_parts(c: char, carries: &impl Fn(char) -> bool) -> Option<String> {
    let mut text = String::new();
    for part in compatible(c, |part| canonical_combining_class(part) == 0).chars() {
        if carries(part) {
            text.push(part);
        } else {
            text += &whole(any_ascii::any_ascii_char(part).to_owned(), carries)?;
        }
    }
    whole(text, carries)
}

fn whole(text: String, carries: &impl Fn(char) -> bool) -> Option<String> {
    (!text.is_empty() && text.chars().all(carries)).then_some(text)
}
