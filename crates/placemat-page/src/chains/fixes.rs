//! A line of code that undoes a chain, in five languages.

#![forbid(unsafe_code)]

use crate::chains::Story;

/// The name of an encoding in each language; empty if the language does not have the encoding under any name.
struct Names {
    name: &'static str,
    python: &'static str,
    postgres: &'static str,
    mysql: &'static str,
    iconv: &'static str,
    rust: &'static str,
    /// Whether a browser decodes it, and it has one byte per character.
    in_browsers: bool,
}

const fn names(
    name: &'static str,
    [python, postgres, mysql, iconv, rust]: [&'static str; 5],
    in_browsers: bool,
) -> Names {
    Names { name, python, postgres, mysql, iconv, rust, in_browsers }
}

const NAMES: &[Names] = &[
    names("utf-8", ["utf-8", "UTF8", "utf8mb4", "UTF-8", "UTF_8"], false),
    names("windows-1252", ["cp1252", "WIN1252", "latin1", "CP1252", "WINDOWS_1252"], true),
    names("iso-8859-1", ["latin-1", "LATIN1", "", "ISO-8859-1", ""], false),
    names("windows-1250", ["cp1250", "WIN1250", "cp1250", "CP1250", "WINDOWS_1250"], true),
    names("windows-1251", ["cp1251", "WIN1251", "cp1251", "CP1251", "WINDOWS_1251"], true),
    names("iso-8859-2", ["iso8859-2", "LATIN2", "latin2", "ISO-8859-2", "ISO_8859_2"], true),
    names("windows-1254", ["cp1254", "WIN1254", "", "CP1254", "WINDOWS_1254"], true),
    names("windows-1257", ["cp1257", "WIN1257", "cp1257", "CP1257", "WINDOWS_1257"], true),
    names("windows-1253", ["cp1253", "WIN1253", "", "CP1253", "WINDOWS_1253"], true),
    names("macintosh", ["mac-roman", "", "macroman", "MACINTOSH", "MACINTOSH"], true),
    names("ibm437", ["cp437", "", "", "IBM437", ""], false),
    names("ibm850", ["cp850", "", "cp850", "IBM850", ""], false),
    names("ibm852", ["cp852", "", "cp852", "IBM852", ""], false),
    names("ibm866", ["cp866", "WIN866", "cp866", "IBM866", "IBM866"], true),
    names("koi8-r", ["koi8-r", "KOI8R", "koi8r", "KOI8-R", "KOI8_R"], true),
    names("koi8-u", ["koi8-u", "KOI8U", "", "KOI8-U", "KOI8_U"], true),
    names("iso-8859-5", ["iso8859-5", "ISO_8859_5", "", "ISO-8859-5", "ISO_8859_5"], true),
    names("iso-8859-7", ["iso8859-7", "ISO_8859_7", "greek", "ISO-8859-7", "ISO_8859_7"], true),
    names("windows-1255", ["cp1255", "WIN1255", "", "CP1255", "WINDOWS_1255"], true),
    names("windows-1256", ["cp1256", "WIN1256", "cp1256", "CP1256", "WINDOWS_1256"], true),
    names("shift_jis", ["cp932", "SJIS", "cp932", "CP932", "SHIFT_JIS"], false),
    names("euc-jp", ["euc-jp", "EUC_JP", "ujis", "EUC-JP", "EUC_JP"], false),
    names("gbk", ["gbk", "GBK", "gbk", "GBK", "GBK"], false),
    names("gb18030", ["gb18030", "GB18030", "gb18030", "GB18030", "GB18030"], false),
    names("big5", ["big5hkscs", "BIG5", "big5", "BIG5-HKSCS", "BIG5"], false),
    names("euc-kr", ["cp949", "UHC", "euckr", "CP949", "EUC_KR"], false),
    names("utf-16le", ["utf-16-le", "", "utf16le", "UTF-16LE", ""], false),
    names("utf-16be", ["utf-16-be", "", "utf16", "UTF-16BE", ""], false),
];

fn of(name: &str) -> Option<&'static Names> {
    NAMES.iter().find(|names| names.name == name)
}

/// Returns lines of code that undo a story, with their languages. They read the text from `s` or from `broken.txt`. Languages
/// that lack one of the encodings are left out.
pub(crate) fn fixes(story: &Story) -> Vec<(&'static str, String)> {
    // The last mistake is undone first.
    let pairs: Option<Vec<Pair>> =
        story.mistakes.iter().rev().map(|mistake| Some((of(mistake.read)?, of(mistake.written)?))).collect();
    let mut found = Vec::new();
    if story.in_runs {
        // No encoding has all of the text, and the functions that repair parts know only UTF-8.
        if story.mistakes.iter().any(|mistake| mistake.written != "utf-8") {
            return found;
        }
        found.push(("Python", "placemat.mend(s, mojibake=True)".to_owned()));
        found.push(("Shell", "placemat repair --mojibake broken.txt > mended.txt".to_owned()));
        found.push(("Rust", UNDO.to_owned()));
        return found;
    }
    let Some(pairs) = pairs else { return found };
    let mut fix = |language, code: Option<String>| found.extend(code.map(|code| (language, code)));
    let has_controls = |text: &str| text.chars().any(|c| matches!(c, '\u{80}'..='\u{9F}'));
    let after = story.mistakes.iter().skip(1).any(|mistake| has_controls(&mistake.before));
    fix("Python", python(&pairs, after || has_web_bytes(story)));
    fix("JavaScript", Some(javascript(&pairs)));
    fix(
        "PostgreSQL",
        nested(
            &pairs,
            |names| names.postgres,
            |code, read, written| format!("convert_from(convert_to({code}, '{read}'), '{written}')"),
        ),
    );
    fix(
        "MySQL",
        nested(
            &pairs,
            |names| names.mysql,
            |code, read, written| {
                format!("CONVERT(CAST(CONVERT({code} USING {read}) AS BINARY) USING {written})")
            },
        ),
    );
    fix("Shell", Some(shell(&pairs)));
    let rust = nested(
        &pairs,
        |names| names.rust,
        |code, read, written| match written {
            "UTF_8" => format!("String::from_utf8(encoding_rs::{read}.encode(&{code}).0.into_owned())?"),
            _ => format!(
                "encoding_rs::{written}.decode(&encoding_rs::{read}.encode(&{code}).0).0.into_owned()"
            ),
        },
    );
    fix("Rust", rust.or_else(|| Some(UNDO.to_owned())));
    found
}

