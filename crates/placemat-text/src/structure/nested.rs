//! Values in dumps that a server reads by a second grammar, in which a backslash escapes too: arrays, composite values and ranges of
//! PostgreSQL (`{"a\\b"}`, `(1,"a\\b")`), hstore (`"a"=>"b"`) and JSON. Such a value can hold others.

/// The values that are told apart, one in the other.
const DEEPEST: usize = 4;

#[derive(Clone, Copy, Default)]
struct Level {
    /// The byte that opens the value, or 0 if it is plain text; `None` before its first byte.
    opener: Option<u8>,
    is_quoted: bool,
    /// Whether a quote was just closed. Another one is then a quote in the text.
    has_closed: bool,
    is_escaped: bool,
}

/// Reads a value, to find how many times a backslash is unescaped in it.
pub(super) struct Nested {
    openers: &'static [u8],
    levels: [Level; DEEPEST],
    at: usize,
}

impl Nested {
    /// Begins to read values that these bytes open.
    pub(super) fn new(openers: &'static [u8]) -> Nested {
        Nested { openers, levels: [Level::default(); DEEPEST], at: 0 }
    }

    /// Whether `value` may be such a value. `is_cut`: its end is not known.
    pub(super) fn is_opened(openers: &[u8], value: &[u8], is_cut: bool) -> bool {
        let value = value.trim_ascii();
        let ends = matches!(value, [.., b'}' | b']' | b')' | b'"']) || value.ends_with(b"=>NULL");
        value.first().is_some_and(|first| openers.contains(first)) && (is_cut || ends)
    }

    /// The number of backslashes that are one backslash at this offset in the value, which is not before that of the last call.
    pub(super) fn backslashes(&mut self, value: &[u8], at: usize) -> usize {
        for &byte in &value[self.at..at] {
            self.byte(byte);
        }
        self.at = at;
        1 << self.levels.iter().take_while(|level| level.opener.is_some_and(|byte| byte != 0)).count()
    }

    /// Reads a byte on each level that gets it.
    fn byte(&mut self, byte: u8) {
        for depth in 0..DEEPEST {
            let level = &mut self.levels[depth];
            let Some(opener) = level.opener else {
                if !byte.is_ascii_whitespace() {
                    level.opener = Some(if self.openers.contains(&byte) { byte } else { 0 });
                    level.is_quoted = byte == b'"';
                }
                return;
            };
            let has_closed = std::mem::take(&mut level.has_closed);
            match byte {
                _ if opener == 0 => return,
                _ if std::mem::take(&mut level.is_escaped) => {}
                b'\\' => {
                    level.is_escaped = true;
                    return;
                }
                b'"' => {
                    level.has_closed = level.is_quoted;
                    level.is_quoted = !level.is_quoted;
                    if !has_closed {
                        if level.is_quoted {
                            self.levels[depth + 1..].fill(Level::default());
                        }
                        return;
                    }
                }
                b'{' | b'[' | b'(' | b',' if !level.is_quoted => {
                    self.levels[depth + 1..].fill(Level::default());
                    // Arrays and JSON hold others of their kind without a level more; composite values need no quotes for them.
                    if byte == b',' || (opener == b'(') == (byte == b'(') {
                        return;
                    }
                }
                _ => {}
            }
        }
    }
}

#[test]
fn backslashes_are_doubled_for_each_grammar() {
    for (value, expected) in [
        ("plain @", 1),
        ("{plain @", 2),
        ("{a,\"x, @", 2),
        ("{\"a\\\"@", 2),
        ("{{a,b},{c,@", 2),
        ("{\"\",@", 2),
        ("{\"a\": {\"b\": [\"c\", \"@", 2),
        ("{\"a\": \"{\\\"b\\\": \\\"@", 4),
        ("{\"(1,@", 4),
        ("{\"(1,\\\"(2,\\\"\\\"@", 8),
        ("{(@", 4),
        ("(1,{@", 4),
        ("(1,\"{\"\"a\"\",\"\"@", 4),
        ("(1,\"\"\"@", 4),
        ("(1,\" a @", 2),
        ("[a@", 2),
        ("\"k\"=>\"@", 2),
        ("\"k\"=>\"{\\\"a\\\": \\\"@", 4),
    ] {
        let at = value.find('@').unwrap();
        assert_eq!(Nested::new(b"{[(\"").backslashes(value.as_bytes(), at), expected, "{value}");
    }
}
