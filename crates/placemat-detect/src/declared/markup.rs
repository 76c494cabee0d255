//! Declarations of XML, CSS and HTML.
#![forbid(unsafe_code)]

use core::ops::Range;

use super::{find, label};

/// The number of bytes in which browsers look for a `meta` element.
const META_REACH: usize = 1024;

/// The label of an XML declaration, which must be at the very start.
pub(super) fn xml(text: &[u8]) -> Option<Range<usize>> {
    let open =
        text.strip_prefix(b"<?xml").filter(|rest| rest.first().is_some_and(u8::is_ascii_whitespace))?;
    let end = find(open, b"?>")?;
    let start = text.len() - open.len();
    attribute(text, start..start + end, b"encoding")
}

/// The label of `@charset "…";`, which has exactly this form.
pub(super) fn css(text: &[u8]) -> Option<Range<usize>> {
    let at = label(text, b"@charset \"".len()).filter(|_| text.starts_with(b"@charset \""))?;
    text[at.end..].starts_with(b"\";").then_some(at)
}

/// The label of the first `meta` element that has one, in a text that begins as HTML does.
pub(super) fn html(text: &[u8]) -> Option<Range<usize>> {
    let text = &text[..text.len().min(META_REACH)];
    // The loop would return the same, but most texts have no tag at all.
    if text.trim_ascii_start().first() != Some(&b'<') {
        return None;
    }
    let mut is_html = false;
    let mut at = 0;
    while let Some(open) = text[at..].iter().position(|&byte| byte == b'<').map(|open| at + open) {
        if !is_html && !text[at..open].iter().all(u8::is_ascii_whitespace) {
            return None;
        }
        let tag = &text[open..];
        if tag.starts_with(b"<!--") {
            at = open + 4 + find(&text[open + 4..], b"-->")? + 3;
            continue;
        }
        let end = open + tag.iter().position(|&byte| byte == b'>')?;
        is_html |= ["<!doctype html", "<html", "<head", "<meta"].iter().any(|name| is_tag(tag, name));
        if !is_html && !tag.starts_with(b"<?") {
            return None;
        }
        if is_tag(tag, "<meta")
            && let Some(found) = meta(text, open + 5..end)
        {
            return Some(found);
        }
        at = end + 1;
    }
    None
}

/// Whether a tag has exactly this name. `name` begins with `<`.
fn is_tag(tag: &[u8], name: &str) -> bool {
    let begins = tag.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name.as_bytes()));
    begins
        && tag.get(name.len()).is_some_and(|byte| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/'))
}

/// The label in the attributes of a `meta` element.
fn meta(text: &[u8], range: Range<usize>) -> Option<Range<usize>> {
    if let Some(found) = attribute(text, range.clone(), b"charset") {
        return Some(found);
    }
    let kind = attribute(text, range.clone(), b"http-equiv")?;
    if !text[kind].eq_ignore_ascii_case(b"content-type") {
        return None;
    }
    let content = value(text, range, b"content")?;
    let start = content.start + find(&text[content.clone()], b"charset")? + b"charset".len();
    after_equals(text, start..content.end)
}

/// The label that is the whole value of an attribute.
fn attribute(text: &[u8], range: Range<usize>, name: &[u8]) -> Option<Range<usize>> {
    let value = value(text, range, name)?;
    let value = trimmed(text, value);
    label(&text[..value.end], value.start).filter(|found| found.end == value.end)
}

/// The value of an attribute, without its quotes.
fn value(text: &[u8], range: Range<usize>, name: &[u8]) -> Option<Range<usize>> {
    let mut at = range.start;
    while at < range.end {
        let begin = at + text[at..range.end].iter().position(|&byte| !is_between(byte))?;
        let end = text[begin..range.end]
            .iter()
            .position(|&byte| byte == b'=' || is_between(byte))
            .map_or(range.end, |len| begin + len);
        let is_it = text[begin..end].eq_ignore_ascii_case(name);
        let equals = skip_space(text, end..range.end);
        if end == begin || text.get(equals) != Some(&b'=') || equals >= range.end {
            at = end.max(begin + 1);
            continue;
        }
        let start = skip_space(text, equals + 1..range.end);
        let rest = &text[start.min(range.end)..range.end];
        let found = match rest.first() {
            Some(&quote @ (b'"' | b'\'')) => {
                let len = rest[1..].iter().position(|&byte| byte == quote)?;
                start + 1..start + 1 + len
            }
            _ => start..start + rest.iter().take_while(|byte| !byte.is_ascii_whitespace()).count(),
        };
        if is_it {
            return Some(found);
        }
        at = found.end + 1;
    }
    None
}

/// The label after `=`, with or without quotes.
fn after_equals(text: &[u8], range: Range<usize>) -> Option<Range<usize>> {
    let equals = skip_space(text, range.clone());
    if text.get(equals) != Some(&b'=') {
        return None;
    }
    let mut start = skip_space(text, equals + 1..range.end);
    if matches!(text.get(start), Some(b'"' | b'\'')) {
        start += 1;
    }
    label(&text[..range.end], start.min(range.end))
}

fn is_between(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == b'/'
}

fn skip_space(text: &[u8], range: Range<usize>) -> usize {
    range.start + text[range].iter().take_while(|byte| byte.is_ascii_whitespace()).count()
}

fn trimmed(text: &[u8], range: Range<usize>) -> Range<usize> {
    let start = skip_space(text, range.clone());
    let end = text[start..range.end].iter().rposition(|byte| !byte.is_ascii_whitespace());
    start..end.map_or(start, |last| start + last + 1)
}