const UNDO: &str = "placemat_detect::mojibake::undo(&s).map_or(s, |undone| undone.text)";

/// Whether the text that was read has one of the five bytes that Python's cp1252 lacks and the web reads as controls.
fn has_web_bytes(story: &Story) -> bool {
    let lacks = |byte: &u8| matches!(byte, 0x81 | 0x8D | 0x8F | 0x90 | 0x9D);
    story
        .mistakes
        .last()
        .is_some_and(|last| last.read == "windows-1252" && last.before.as_bytes().iter().any(lacks))
}

type Pair = (&'static Names, &'static Names);

/// Nests the calls, one in another.
fn nested(
    pairs: &[Pair],
    name: impl Fn(&Names) -> &'static str,
    call: impl Fn(&str, &str, &str) -> String,
) -> Option<String> {
    pairs.iter().try_fold("s".to_owned(), |code, (read, written)| {
        let (read, written) = (name(read), name(written));
        (!read.is_empty() && !written.is_empty()).then(|| call(&code, read, written))
    })
}

/// Python's cp1252 lacks the five bytes that the web reads as controls.
fn python(pairs: &[Pair], has_controls: bool) -> Option<String> {
    nested(
        pairs,
        |names| names.python,
        |code, read, written| match (read, has_controls) {
            ("cp1252", true) => format!(
                "b''.join(bytes([ord(c)]) if ord(c) < 256 else c.encode('cp1252') for c in {code}).decode('{written}')"
            ),
            _ => format!("{code}.encode('{read}').decode('{written}')"),
        },
    )
}

fn javascript(pairs: &[Pair]) -> String {
    let decode = |written: &str, bytes: String| match written {
        "utf-8" => format!("new TextDecoder().decode({bytes})"),
        _ => format!("new TextDecoder('{written}').decode({bytes})"),
    };
    pairs.iter().fold("s".to_owned(), |code, (read, written)| {
        let bytes = match *read {
            Names { name: "iso-8859-1", .. } => format!("Uint8Array.from({code}, c => c.charCodeAt(0))"),
            Names { name, in_browsers: true, .. } => {
                let table = format!(
                    "new TextDecoder('{name}').decode(Uint8Array.from({{length: 256}}, (_, b) => b))"
                );
                format!("Uint8Array.from({code}, c => {table}.indexOf(c))")
            }
            // The package `placemat` has it: no browser can encode to it.
            Names { name, .. } => format!("new Encoder('{name}').encode({code})"),
        };
        decode(written.name, bytes)
    })
}

fn shell(pairs: &[Pair]) -> String {
    let mut code = String::new();
    for (n, (read, written)) in pairs.iter().enumerate() {
        let (start, file) = if n == 0 { ("", " broken.txt") } else { (" | ", "") };
        code.push_str(&format!("{start}iconv -f UTF-8 -t {}{file}", read.iconv));
        if written.name != "utf-8" {
            code.push_str(&format!(" | iconv -f {} -t UTF-8", written.iconv));
        }
    }
    code.push_str(" > mended.txt");
    code
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chains::stories;

    fn code(text: &str, language: &str) -> Option<String> {
        let story = stories(text).into_iter().next()?;
        fixes(&story).into_iter().find(|(known, _)| *known == language).map(|(_, code)| code)
    }

    #[test]
    fn every_language_has_its_line() {
        let text = "le cafÃ© et la crÃ¨me";
        let expected = [
            ("Python", "s.encode('cp1252').decode('utf-8')"),
            ("PostgreSQL", "convert_from(convert_to(s, 'WIN1252'), 'UTF8')"),
            ("MySQL", "CONVERT(CAST(CONVERT(s USING latin1) AS BINARY) USING utf8mb4)"),
            ("Shell", "iconv -f UTF-8 -t CP1252 broken.txt > mended.txt"),
            ("Rust", "String::from_utf8(encoding_rs::WINDOWS_1252.encode(&s).0.into_owned())?"),
        ];
        for (language, line) in expected {
            assert_eq!(code(text, language).as_deref(), Some(line));
        }
        assert!(code(text, "JavaScript").unwrap().contains("windows-1252"));
    }

    #[test]
    fn what_was_read_twice_is_undone_twice() {
        let twice = "le cafÃƒÂ© et la crÃƒÂ¨me";
        let expected = "s.encode('cp1252').decode('utf-8').encode('cp1252').decode('utf-8')";
        assert_eq!(code(twice, "Python").as_deref(), Some(expected));
        assert_eq!(code(twice, "Shell").unwrap().matches("iconv").count(), 2);
    }

    #[test]
    fn a_language_that_lacks_the_encoding_is_left_out() {
        let text = "le caf├⌐ et la cr├¿me";
        assert_eq!(code(text, "PostgreSQL"), None);
        assert_eq!(code(text, "Python").as_deref(), Some("s.encode('cp437').decode('utf-8')"));
    }
}
