//! Delimiters, backslashes and quotes that may be the second byte of a character.

use placemat::Policy;
use placemat::label::Labels;

use crate::charset::{Charset, Legacy, LegacyWriter};
use crate::repair::choice::Choice;
use crate::repair::whole::Refusal;
use crate::structure::{Dialect, Structure, check, whole};

fn legacy(name: &str) -> Legacy {
    let Ok(Charset::Legacy(legacy)) = Charset::resolve(Labels::Lenient, name) else { unreachable!() };
    legacy
}

#[test]
fn a_delimiter_that_may_be_half_a_character_is_refused() {
    let row = |name: &[u8]| [&"编号|名称|城市|北京上海\n".repeat(20).into_bytes(), name, b"|x\n"].concat();
    let mended = |bytes: &[u8], delimiter, second| {
        let choice = Choice { second: Some(legacy(second)), ..Choice::default() };
        whole(bytes, Structure::Csv(delimiter), &choice).map(|done| done.changes.len())
    };
    // U+8C44 ends with 7C, and the second row ends with a whole character.
    let (cut, is_whole) = (row(b"\xB1\xB1\xBE\xA9\xD8|\xB1\xB1"), row(b"\xB1\xB1\xBE\xA9"));
    let refused = mended(&cut, b'|', "gbk").unwrap_err().to_string();
    assert!(refused.starts_with("line 21: the delimiter may be the second byte of a character"), "{refused}");
    assert_eq!(mended(&cut, b',', "gbk").unwrap(), 1);
    assert_eq!(mended(&is_whole, b'|', "gbk").unwrap(), 1);
    assert!(mended(&cut, b'|', "koi8-r").is_ok());
}

/// Half a character at the end of a field does not hide the encoding of the other fields, whose text would be lost.
#[test]
fn a_cut_character_does_not_hide_the_encoding() {
    let rows =
        ["1|ご注文ありがとうございます|東京\n", "2|本日の天気予報です|大阪\n", "3|株式会社さくらの本|京都\n"]
            .concat();
    let mended = |cut: &str| {
        let mut bytes = rows.repeat(20).into_bytes();
        let last = format!("{rows}4|{cut}|x\n");
        assert!(LegacyWriter::new(legacy("shift_jis"), Policy::Stop).push(&last, true, &mut bytes).is_ok());
        whole(&bytes, Structure::Csv(b'|'), &Choice::default())
            .map(|done| done.text.ends_with(last.as_bytes()))
    };
    assert!(mended("東京").unwrap());
    // The second byte of U+30DD is 7C.
    let refused = mended("ポスト").unwrap_err().to_string();
    assert!(refused.starts_with("line 64: the delimiter may be the second byte of a character"), "{refused}");
}

const MYSQL: Structure = Structure::Sql(Some(Dialect::MySql));
const PG: Structure = Structure::Sql(Some(Dialect::Postgres));

/// `lines` in UTF-8, and then `last`, in which `%s` is text in another encoding.
fn with_row(lines: &str, last: &str, text: &[u8]) -> Vec<u8> {
    let (before, after) = last.split_once("%s").unwrap();
    [lines.as_bytes(), before.as_bytes(), text, after.as_bytes()].concat()
}

/// The repaired text, or the refusal.
fn repaired(structure: Structure, bytes: &[u8], second: &str) -> Result<String, String> {
    let choice = Choice { second: Some(legacy(second)), ..Choice::default() };
    match whole(bytes, structure, &choice) {
        Ok(done) => Ok(String::from_utf8(done.text).unwrap()),
        Err(refusal) => Err(refusal.to_string()),
    }
}

