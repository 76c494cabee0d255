//! Splits Rust text into words and signs, without comments, strings and code for tests.

/// A word (name, keyword or number) or one sign, and its line from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'t> {
    pub(super) text: &'t str,
    pub(super) line: usize,
}

/// Words that begin an item. Anything else (a field, a variant, an arm) may end with a comma.
const ITEMS: [&str; 15] = [
    "pub",
    "fn",
    "mod",
    "use",
    "impl",
    "struct",
    "enum",
    "union",
    "trait",
    "const",
    "static",
    "type",
    "unsafe",
    "extern",
    "macro_rules",
];

/// The tokens of `text` that are compiled without tests, and the names of the modules in files that are for tests.
pub(super) fn code(text: &str) -> (Vec<Token<'_>>, Vec<&str>) {
    let all = tokens(text);
    let (mut kept, mut test_modules, mut at) = (Vec::new(), Vec::new(), 0);
    while at < all.len() {
        let end = attribute(&all, at);
        let inner = usize::from(is(&all, at + 1, "!"));
        if end == at {
            kept.push(all[at]);
            at += 1;
        } else if !is_for_tests(&all[at + 1 + inner..end]) {
            // Paths in attributes name items too, such as `#[derive(crate::x::Y)]`.
            kept.extend(&all[at..end]);
            at = end;
        } else if inner == 1 {
            return (Vec::new(), test_modules);
        } else {
            let item_end = item(&all, end);
            if let Some(name) = file_module(&all[end..item_end]) {
                test_modules.push(name);
            }
            at = item_end;
        }
    }
    (kept, test_modules)
}

fn is(tokens: &[Token<'_>], at: usize, text: &str) -> bool {
    tokens.get(at).is_some_and(|token| token.text == text)
}

/// The end of the attribute that begins at `at`; `at` where none does.
fn attribute(tokens: &[Token<'_>], at: usize) -> usize {
    let open = at + 1 + usize::from(is(tokens, at + 1, "!"));
    if is(tokens, at, "#") && is(tokens, open, "[") { closed(tokens, open) } else { at }
}

/// The index behind the bracket that closes the one at `open`.
pub(super) fn closed(tokens: &[Token<'_>], open: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    tokens.len()
}

/// `[cfg(test)]`, or `[cfg(all(test, …))]`.
fn is_for_tests(attribute: &[Token<'_>]) -> bool {
    let words: Vec<_> = attribute.iter().map(|token| token.text).collect();
    let is_alone = words == ["[", "cfg", "(", "test", ")", "]"];
    let direct =
        |at: usize| words[at] == "test" && !words[..at].contains(&"not") && !words[..at].contains(&"any");
    is_alone || (words.starts_with(&["[", "cfg", "(", "all", "("]) && (0..words.len()).any(direct))
}

/// The end of the item whose attributes, or whose first word, stand at `start`.
fn item(tokens: &[Token<'_>], start: usize) -> usize {
    let mut at = start;
    while attribute(tokens, at) > at {
        at = attribute(tokens, at);
    }
    let rest = &tokens[at..];
    let ends_with_semicolon = rest
        .iter()
        .take_while(|token| token.text != "{" && token.text != "fn")
        .any(|token| ["use", "static", "type", "let"].contains(&token.text))
        || (is(tokens, at, "const") && !is(tokens, at + 1, "fn"));
    let is_item = rest.first().is_some_and(|token| ITEMS.contains(&token.text));
    while at < tokens.len() {
        match tokens[at].text {
            "{" if !ends_with_semicolon => return closed(tokens, at),
            "(" | "[" | "{" => at = closed(tokens, at),
            ";" => return at + 1,
            "," if !is_item => return at + 1,
            ")" | "]" | "}" => return at,
            _ => at += 1,
        }
    }
    at
}

/// The name in `mod name;`.
fn file_module<'t>(item: &[Token<'t>]) -> Option<&'t str> {
    let at = item.iter().position(|token| token.text == "mod")?;
    is(item, at + 2, ";").then(|| item[at + 1].text)
}

/// Everything but white space, comments, strings and characters.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let bytes = text.as_bytes();
    let (mut found, mut at, mut line) = (Vec::new(), 0, 1);
    while at < bytes.len() {
        let end = match bytes[at] {
            b'/' if text[at..].starts_with("//") => at + text[at..].find('\n').unwrap_or(text.len() - at),
            b'/' if text[at..].starts_with("/*") => block_comment(bytes, at),
            b'"' => string(bytes, at),
            b'\'' => quote(text, at),
            byte if is_of_word(byte) => {
                let end =
                    at + bytes[at..].iter().position(|byte| !is_of_word(*byte)).unwrap_or(text.len() - at);
                let raw = raw_string(bytes, at, end);
                if raw == end {
                    found.push(Token { text: &text[at..end], line });
                }
                raw
            }
            byte if byte.is_ascii_whitespace() => at + 1,
            _ => {
                found.push(Token { text: &text[at..=at], line });
                at + 1
            }
        };
        line += bytes[at..end].iter().filter(|byte| **byte == b'\n').count();
        at = end;
    }
    found
}

fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// The end of the comment at `at`. Comments nest.
fn block_comment(bytes: &[u8], mut at: usize) -> usize {
    let mut depth = 0;
    while at < bytes.len() {
        match &bytes[at..bytes.len().min(at + 2)] {
            b"/*" => (depth, at) = (depth + 1, at + 2),
            b"*/" if depth == 1 => return at + 2,
            b"*/" => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
    }
    at
}

/// The end of the string whose quote stands at `at`.
fn string(bytes: &[u8], at: usize) -> usize {
    let mut end = at + 1;
    while end < bytes.len() && bytes[end] != b'"' {
        end += if bytes[end] == b'\\' { 2 } else { 1 };
    }
    bytes.len().min(end + 1)
}

/// The end of the raw string whose prefix (`r`, `br`, `cr`) ends at `end`; `end` where the word is no such prefix.
fn raw_string(bytes: &[u8], at: usize, end: usize) -> usize {
    if !matches!(&bytes[at..end], b"r" | b"br" | b"cr") {
        return end;
    }
    let hashes = bytes[end..].iter().take_while(|byte| **byte == b'#').count();
    if bytes.get(end + hashes) != Some(&b'"') {
        return end;
    }
    let close = [b"\"", vec![b'#'; hashes].as_slice()].concat();
    let body = end + hashes + 1;
    let length = bytes[body..].windows(close.len()).position(|window| window == close);
    length.map_or(bytes.len(), |length| body + length + close.len())
}

/// The end of the character at `at`, or of the quote of a lifetime or label.
fn quote(text: &str, at: usize) -> usize {
    let mut characters = text[at + 1..].chars();
    match characters.next() {
        // The first quote may itself be escaped: `'\''`.
        Some('\\') => text[at + 3..].find('\'').map_or(text.len(), |length| at + 4 + length),
        Some(first) if characters.next() == Some('\'') => at + 2 + first.len_utf8(),
        _ => at + 1,
    }
}
