//! The result of each policy for the bytes, and of browsers, Java, Python, Go and glibc.

#![forbid(unsafe_code)]

use placemat::boundary::announced_length;
use placemat::{Error, ErrorKind, Form, Policy, Transcoder, convert_with};
use serde::Serialize;

/// The number of bytes that are read; reading more would make no visible difference.
const MOST: usize = 4096;

/// One reader.
#[derive(Debug, Serialize)]
pub(crate) struct Reading {
    /// `Browsers`, or `replace`.
    who: &'static str,
    /// The code that reads, or a description of the policy.
    how: &'static str,
    /// The text, with U+FFFD, `\xhh` or nothing for malformed bytes; absent if the reader stops.
    text: Option<String>,
    /// The error that it raises.
    says: Option<String>,
}

/// The results of programs and of policies.
#[derive(Serialize)]
pub(crate) struct Readers {
    programs: Vec<Reading>,
    policies: Vec<Reading>,
    cut: bool,
}

pub(crate) fn all(bytes: &[u8]) -> Readers {
    let (bytes, cut) = (&bytes[..bytes.len().min(MOST)], bytes.len() > MOST);
    let policies = Policy::ALL.iter().map(|&(who, policy)| {
        let text = with(policy, bytes);
        let says = if text.is_none() { first_error(bytes).map(|error| stopped(&error)) } else { None };
        Reading { who, how: means(who), text, says }
    });
    Readers { programs: programs(bytes), policies: policies.collect(), cut }
}

fn means(policy: &str) -> &'static str {
    match policy {
        "stop" => "reports the first error",
        "replace" => "U+FFFD for each maximal subpart",
        "replace-byte" => "U+FFFD for each byte",
        "replace-sequence" => "U+FFFD for each sequence as announced",
        "replace-run" => "U+FFFD for each run of errors",
        "skip" => "leaves errors out: unsafe behind a filter",
        "latin1" => "each byte as ISO-8859-1",
        "cp1252" => "each byte as windows-1252",
        "cp1252-strict" => "as windows-1252, U+FFFD for its gaps",
        "surrogateescape" => "U+DC80 and up (PEP 383)",
        "optu" => "U+EF80 and up (MirBSD)",
        "escape" => "\\xhh as text",
        _ => "",
    }
}

/// Returns the text under a policy, with surrogates as the text `\udc80`.
fn with(policy: Policy, bytes: &[u8]) -> Option<String> {
    let surrogates = policy == Policy::SurrogateEscape;
    let target = if surrogates { Form::Utf8Surrogates } else { Form::Utf8 };
    let text = convert_with(Transcoder::new(Form::Utf8, target).on_error(policy), bytes).ok()?;
    let mut shown = String::new();
    for sequence in placemat::sequences(target, &text) {
        match sequence.code_point() {
            Ok(c) => match c.to_char() {
                Some(c) => shown.push(c),
                None => shown.push_str(&format!("\\u{:04x}", c.value())),
            },
            Err(_) => shown.push(char::REPLACEMENT_CHARACTER),
        }
    }
    Some(shown)
}

fn first_error(bytes: &[u8]) -> Option<Error> {
    placemat::errors(Form::Utf8, bytes).next()
}

fn stopped(error: &Error) -> String {
    format!("{} at byte {}", error.kind(), error.offset())
}

fn programs(bytes: &[u8]) -> Vec<Reading> {
    let error = first_error(bytes);
    let lossy = |bytes: &[u8]| with(Policy::Replace, bytes);
    let unmarked = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let strict = |who, how, text: Option<String>, says: Option<String>| Reading {
        who,
        how,
        text: if says.is_none() { text } else { None },
        says,
    };
    let mut all = vec![
        Reading {
            who: "Browsers",
            how: "new TextDecoder().decode(bytes)",
            text: lossy(unmarked),
            says: None,
        },
        strict(
            "Browsers",
            "new TextDecoder('utf-8', {fatal: true})",
            lossy(unmarked),
            error.map(|_| "TypeError: the encoded data was not valid".to_owned()),
        ),
        Reading { who: "Java", how: "new String(bytes, UTF_8)", text: lossy(&as_java(bytes)), says: None },
        Reading { who: "Python", how: "bytes.decode('utf-8', 'replace')", text: lossy(bytes), says: None },
        strict("Python", "bytes.decode('utf-8')", lossy(bytes), error.map(|error| as_python(bytes, &error))),
        Reading { who: "Go", how: "for _, r := range s", text: with(Policy::ReplaceByte, bytes), says: None },
        Reading {
            who: "Go",
            how: "strings.ToValidUTF8(s, \"\u{FFFD}\")",
            text: with(Policy::ReplaceRun, bytes),
            says: None,
        },
    ];
    // glibc accepts values up to 1FFFFF, which are not characters and cannot be shown.
    if !beyond_unicode(bytes) {
        let says = error.map(|error| as_glibc(bytes, &error));
        all.push(strict("glibc", "iconv -f UTF-8 -t UTF-8", lossy(bytes), says));
        let text = with(Policy::Skip, bytes);
        all.push(Reading { who: "glibc", how: "iconv -c -f UTF-8 -t UTF-8", text, says: None });
    }
    all
}