/// A dump or file of each kind: lines before, the last line, the number of the last line.
fn kinds() -> [(Structure, String, &'static str, u64); 3] {
    let mysql = "INSERT INTO t VALUES (1,'東京の天気予報です');\n".repeat(20);
    let copy = format!("COPY t (a) FROM stdin;\n{}", "東京の天気予報です\n".repeat(20));
    let json = "{\"a\":\"東京の天気予報です\"}\n".repeat(20);
    [
        (MYSQL, mysql, "INSERT INTO t VALUES (1,'%s');\n", 21),
        (PG, copy, "%s\n\\.\n", 22),
        (Structure::JsonLines, json, "{\"a\":\"%s\"}\n", 21),
    ]
}

/// 95 5C 6E is U+8868 and an n, or half a character and a line feed. It became U+FFFD and a line feed.
#[test]
fn a_backslash_that_may_be_half_a_character_is_refused() {
    let texts: [(&str, &[u8]); 4] = [
        ("shift_jis", b"\x93\x8C\x8B\x9E\x95\\n"),
        ("big5", b"\xAA\xF7\xC4\xDD\xA5\\n"),
        ("gbk", b"\xB1\xB1\xBE\xA9\xD5\\n"),
        ("gb18030", b"\xB1\xB1\xBE\xA9\xD5\\t"),
    ];
    for (structure, lines, last, number) in kinds() {
        for (second, text) in texts {
            let refused = repaired(structure, &with_row(&lines, last, text), second).unwrap_err();
            let start =
                format!("line {number}: a backslash or quote may be half a character here; in Shift_JIS");
            assert!(refused.starts_with(&start), "{structure:?} {second}: {refused}");
        }
        // No such character, and an encoding without any.
        let is_single = with_row(&lines, last, b"\xD4\xC5\xCB\xD3\xD4\\n");
        assert!(repaired(structure, &is_single, "koi8-r").unwrap().contains("текст\\n"));
        let is_other = with_row(&lines, last, b"\x93\x8C\x8B\x9E\\n");
        assert!(repaired(structure, &is_other, "shift_jis").unwrap().contains("東京\\n"));
    }
}

/// A program that reads bytes doubles the backslash. Then there is no doubt.
#[test]
fn a_doubled_backslash_is_the_second_byte() {
    for (structure, lines, last, _) in kinds() {
        let bytes = with_row(&lines, last, b"\x95\\\\\x8E\xA6");
        assert!(repaired(structure, &bytes, "shift_jis").unwrap().contains("表示"), "{structure:?}");
    }
    for (structure, lines, last, _) in &kinds()[..2] {
        let bytes = with_row(lines, last, b"\x95\\\x8E\xA6");
        assert!(repaired(*structure, &bytes, "shift_jis").unwrap().contains("表示"), "{structure:?}");
    }
}

/// The message said only that the backslash starts no escape, or that a comma is missing.
#[test]
fn a_misfit_after_half_a_character_says_so() {
    let json = "{\"a\":\"%s\",\"b\":1}";
    let advice = "; in Shift_JIS, Big5 and GBK a backslash can be the second byte";
    for (text, what) in [
        (&b"\x95\\\x8E\xA6"[..], "a backslash that starts no JSON escape"),
        (b"\x95\\", "a comma, or the end of the array or object, is expected"),
        (b"a\\n \x95\\", "a comma, or the end of the array or object, is expected"),
        (b"\x82\xCC\x95\\", "a comma, or the end of the array or object, is expected"),
    ] {
        let refused = check(Structure::JsonLines, &with_row("", json, text)[..]).unwrap_err().to_string();
        assert!(refused.starts_with(&format!("line 1: {what}{advice}")), "{refused}");
    }
    let sql = with_row("", "SELECT '%s';\n", b"\x95\\");
    let refused = check(MYSQL, &sql[..]).unwrap_err().to_string();
    let start = format!("line 1: a string, or a name in quotes, does not end{advice}");
    assert!(refused.starts_with(&start), "{refused}");
    // Another line is to blame, or no byte before the backslash.
    let other = b"\"\x95\\n\"\n{\"a\" 1}";
    assert_eq!(
        check(Structure::JsonLines, &other[..]).unwrap_err().to_string(),
        "line 2: a colon is expected"
    );
    for text in ["表\\8", "a\\8", "\\8"] {
        let refused = check(Structure::JsonLines, &with_row("", json, text.as_bytes())[..]).unwrap_err();
        assert_eq!(refused.to_string(), "line 1: a backslash that starts no JSON escape");
    }
}

/// The quotes of a name in MySQL and SQLite are second bytes too.
#[test]
fn a_quote_that_may_be_half_a_character_is_refused() {
    let lines = "INSERT INTO t VALUES (1,'東京の天気予報です');\n".repeat(20);
    for (dialect, last, text) in
        [(Dialect::MySql, "SELECT `%s`;\n", &b"\x82"[..]), (Dialect::Sqlite, "SELECT [%s];\n", b"\x83g\x83")]
    {
        let bytes = with_row(&lines, last, text);
        let structure = Structure::Sql(Some(dialect));
        let refused = repaired(structure, &bytes, "shift_jis").unwrap_err();
        assert!(
            refused.starts_with("line 21: a backslash or quote may be half a character here; in Shift_JIS"),
            "{refused}"
        );
    }
    let refused = check(MYSQL, &b"SELECT `\x82`x`;\n"[..]).unwrap_err().to_string();
    let start = "line 1: a string, or a name in quotes, does not end; in Shift_JIS";
    assert!(refused.starts_with(start), "{refused}");
}

/// A dump that is all in Shift_JIS is not hidden by the escapes that its second bytes seem to be.
#[test]
fn escapes_do_not_hide_the_encoding() {
    for (structure, row) in [
        (MYSQL, "INSERT INTO t VALUES (1,'一覧表nソフトtを表n示');\n"),
        (Structure::JsonLines, "{\"a\":\"一覧表nソフトtを表n示\"}\n"),
        (Structure::JsonLines, "{\"a\":\"一覧の表\"}\n{\"a\":\"ソフトを表示\"}\n"),
    ] {
        let mut bytes = Vec::new();
        let rows = row.repeat(20);
        assert!(LegacyWriter::new(legacy("shift_jis"), Policy::Stop).push(&rows, true, &mut bytes).is_ok());
        let refused = whole(&bytes, structure, &Choice::default()).unwrap_err();
        assert!(
            matches!(&refused, Refusal::SomethingElse(found) if found.encoding == "shift_jis"),
            "{refused}"
        );
    }
}
