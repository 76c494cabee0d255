//! Laws of every structure, and inputs that each grammar accepts or refuses.

mod cut;
mod dumps;
mod refused;

use std::io::{self, Read};

use super::{Dialect, FieldMender, LONGEST_FIELD, Mended, Structure, Texts, check, whole};
use crate::repair::choice::Choice;
use crate::repair::mend::{Change, Mending, Reading, ZEROS};
use crate::repair::whole::Refusal;

const CSV: Structure = Structure::Csv(b',');
const PG: Structure = Structure::Sql(Some(Dialect::Postgres));
const MYSQL: Structure = Structure::Sql(Some(Dialect::MySql));
const SQLITE: Structure = Structure::Sql(Some(Dialect::Sqlite));

/// Inputs and their repaired text: `\xhh` are bytes.
const MENDED: [(Structure, &[u8], &str); 32] = [
    (CSV, b"a,caf\xE9\r\n\"x\"\"caf\xE9\",\n", "a,café\r\n\"x\"\"café\",\n"),
    (CSV, b"\xEF\xBB\xBFa,caf\xE9", "\u{FEFF}a,café"),
    (CSV, "a,\"cafÃ©, crÃ¨me\"\nb\n".as_bytes(), "a,\"café, crème\"\nb\n"),
    (CSV, b"caf\xC3,\xE2\x82\n", "caf\u{FFFD},\u{FFFD}\n"),
    (Structure::Csv(b'|'), b"\x83|caf\xE9\n", "ƒ|café\n"),
    (
        Structure::JsonLines,
        br#"{"caf\u00c3\u00a9": ["x\u00c3\u00a9\"", 1.5e3, null]}"#,
        r#"{"caf\u00e9": ["x\u00e9\"", 1.5e3, null]}"#,
    ),
    (Structure::JsonLines, "\"cafÃ© \\n\"\n\n[]\r\n".as_bytes(), "\"café \\n\"\n\n[]\r\n"),
    (Structure::JsonLines, b"{\"a\":\"caf\xE9\"}\n", "{\"a\":\"café\"}\n"),
    (
        Structure::JsonLines,
        br#"["\ud83d\ude00", "a\ud83d", "\u00e9"]"#,
        r#"["\ud83d\ude00", "a\ufffd", "\u00e9"]"#,
    ),
    (Structure::JsonLines, br#"["a\u0000b"]"#, r#"["ab"]"#),
    (
        Structure::JsonLines,
        b"[NaN, -Infinity]\n{\"a\":Infinity,\"b\":\"caf\xE9\"}\n",
        "[NaN, -Infinity]\n{\"a\":Infinity,\"b\":\"café\"}\n",
    ),
    (
        PG,
        b"COPY t (a, b) FROM stdin;\n1\tcaf\xE9\\tx\n\\N\t\\\\\n\\.\n\nSELECT 1;\n",
        "COPY t (a, b) FROM stdin;\n1\tcafé\\tx\n\\N\t\\\\\n\\.\n\nSELECT 1;\n",
    ),
    (
        PG,
        b"COPY t (a, b) FROM stdin;\na\\000b\\x00\t\n\\.\nCOPY u (a) FROM stdin;\ncaf\xE9\n\\.\n",
        "COPY t (a, b) FROM stdin;\nab\t\n\\.\nCOPY u (a) FROM stdin;\ncafé\n\\.\n",
    ),
    (
        PG,
        b"-- caf\xE9\nINSERT INTO t VALUES ('it''s caf\xE9 \\', E'\\'caf\xE9');\n",
        "-- café\nINSERT INTO t VALUES ('it''s café \\', E'\\'café');\n",
    ),
    (
        PG,
        br"SELECT E'caf\303\203\302\251 \xC3\xA9\u00e9\U0001F600\uD83D\ude00 \x \n\'', '\303\203\302\251', E'\\303\\203';",
        r"SELECT E'café \xC3\xA9\u00e9\U0001F600\uD83D\ude00 \x \n\'', '\303\203\302\251', E'\\303\\203';",
    ),
    (
        PG,
        br"SELECT e'\u00c3\u00a9 caf\xe9\351 \3511', E'\ud83d \uD83 \8';",
        r"SELECT e'é caféé é1', E'\ud83d \uD83 \8';",
    ),
    (PG, br"SELECT E'caf\303\203\302\251\0001', E'\0';", "SELECT E'café1', E'';"),
    (
        PG,
        r"SELECT U&'caf\00C3\00a9 \+0000C3\+0000A9 \D83D\DE00 \\00C3 \zz '' \', u&'\00C3\00A9', u & 'Ã©\';".as_bytes(),
        r"SELECT U&'café é \D83D\DE00 \\00C3 \zz '' \', u&'é', u & 'é\';",
    ),
    (PG, br#"SELECT U&"caf\00C3\00A9""x" AS U&"\";"#, r#"SELECT U&"café""x" AS U&"\";"#),
    (
        PG,
        b"SELECT E'\\\'' -- x\n  'caf\\303\\203\\302\\251\\'', U&'a'\r\n\t'\\00c3\\00a9', E'a', '\\';",
        "SELECT E'\\\'' -- x\n  'café\\'', U&'a'\r\n\t'é', E'a', '\\';",
    ),
    (
        PG,
        b"SET standard_conforming_strings = off;\nSELECT 'it\\'s caf\xE9 \\303\\203\\302\\251';\n\
          set session standard_conforming_strings to 'on';SELECT '\\';",
        "SET standard_conforming_strings = off;\nSELECT 'it\\'s café é';\n\
         set session standard_conforming_strings to 'on';SELECT '\\';",
    ),
    (
        PG,
        b"SET LOCAL standard_conforming_strings = 0;SELECT '\\'caf\xE9';",
        "SET LOCAL standard_conforming_strings = 0;SELECT '\\'café';",
    ),
    (
        PG,
        b"ALTER DATABASE d SET standard_conforming_strings TO 'off';\nSELECT '\\caf\xE9\\';\n",
        "ALTER DATABASE d SET standard_conforming_strings TO 'off';\nSELECT '\\café\\';\n",
    ),
    (
        PG,
        b"CREATE FUNCTION f() AS $b$ SELECT 'caf\xE9'; $b$;\n\\connect x\n",
        "CREATE FUNCTION f() AS $b$ SELECT 'café'; $b$;\n\\connect x\n",
    ),
    (
        PG,
        b"CREATE TABLE \"caf\xE9\" (na\xC3\xAFve text DEFAULT 'x'::text);",
        "CREATE TABLE \"café\" (naïve text DEFAULT 'x'::text);",
    ),
    (
        MYSQL,
        b"INSERT INTO `t` VALUES (1,'it\\'s caf\xE9','\\0',NULL),(2,'','\\\\');\n",
        "INSERT INTO `t` VALUES (1,'it\\'s café','',NULL),(2,'','\\\\');\n",
    ),
    (
        MYSQL,
        b"/*!40101 SET NAMES utf8 */;\n# don't\n/* it's */ SELECT 1--1;\n-- caf\xE9\n",
        "/*!40101 SET NAMES utf8 */;\n# don't\n/* it's */ SELECT 1--1;\n-- café\n",
    ),
    (
        MYSQL,
        "INSERT INTO `t` VALUES ('cafÃ©\\n',0x00FF);\n".as_bytes(),
        "INSERT INTO `t` VALUES ('café\\n',0x00FF);\n",
    ),
    (SQLITE, b"INSERT INTO t VALUES('caf\xE9\\',X'E9');\n", "INSERT INTO t VALUES('café\\',X'E9');\n"),
    (
        SQLITE,
        b"INSERT INTO [t's] VALUES(unistr('caf\xE9\\u000a\\\\'));\n",
        "INSERT INTO [t's] VALUES(unistr('café\\u000a\\\\'));\n",
    ),
    (SQLITE, b"CREATE TABLE t(a);\nCOMMIT;\n", "CREATE TABLE t(a);\nCOMMIT;\n"),
    (SQLITE, b"", ""),
];

/// Inputs that are refused, with the line of the error.
const REFUSED: [(Structure, &[u8], u64); 35] = [
    (CSV, b"a,b\nc,\"d\ne", 2),
    (CSV, b"a\n\"b\"c\n", 2),
    (CSV, b"a\nb\"c\n", 2),
    (Structure::JsonLines, b"{}\n{\"a\":}\n", 2),
    (Structure::JsonLines, b"{} {}\n", 1),
    (Structure::JsonLines, b"\n\"a\n\"", 2),
    (Structure::JsonLines, b"[1,]", 1),
    (Structure::JsonLines, b"[-NaN]", 1),
    (Structure::JsonLines, b"[1", 1),
    (Structure::JsonLines, b"[\n1]", 1),
    (Structure::JsonLines, b"\"\\x\"", 1),
    (Structure::JsonLines, b"\"\\u12\"", 1),
    (Structure::JsonLines, b"\"\x01\"", 1),
    (Structure::JsonLines, b"01", 1),
    (Structure::JsonLines, b"{\"a\" \xE9}", 1),
    (Structure::JsonLines, b"{]", 1),
    (PG, b"SELECT 'it's';\n", 1),
    (PG, b"SELECT 1;\nSELECT 'a", 2),
    (PG, b"SELECT 1;\nSELECT 1", 2),
    (PG, b"SELECT (1;\n", 1),
    (PG, b"SELECT 1);\n", 1),
    (PG, b"COPY t (a) FROM stdin;\n1\n", 3),
    (PG, b"COPY t (a, b) FROM stdin;\n1\t2\n1\n\\.\n", 3),
    (PG, b"COPY t (a) FROM stdin WITH csv;\n", 1),
    (PG, b"AS $$ x $", 1),
    (PG, b"SELECT 1,\nE'\\303\xA9';\n", 2),
    (PG, br"SELECT E'\377\330\377\000';", 1),
    (PG, b"COPY t (a) FROM stdin;\n\xE2\\x82\\xAC\n\\.\n", 2),
    (PG, b"/* x", 1),
    (PG, b"SELECT 1;\nSELECT U&'a!00e9' UESCAPE '!';\n", 2),
    (PG, b"SELECT U&\"a!00e9\"\nuescape '!';\n", 2),
    (PG, b"SET standard_conforming_strings = off;\nSELECT 'a\\';\n", 2),
    (MYSQL, b"INSERT INTO t VALUES ('a\\');\n", 1),
    (MYSQL, b"INSERT INTO `t", 1),
    (SQLITE, b"SELECT 'a\\'b';\n", 1),
];

/// A reader that returns at most this many bytes at once.
struct Dribble<'a>(&'a [u8], usize);

impl Read for Dribble<'_> {
    fn read(&mut self, block: &mut [u8]) -> io::Result<usize> {
        let most = block.len().min(self.1);
        self.0.read(&mut block[..most])
    }
}

