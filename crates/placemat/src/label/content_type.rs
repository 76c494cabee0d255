//! The `charset` of a Content-Type value (RFC 9110 section 8.3, WHATWG MIME Sniffing section 4.4) and of an HTML `meta`
//! element.

#![forbid(unsafe_code)]

use core::fmt;
use core::ops::Deref;

use super::is_white_space;

/// The text of a `charset` parameter, unquoted: a label to [resolve](super::Labels::resolve_untrusted).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Charset {
    text: [u8; Charset::ROOM],
    len: u8,
}

impl Charset {
    /// The most bytes of a charset. Longer text is no label.
    const ROOM: usize = 64;

    fn of(text: impl Iterator<Item = char>) -> Option<Charset> {
        let mut charset = Charset { text: [0; Charset::ROOM], len: 0 };
        for c in text {
            let room = charset.text.get_mut(usize::from(charset.len)..)?;
            charset.len += c.encode_utf8(room.get_mut(..c.len_utf8())?).len() as u8;
        }
        (charset.len > 0).then_some(charset)
    }

    /// The label.
    ///
    /// ```
    /// assert_eq!(placemat::label::charset_of("text/html; charset=GBK").unwrap().as_str(), "GBK");
    /// ```
    #[must_use]
    pub fn as_str(&self) -> &str {
        core::str::from_utf8(&self.text[..usize::from(self.len)]).unwrap_or_default()
    }
}

impl AsRef<str> for Charset {
    fn as_ref(&self) -> &str {
        self
    }
}

impl PartialEq<str> for Charset {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for Charset {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl Deref for Charset {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl fmt::Debug for Charset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl fmt::Display for Charset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Returns the `charset` parameter of a Content-Type value: the first one that has a value, even if that is no label; `None` if the
/// value is an empty string in quotes. Names are compared without case; a quoted value is unquoted. Linear.
///
/// ```
/// use placemat::label::charset_of;
/// assert_eq!(charset_of("text/html; Charset=UTF-8").as_deref(), Some("UTF-8"));
/// assert_eq!(charset_of(r#"text/plain;x="a;charset=b";charset="utf\-8""#).as_deref(), Some("utf-8"));
/// assert_eq!(charset_of("text/html"), None);
/// assert_eq!(charset_of(r#"text/html; charset=""; charset=utf-7"#), None);
/// ```
#[must_use]
pub fn charset_of(content_type: &str) -> Option<Charset> {
    let (_type, mut rest) = content_type.split_once(';')?;
    loop {
        let (parameter, value) = rest.split_at(rest.find([';', '=']).unwrap_or(rest.len()));
        let is_charset = parameter.trim_start_matches(is_white_space).eq_ignore_ascii_case("charset");
        let Some(value) = value.strip_prefix('=') else {
            rest = value.strip_prefix(';')?;
            continue;
        };
        let end = end_of_value(value);
        let word = value[..end].trim_matches(is_white_space);
        if is_charset && !word.is_empty() {
            return match value.strip_prefix('"') {
                Some(quoted) => Charset::of(Unquoted(quoted.chars())),
                None => Charset::of(word.chars()),
            };
        }
        rest = value[end..].strip_prefix(';')?;
    }
}

/// Returns where the value of a parameter ends: at the next semicolon that is not quoted.
fn end_of_value(value: &str) -> usize {
    let after_quotes = match value.strip_prefix('"') {
        Some(quoted) => {
            let mut unquoted = Unquoted(quoted.chars());
            while unquoted.next().is_some() {}
            value.len() - unquoted.0.as_str().len()
        }
        None => 0,
    };
    value[after_quotes..].find(';').map_or(value.len(), |at| after_quotes + at)
}

/// The characters of a quoted string (RFC 9110 section 5.6.4) behind its opening quote.
struct Unquoted<'a>(core::str::Chars<'a>);

impl Iterator for Unquoted<'_> {
    type Item = char;

    /// Returns `None` at the closing quote, which it consumes.
    fn next(&mut self) -> Option<char> {
        match self.0.next()? {
            '"' => None,
            '\\' => self.0.next().or(Some('\\')),
            c => Some(c),
        }
    }
}

/// Returns the charset in the `content` of an HTML `meta http-equiv=Content-Type`, as browsers extract it: the first `charset`,
/// white space, `=`, white space, and a word or a string in single or double quotes. Linear.
///
/// ```
/// use placemat::label::charset_of_meta;
/// assert_eq!(charset_of_meta("text/html; charset = 'koi8-r'").as_deref(), Some("koi8-r"));
/// assert_eq!(charset_of_meta("text/html; charset='koi8-r"), None);
/// ```
#[must_use]
pub fn charset_of_meta(content: &str) -> Option<Charset> {
    const WORD: &str = "charset";
    let mut at = 0;
    let value = loop {
        at += content.as_bytes()[at..]
            .windows(WORD.len())
            .position(|w| w.eq_ignore_ascii_case(WORD.as_bytes()))?;
        at += WORD.len();
        let rest = content[at..].trim_start_matches(is_white_space);
        if let Some(value) = rest.strip_prefix('=') {
            break value.trim_start_matches(is_white_space);
        }
        at = content.len() - rest.len();
    };
    let label = match value.chars().next()? {
        quote @ ('"' | '\'') => value[1..].split_once(quote)?.0,
        _ => value.split([';', '\t', '\n', '\x0C', '\r', ' ']).next()?,
    };
    Charset::of(label.chars())
}
