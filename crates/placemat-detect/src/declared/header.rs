//! Declarations in the headers of catalogues of messages and of mail.
#![forbid(unsafe_code)]

use core::ops::Range;

use super::{begins, find, label};

/// The lines of a text without trailing white space, each with its start.
pub(super) fn lines(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut at = 0;
    super::lines(text).map(move |line| {
        let start = at;
        at += line.len();
        (start, line.trim_ascii_end())
    })
}

/// The label in the header of a message catalogue. The header is the translation of the empty message, the first one.
pub(super) fn catalogue(text: &[u8]) -> Option<Range<usize>> {
    if !text.first().is_some_and(|byte| byte.is_ascii_whitespace() || matches!(byte, b'#' | b'm')) {
        return None;
    }
    let mut lines = lines(text).skip_while(|(_, line)| line.is_empty() || line.starts_with(b"#"));
    let (_, first) = lines.next()?;
    let (_, second) = lines.next()?;
    if first != b"msgid \"\"" || !second.starts_with(b"msgstr \"") {
        return None;
    }
    let fields = lines.take_while(|(_, line)| line.starts_with(b"\""));
    let (start, line) = fields.into_iter().find(|(_, line)| begins(line, b"\"content-type:"))?;
    after_charset(text, start..start + line.len())
}

/// The label of a mail that is one text: it is not in base64 or quoted-printable, and not part of a mailbox.
pub(super) fn mail(text: &[u8]) -> Option<Range<usize>> {
    if !is_field(text) {
        return None;
    }
    let mut content_type = None;
    let (mut is_mime, mut is_plain) = (false, true);
    let mut field: Range<usize> = 0..0;
    for (index, (start, line)) in lines(text).enumerate() {
        let continues = index > 0 && matches!(line.first(), Some(b' ' | b'\t'));
        if continues {
            field.end = start + line.len();
        } else {
            field = start..start + line.len();
        }
        if line.is_empty() {
            break;
        }
        if !continues && !is_field(line) {
            return None;
        }
        let whole = &text[field.clone()];
        is_mime |= begins(whole, b"mime-version:");
        if begins(whole, b"content-type:") {
            content_type = Some(field.clone());
        }
        if begins(whole, b"content-transfer-encoding:") {
            is_plain = find(whole, b"base64").or(find(whole, b"quoted-printable")).is_none();
        }
    }
    let found = content_type.filter(|_| is_mime && is_plain)?;
    let kind = text[found.start + b"content-type:".len()..found.end].trim_ascii_start();
    if find(kind, b"text/") != Some(0) {
        return None;
    }
    after_charset(text, found)
}

/// Whether the first line is `Name: value`.
fn is_field(line: &[u8]) -> bool {
    let name = line.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'-').count();
    name > 0 && line.get(name) == Some(&b':')
}

fn after_charset(text: &[u8], field: Range<usize>) -> Option<Range<usize>> {
    let start = field.start + find(&text[field.clone()], b"charset=")? + b"charset=".len();
    let start = if text.get(start) == Some(&b'"') { start + 1 } else { start };
    label(&text[..field.end], start.min(field.end))
}