/// The input as it was returned in blocks, and its changes.
fn mended(structure: Structure, bytes: &[u8], at_once: usize) -> (Vec<u8>, Vec<Change>) {
    let mending = Mending { mojibake: true, zero: Some(ZEROS[1]), ..Mending::default() };
    let mut mender = FieldMender::new(structure, Dribble(bytes, at_once), mending, Reading::default());
    let (mut all, mut changes) = (Vec::new(), Vec::new());
    while let Some(Mended { text, offset, changes: more }) = mender.block().unwrap() {
        assert_eq!(offset, all.len() as u64);
        all.extend_from_slice(text);
        changes.extend(more);
    }
    (all, changes)
}

fn applied(bytes: &[u8], changes: &[Change]) -> Vec<u8> {
    let (mut text, mut at) = (Vec::new(), 0);
    for change in changes {
        text.extend_from_slice(&bytes[at..change.range.start as usize]);
        text.extend_from_slice(change.text.as_bytes());
        at = change.range.end as usize;
    }
    text.extend_from_slice(&bytes[at..]);
    text
}

/// Marks at the start are no text of the first field: those of UTF-16 are removed, or damage if a policy was named.
#[test]
fn byte_order_marks_are_no_text() {
    let inputs = [
        (Structure::Csv(b','), "\"id\",name\n1,café\n"),
        (Structure::JsonLines, "{\"name\": \"café\"}\n"),
        (Structure::Sql(Some(Dialect::Sqlite)), "INSERT INTO t VALUES(1,'café');\n"),
    ];
    for (structure, text) in inputs {
        for marks in [&b"\xFF\xFE"[..], b"\xFE\xFF", b"\xFF\xFE\xEF\xBB\xBF", b"\xEF\xBB\xBF", b""] {
            let bytes = [marks, text.as_bytes()].concat();
            let kept = if marks.contains(&0xEF) { "\u{FEFF}" } else { "" };
            for (diagnoses, kept) in [(true, kept.to_owned()), (false, String::from_utf8_lossy(marks).into())]
            {
                let mending = Mending { diagnoses, ..Mending::default() };
                let mut mender = FieldMender::new(structure, Dribble(&bytes, 1), mending, Reading::default());
                let mut changes = Vec::new();
                while let Some(more) = mender.block().unwrap() {
                    changes.extend(more.changes);
                }
                assert_eq!(String::from_utf8(applied(&bytes, &changes)).unwrap(), kept + text);
            }
            let mut texts = Vec::new();
            Texts::new(structure, &bytes[..]).read_to_end(&mut texts).unwrap();
            assert_eq!(String::from_utf8(texts).unwrap(), "café\n");
        }
    }
}