fn beyond_unicode(bytes: &[u8]) -> bool {
    bytes.windows(2).any(|pair| pair[0] == 0xF4 && pair[1] >= 0x90) || bytes.iter().any(|&byte| byte > 0xF4)
}

/// Java counts the three bytes of a surrogate (or two, if the third is missing) as one error. They are replaced by a byte that
/// is one error here.
fn as_java(bytes: &[u8]) -> Vec<u8> {
    let is_tail = |byte: Option<&u8>| byte.is_some_and(|byte| byte & 0xC0 == 0x80);
    let (mut out, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while let Some(&byte) = bytes.get(at) {
        if byte == 0xED && bytes.get(at + 1).is_some_and(|next| (0xA0..=0xBF).contains(next)) {
            out.push(0xFF);
            at += 2 + usize::from(is_tail(bytes.get(at + 2)));
        } else {
            out.push(byte);
            at += 1;
        }
    }
    out
}

/// The error message of Python.
fn as_python(bytes: &[u8], error: &Error) -> String {
    let start = error.offset() as usize;
    let length = usize::from(error.length()).max(1);
    let (first, last) = (bytes[start], start + length - 1);
    let what = match error.kind() {
        ErrorKind::Truncated => "unexpected end of data",
        _ if (0x80..0xC2).contains(&first) || first > 0xF4 => "invalid start byte",
        _ => "invalid continuation byte",
    };
    let place = match length {
        1 => format!("byte 0x{first:02x} in position {start}"),
        _ => format!("bytes in position {start}-{last}"),
    };
    format!("UnicodeDecodeError: 'utf-8' codec can't decode {place}: {what}")
}

/// The error message of the program `iconv`.
fn as_glibc(bytes: &[u8], error: &Error) -> String {
    let start = error.offset() as usize;
    // It uses the length that a lead byte announces, also for lead bytes that are never valid.
    let rest = &bytes[start + 1..];
    let is_cut =
        announced_length(bytes[start]) > 1 + rest.len() && rest.iter().all(|byte| byte & 0xC0 == 0x80);
    match is_cut {
        true => "iconv: incomplete character or shift sequence at end of buffer".to_owned(),
        false => format!("iconv: illegal input sequence at position {start}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(who: &str, nth: usize, bytes: &[u8]) -> (Option<String>, Option<String>) {
        let found = programs(bytes).into_iter().filter(|reading| reading.who == who).nth(nth).unwrap();
        (found.text, found.says)
    }

    fn text(who: &str, nth: usize, bytes: &[u8]) -> String {
        of(who, nth, bytes).0.unwrap()
    }

    #[test]
    fn programs_differ_where_they_differ() {
        let surrogate = b"a\xED\xA0\x80b";
        assert_eq!(text("Browsers", 0, surrogate), "a\u{FFFD}\u{FFFD}\u{FFFD}b");
        assert_eq!(text("Java", 0, surrogate), "a\u{FFFD}b");
        assert_eq!(text("Go", 1, surrogate), "a\u{FFFD}b");
        assert_eq!(text("glibc", 1, surrogate), "ab");
        assert_eq!(text("Browsers", 0, b"\xEF\xBB\xBFa"), "a");
        assert_eq!(text("Python", 0, b"\xEF\xBB\xBFa"), "\u{FEFF}a");
        assert_eq!(text("Go", 0, b"\xE2\x82"), "\u{FFFD}\u{FFFD}");
        assert_eq!(text("Python", 0, b"\xE2\x82"), "\u{FFFD}");
    }

    #[test]
    fn errors_are_said_as_each_program_says_them() {
        let says = |who, bytes| of(who, 1, bytes).1.unwrap();
        let python = |rest: &str| format!("UnicodeDecodeError: 'utf-8' codec can't decode {rest}");
        assert_eq!(says("Python", b"caf\xE9"), python("byte 0xe9 in position 3: unexpected end of data"));
        assert_eq!(says("Python", b"caf\xE9!"), python("byte 0xe9 in position 3: invalid continuation byte"));
        assert_eq!(says("Python", b"\xFF"), python("byte 0xff in position 0: invalid start byte"));
        assert_eq!(says("Python", b"\xF0\x9F\x98"), python("bytes in position 0-2: unexpected end of data"));
        let glibc = of("glibc", 0, b"caf\xE9!").1.unwrap();
        assert_eq!(glibc, "iconv: illegal input sequence at position 3");
        assert!(of("glibc", 0, b"caf\xE9").1.unwrap().contains("incomplete"));
    }

    #[test]
    fn well_formed_text_is_the_same_to_all() {
        let all = all("naïve €😀".as_bytes());
        assert!(
            all.programs
                .iter()
                .chain(&all.policies)
                .all(|r| r.text.as_deref() == Some("naïve €😀") && r.says.is_none())
        );
        assert!(all.policies.iter().all(|policy| !policy.how.is_empty()));
    }
}
