//! JSON Lines: one field of each line is a text.
//!
//! Strings are read as bytes, so malformed text in them is counted and does not make the line invalid. A single escaped
//! surrogate (`\ud83d`) is read as the three bytes that UTF-8 would have for it, which are malformed.

use std::fmt;
use std::io::{self, BufRead};

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};

/// The longest line that is read, in bytes; a longer one counts as broken.
pub const LONGEST_LINE: usize = 16 << 20;

/// A key, or several keys joined by dots, each inside the value of the key before.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field<'a>(&'a str);

/// The number of lines, and of those without a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    /// All lines except empty ones.
    pub read: u64,
    /// Lines that are not JSON, or longer than [`LONGEST_LINE`].
    pub broken: u64,
    /// Lines of JSON without the field, or whose field is not a string.
    pub without: u64,
}

/// Gives the string in a field of each line of JSON to `take`, as bytes. `field` is a key, or several keys joined by
/// dots, each inside the value of the key before. The memory is that of one line.
///
/// # Errors
/// Those of reading.
///
/// ```
/// use placemat_text::survey::each_field;
///
/// let mut texts = Vec::new();
/// let lines = each_field(&mut &b"{\"a\":{\"b\":\"x\"}}\n{}\n"[..], "a.b", &mut |text| texts.push(text.to_vec())).unwrap();
/// assert_eq!(texts, [b"x"]);
/// assert_eq!((lines.read, lines.without), (2, 1));
/// ```
pub fn each_field(source: &mut dyn BufRead, field: &str, take: &mut dyn FnMut(&[u8])) -> io::Result<Lines> {
    let mut lines = Lines::default();
    let mut line = Vec::new();
    while let Some(is_whole) = next_line(source, &mut line)? {
        let text = if lines.read == 0 { placemat::bom::strip(&line) } else { &line[..] };
        if is_whole && text.trim_ascii().is_empty() {
            continue;
        }
        lines.read += 1;
        match Field(field).of(text) {
            Ok(Some(text)) if is_whole => take(&text),
            Ok(None) if is_whole => lines.without += 1,
            _ => lines.broken += 1,
        }
    }
    Ok(lines)
}

/// Reads the next line. Returns `false` if it is too long to be kept, and `None` at the end.
fn next_line(source: &mut dyn BufRead, line: &mut Vec<u8>) -> io::Result<Option<bool>> {
    line.clear();
    let (mut has_begun, mut is_whole) = (false, true);
    loop {
        let block = match source.fill_buf() {
            Ok(block) => block,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if block.is_empty() {
            return Ok(has_begun.then_some(is_whole));
        }
        has_begun = true;
        let end = memchr::memchr(b'\n', block);
        let part = &block[..end.unwrap_or(block.len())];
        if line.len() + part.len() <= LONGEST_LINE {
            line.extend_from_slice(part);
        } else {
            is_whole = false;
            line.clear();
        }
        let used = end.map_or(block.len(), |end| end + 1);
        source.consume(used);
        if end.is_some() {
            return Ok(Some(is_whole));
        }
    }
}

impl Field<'_> {
    /// Returns the string in the field, if there is one. Keys may contain dots: the longest first key that exists is used.
    fn of(self, line: &[u8]) -> serde_json::Result<Option<Vec<u8>>> {
        let dots = self.0.matches('.').count();
        // Each way to split the field into keys is tried separately, so that an error in one does not hide another.
        let found = (0..=dots).find_map(|keys| Way(self.0, keys).text(line).ok().flatten());
        // If there is no string, check that the whole line is JSON.
        found.map_or_else(|| serde_json::from_slice::<IgnoredAny>(line).map(|_| None), |text| Ok(Some(text)))
    }
}

/// A path of keys: the first ones, this many, end at a dot; the rest of the text is the last key.
#[derive(Clone, Copy, Debug)]
struct Way<'a>(&'a str, usize);

impl Way<'_> {
    fn text(self, line: &[u8]) -> serde_json::Result<Option<Vec<u8>>> {
        let mut json = serde_json::Deserializer::from_slice(line);
        let text = self.deserialize(&mut json)?;
        json.end().map(|()| text)
    }
}