#[test]
fn fields_are_mended_and_what_is_between_is_not() {
    for (structure, bytes, expected) in MENDED {
        let (_, changes) = mended(structure, bytes, 4096);
        let text = applied(bytes, &changes);
        assert_eq!(String::from_utf8_lossy(&text), expected, "{structure:?}");
        assert_eq!(mended(structure, &text, 4096).1, [], "mended text is clean: {expected}");
    }
}

#[test]
fn chunking_never_matters() {
    for (structure, bytes, _) in MENDED {
        let expected = mended(structure, bytes, 4096);
        assert_eq!(expected.0, bytes);
        for at_once in 1..9 {
            assert_eq!(mended(structure, bytes, at_once), expected, "{at_once} of {}", bytes.escape_ascii());
        }
    }
}

#[test]
fn what_does_not_parse_is_refused_with_its_line() {
    for (structure, bytes, line) in REFUSED {
        for at_once in [1, 2, 4096] {
            let error = check(structure, Dribble(bytes, at_once)).unwrap_err().to_string();
            assert!(error.starts_with(&format!("line {line}: ")), "{error}: {}", bytes.escape_ascii());
        }
        let refused = whole(bytes, structure, &Choice::default());
        assert!(matches!(refused, Err(Refusal::Misfit(_))), "{}", bytes.escape_ascii());
    }
}

