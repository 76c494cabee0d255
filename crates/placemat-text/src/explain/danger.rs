//! Attacks that decoders without checks make possible: one sentence each, with a known case.

use placemat::{CodePoint, Form};

/// Why it is dangerous if a decoder reads a fault of `form` as this character.
pub(crate) fn of(form: Form, value: CodePoint) -> Option<&'static str> {
    let ascii = u8::try_from(value.value()).ok().filter(u8::is_ascii);
    Some(match ascii {
        Some(0) => {
            "a check for the byte 00 passes, and the decoded NUL then ends the string: what follows is never checked"
        }
        Some(b'/' | b'\\') => {
            "a check for “../” does not see it and the file system does: so URLs left their folder in IIS 4 and 5 \
             (MS00-078, CVE-2000-0884)"
        }
        Some(b'.') => {
            "a check for “..” does not see it and the file system does (Apache Tomcat, CVE-2008-2938; RFC 2279 warns of \
             2F C0 AE 2E 2F)"
        }
        Some(b'<' | b'>' | b'&' | b'"' | b'\'') => {
            "a filter for markup does not see it and the browser does: a script gets in"
        }
        Some(b'\n' | b'\r') => {
            "a filter does not see the line end and the reader does: a header or a log line is forged"
        }
        Some(_) => "one character with two spellings: a filter compares bytes, a reader characters",
        None if value.is_surrogate() => {
            "half a pair: harmless to this decoder, but the next one may meet the other half and join them"
        }
        None if value.value() > 0x10_FFFF => {
            "no such code point: tables indexed by it are read past their end, and UTF-16 cannot hold it"
        }
        None if form.carries(value) => {
            "one character with two spellings: a filter compares bytes, a reader characters"
        }
        None => return None,
    })
}

/// For a surrogate pair of three bytes for each half.
pub(crate) const PAIR: &str = "one character with two spellings: lengths and comparisons differ between the systems that take one or the other";

/// For a lead byte after which a decoder takes ASCII as a continuation.
pub(crate) const SWALLOWED: &str =
    "the filter saw the character that it took, the reader does not: a quote or a bracket stays open";

/// Like [`SWALLOWED`], if no ASCII is lost.
pub(crate) const SWALLOWED_OTHER: &str =
    "the bytes that it took began another sequence: every decoder that checks sees other text";

/// For a sequence that the end of the input cuts off: what a decoder reads, and why that is dangerous.
pub(crate) const READ_ON: (&str, &str) = (
    "whatever is after the end of the buffer, as the missing bytes",
    "a read past the end: what is next to the text in memory leaks, or the program crashes",
);

/// For a stray continuation byte, which many programs leave out.
pub(crate) const DELETED: (&str, &str) = (
    "a character of Latin-1, or nothing at all",
    "leaving it out joins what a filter kept apart: “<sc”, 80, “ript>” becomes a script",
);

/// For a lone surrogate in UTF-16 or UTF-32.
pub(crate) const PASSED: (&str, &str) = (
    "a surrogate, as if it were a character",
    "its own output is malformed: another program cannot open the text",
);