impl<'de> DeserializeSeed<'de> for Way<'_> {
    type Value = Option<Vec<u8>>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Way<'_> {
    type Value = Option<Vec<u8>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let within = self.1.checked_sub(1).and_then(|keys| Some((self.0.split_once('.')?, keys)));
        let mut text = None;
        while let Some(key) = map.next_key_seed(Bytes)? {
            match within {
                None if key == self.0.as_bytes() => text = Some(map.next_value_seed(Bytes)?),
                Some(((head, rest), keys)) if key == head.as_bytes() => {
                    text = map.next_value_seed(Way(rest, keys))?;
                }
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(text)
    }
}

/// Reads a string as bytes, well-formed or not.
struct Bytes;

impl<'de> DeserializeSeed<'de> for Bytes {
    type Value = Vec<u8>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Vec<u8>, D::Error> {
        deserializer.deserialize_bytes(self)
    }
}

impl Visitor<'_> for Bytes {
    type Value = Vec<u8>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
        Ok(bytes.to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(input: &[u8], field: &str) -> (Vec<Vec<u8>>, Lines) {
        let mut texts = Vec::new();
        let lines = each_field(&mut &input[..], field, &mut |text| texts.push(text.to_vec())).unwrap();
        (texts, lines)
    }

    #[test]
    fn a_field_is_found_by_its_key_or_its_path() {
        let input = b"{\"id\":[1,{}],\"a\":{\"b\":\"one\",\"c\":\"no\"}}\n\n{\"a.b\":\"two\",\"a\":{\"b\":\"no\"}}\r\n{\"a\":{\"b\":\"3\"}}";
        let (found, lines) = texts(input, "a.b");
        assert_eq!(found, [&b"one"[..], b"two", b"3"]);
        assert_eq!(lines, Lines { read: 3, broken: 0, without: 0 });
    }

    #[test]
    fn what_stands_on_one_way_does_not_end_another() {
        for line in [
            r#"{"a":null,"a.b":"two"}"#,
            r#"{"a":"x","a.b":"two"}"#,
            r#"{"a.b":null,"a":{"b":"two"}}"#,
            r#"{"a":{"b":"two"},"a.b":null}"#,
            r#"{"a":{"b":{}},"a.b":"two"}"#,
        ] {
            assert_eq!(texts(line.as_bytes(), "a.b").0, [b"two"], "{line}");
        }
        assert_eq!(texts(br#"{"a.b":7,"a":{"b.c":"no","b":{"c":"no"}},"a.b.c":"yes"}"#, "a.b.c").0, [b"yes"]);
        assert_eq!(texts(br#"{"a":{"b.c":7,"b":{"c":"yes"}}}"#, "a.b.c").0, [b"yes"]);
    }

    #[test]
    fn a_line_with_something_else_in_the_field_is_json_whatever_its_strings_hold() {
        let lines = b"{\"a\":\"\xFF\"}\n{\"a\":\"x\\ud83d\"}\n\"\xFF\"\n{\"z\":\"\xFF\"}\n";
        let (found, lines) = texts(lines, "a.b");
        assert!(found.is_empty());
        assert_eq!(lines, Lines { read: 4, broken: 0, without: 4 });
    }

    #[test]
    fn what_is_malformed_in_a_string_is_kept() {
        let (found, lines) = texts(b"{\"t\":\"caf\xE9\"}\n{\"t\":\"\\ud83d\\u00e9\"}\n", "t");
        assert_eq!(found, [&b"caf\xE9"[..], b"\xED\xA0\xBD\xC3\xA9"]);
        assert_eq!(lines.broken, 0);
    }

    #[test]
    fn broken_lines_and_other_values_are_told_apart() {
        let input = b"{\"t\":null}\n{\"t\":\n[1]\n{\"t\":\"a\"}}\n{\"u\":\"t\"}\n{\"t\":7,\n\"t\"\n";
        let (found, lines) = texts(input, "t");
        assert!(found.is_empty());
        assert_eq!(lines, Lines { read: 7, broken: 3, without: 4 });
    }

    #[test]
    fn a_line_without_end_is_broken_and_takes_no_room() {
        let mut input = b"{\"t\":\"".to_vec();
        input.resize(LONGEST_LINE + 10, b'a');
        input.extend_from_slice(b"\"}\n{\"t\":\"b\"}");
        let (found, lines) = texts(&input, "t");
        assert_eq!(found, [b"b"]);
        assert_eq!(lines, Lines { read: 2, broken: 1, without: 0 });
    }
}