#[test]
fn no_input_panics_and_every_chunking_agrees() {
    let mut state = 1_u32;
    let mut random = |below: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as usize % below
    };
    for _ in 0..4_000 {
        let (structure, bytes, _) = MENDED[random(MENDED.len())];
        let mut bytes = bytes.to_vec();
        for _ in 0..random(4) {
            if !bytes.is_empty() {
                let at = random(bytes.len());
                bytes[at] = b"\"'\\,\n\r\0;()\xE9\xC3\xA9\xED\xA0$-/*"[random(19)];
            }
        }
        let all = check(structure, &bytes[..]).map_err(|error| error.to_string());
        let one = check(structure, Dribble(&bytes, 1 + random(3))).map_err(|error| error.to_string());
        assert_eq!(one, all, "{}", bytes.escape_ascii());
        if all.is_ok() {
            let (same, changes) = mended(structure, &bytes, 1 + random(5));
            assert_eq!(same, bytes);
            assert_eq!(changes, mended(structure, &bytes, 4096).1, "{}", bytes.escape_ascii());
            let text = applied(&bytes, &changes);
            assert!(str::from_utf8(&text).is_ok(), "{}", bytes.escape_ascii());
            assert!(
                check(structure, &text[..]).is_ok(),
                "{} from {}",
                text.escape_ascii(),
                bytes.escape_ascii()
            );
        }
    }
}

#[test]
fn long_fields_are_mended_in_parts_wherever_they_are_read() {
    let long = "é€ ".repeat(LONGEST_FIELD / 4);
    let bytes = [b"a,\"", long.as_bytes(), b"\"\"caf\xE9\"\n"].concat();
    let expected = mended(CSV, &bytes, 1 << 20);
    assert_eq!(expected.1.len(), 1);
    assert_eq!(mended(CSV, &bytes, 4_093), expected);
    let escaped = format!("\"{}\"\n", "\\u00e9é\u{20AC}".repeat(LONGEST_FIELD / 8));
    assert_eq!(mended(Structure::JsonLines, escaped.as_bytes(), 4_099).1, []);
    assert_eq!(mended(Structure::JsonLines, escaped.as_bytes(), 1 << 20).1, []);
    for before in ["", "a", "ab", "abc"] {
        for character in [r"\303\251", r"\xE2\x82\xac", r"\360\237\230\200"] {
            let string = format!("SELECT E'{before}{}';", character.repeat(LONGEST_FIELD / 6));
            assert_eq!(mended(PG, string.as_bytes(), 4_099).1, [], "{before}{character}");
        }
    }
}

#[test]
fn cells_say_where_a_change_is() {
    let rows = |structure, bytes: &[u8]| {
        let cells = mended(structure, bytes, 4096).1.into_iter().filter_map(|change| change.cell);
        cells.map(|cell| (cell.row, cell.field)).collect::<Vec<_>>()
    };
    assert_eq!(rows(CSV, b"a,\"b\nc\"\nx,\xE9\n"), [(2, 2)]);
    assert_eq!(rows(Structure::JsonLines, b"{}\n{\"a\":\"caf\xE9\"}"), [(2, 2)]);
    assert_eq!(rows(PG, b"COPY t FROM stdin;\na\tb\na\t\xE9\n\\.\nSELECT '\xE9';"), [(3, 2), (5, 0)]);
}

#[test]
fn a_letter_at_the_end_of_a_field_is_not_cut_off() {
    let text = |structure, bytes: &[u8]| {
        let mut mender = FieldMender::new(structure, bytes, Mending::default(), Reading::default());
        let Mended { text, changes, .. } = mender.block().unwrap().unwrap();
        String::from_utf8(applied(text, &changes)).unwrap()
    };
    assert_eq!(text(CSV, b"9,\xE9,x\n\"f \xE9\",\xE0\n"), "9,é,x\n\"f é\",à\n");
    assert_eq!(text(PG, b"SELECT '\xE9', 'f \xE9';"), "SELECT 'é', 'f é';");
}

#[test]
fn an_overlong_quote_is_no_quote() {
    let mending = Mending { overlong: true, ..Mending::default() };
    let text = |structure, bytes: &[u8]| {
        let mut mender = FieldMender::new(structure, bytes, mending, Reading::default());
        let Mended { text, changes, .. } = mender.block().unwrap().unwrap();
        String::from_utf8(applied(text, &changes)).unwrap()
    };
    assert_eq!(text(CSV, b"a\xC0\xA2b,\"\xC0\xA2\"\n"), "a\u{FFFD}b,\"\"\"\"\n");
    assert_eq!(text(Structure::JsonLines, b"\"\xC0\xA2\xC1\x9C\""), r#""\"\\""#);
    assert_eq!(text(MYSQL, b"SELECT '\xC0\xA7\xC1\x9C';"), r"SELECT '''\\';");
    assert_eq!(text(PG, b"SELECT '\xC0\xA7\xC1\x9C';"), r"SELECT '''\';");
}
