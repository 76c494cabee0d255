//! Which bytes in dumps of databases are text, and which are not.

use placemat::Policy;

use super::{Dribble, LONGEST_FIELD, MYSQL, PG, SQLITE, applied, check, mended};
use crate::repair::mend::{Change, Mending, Reading};
use crate::structure::{FieldMender, Mended, Structure};

#[test]
fn binary_strings_are_left_alone() {
    let dump = b"INSERT INTO `t` VALUES (1,_binary '\xFF\\0\xE9\\'',_utf8'caf\xE9',_binary \"\xE9\",_latin1'\xE9');\n";
    let (_, changes) = mended(MYSQL, dump, 4096);
    assert_eq!(changes.len(), 1);
    assert_eq!((changes[0].range.clone(), &*changes[0].text), (52..53, "é"));
}

#[test]
fn strings_that_the_dump_says_are_in_another_encoding_stay() {
    let dump = "SELECT _binary'Ã©' 'Ã©', _latin1 \"Ã©\\\"Ã©\", _koi8r /* Ã© */ 'Ã©',_utf16'Ã©',_utf8mb4'Ã©',\"Ã©\",n'Ã©';";
    let expected = "SELECT _binary'Ã©' 'Ã©', _latin1 \"Ã©\\\"Ã©\", _koi8r /* é */ 'Ã©',_utf16'Ã©',_utf8mb4'é',\"é\",n'é';";
    for at_once in [1, 2, 4096] {
        let (_, changes) = mended(MYSQL, dump.as_bytes(), at_once);
        assert_eq!(String::from_utf8_lossy(&applied(dump.as_bytes(), &changes)), expected);
    }
}

/// `mysqldump --hex-blob` writes this, also for text, with `--default-character-set=binary`.
#[test]
fn values_in_hex_are_kept() {
    let table = "CREATE TABLE `t` (`id` int, `b` blob, `n` text) DEFAULT CHARSET=utf8mb4;\n";
    let row = b"INSERT INTO `t` VALUES (1,_binary 0xFFD8E9,_binary 0x636166E9),(2,0xE9,0x636166E9),(3,x'E9',_binary 'caf\xE9'),\n(4,'','caf\xE9');\n";
    for table in [table, ""] {
        let dump = [b"/*!40101 SET NAMES binary */;\n", table.as_bytes(), row].concat();
        let (_, changes) = mended(MYSQL, &dump, 4096);
        assert_eq!(changes.len(), 1, "{table}");
        assert_eq!(changes[0].range.end as usize, dump.len() - 4);
    }
}

#[test]
fn columns_of_bytes_are_left_alone_where_the_dump_defines_them() {
    let table = "CREATE TABLE IF NOT EXISTS `t``x` (\n  `id` int(11) DEFAULT NULL,\n  `b` varbinary(9) COMMENT 'text, é',\n  \
                 `n` text,\n  PRIMARY KEY (`id`,`b`)\n) ENGINE=InnoDB COMMENT='x';\n";
    for (row, expected) in [
        (&b"INSERT INTO `t``x` VALUES\n(1,'\xE9\\'\xFC','caf\xE9'),\n(NULL,x'E9','caf\xE9');"[..], 2),
        (b"REPLACE INTO `t``x` (`n`, `b`) VALUES ('caf\xE9','\xE9');", 1),
        (b"INSERT IGNORE INTO `a`.`t``x` VALUES (1+(2),'\xE9',concat('\xE9','\xE9'));", 2),
        (b"INSERT INTO `t` VALUES (1,'\xE9','caf\xE9');", 2),
        (b"CREATE TABLE `t``x` (`id` int,`b` text);INSERT INTO `t``x` VALUES (1,'caf\xE9');", 1),
        (b"SELECT '\xE9';", 1),
    ] {
        let dump = [table.as_bytes(), b"/*!40000 ALTER TABLE `t``x` DISABLE KEYS */;\n", row].concat();
        let (_, changes) = mended(MYSQL, &dump, 4096);
        assert_eq!(changes.len(), expected, "{}", row.escape_ascii());
        for at_once in 1..4 {
            assert_eq!(mended(MYSQL, &dump, at_once).1, changes);
        }
    }
    let ansi = b"create table \"t\" (a text, \"b\" BLOB);insert into t values ('caf\xE9','caf\xE9');";
    assert_eq!(mended(MYSQL, ansi, 4096).1.len(), 1);
}

#[test]
fn malformed_values_with_control_characters_may_be_bytes() {
    let rows = b"INSERT INTO `t` VALUES ('caf\xE9','\xC3\xA9\\0',\n'\xFF\xD8\xFF\xE0\\0\x10JFIF\\0');\n";
    for at_once in [1, 4096] {
        let error = check(MYSQL, Dribble(rows, at_once)).unwrap_err().to_string();
        assert!(error.starts_with("line 2: a malformed value has control characters"), "{error}");
    }
    // If the table is known, its text is repaired.
    let dump = [&b"CREATE TABLE `t` (`a` text,`b` text,`c` text);"[..], rows].concat();
    assert!(!check(MYSQL, &dump[..]).unwrap());
    let dump = b"INSERT INTO `t` VALUES ('caf\xE9','a\tb\n\xE9','\\0');\nSELECT '\\0\xE9';";
    assert!(!check(MYSQL, &dump[..]).unwrap());
    assert_eq!(mended(PG, b"INSERT INTO t VALUES ('a\x01\xE9');\n", 4096).1.len(), 1);
}

#[test]
fn text_that_a_server_would_read_as_something_else_is_refused() {
    for (structure, set) in [
        (MYSQL, "/*!40101 SET NAMES latin1 */;"),
        (MYSQL, "set names 'latin1' collate latin1_bin;"),
        (
            MYSQL,
            "SET NAMES binary;CREATE TABLE `t` (`a` text) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=x;",
        ),
        (MYSQL, "SET NAMES binary;CREATE TABLE `t` (`a` varchar(9) CHARACTER SET koi8r);"),
        (MYSQL, "SET NAMES binary;CREATE TABLE `t` (`a` text) CHARSET=latin1;SET character_set_client=@old;"),
        // `mysqldump` writes so before triggers and routines, whose text it does not convert.
        (MYSQL, "SET NAMES utf8mb4;/*!50003 SET character_set_client  = latin1 */ ;"),
        (MYSQL, "SET NAMES latin1;SET character_set_client=utf8;SET CHARACTER_SET_CLIENT=@saved_cs_client;"),
        // It also writes so around a table.
        (
            MYSQL,
            "SET NAMES latin1;SET character_set_client = utf8mb4;CREATE TABLE `t` (`a` text) DEFAULT CHARSET=latin1;\
             SET character_set_client = @saved_cs_client;",
        ),
        (MYSQL, "SET CHARSET 'latin1';"),
        (MYSQL, "SET CHARACTER SET latin1;"),
        (PG, "SET client_encoding = 'WIN1252';"),
        (PG, "SET client_encoding TO latin1;"),
    ] {
        for text in [&b"caf\xE9"[..], "café".as_bytes()] {
            let dump = [set.as_bytes(), b"\nSELECT 'a',\n'", text, b"';"].concat();
            for at_once in [1, 4096] {
                let error = check(structure, Dribble(&dump, at_once)).unwrap_err().to_string();
                assert!(error.starts_with("line 3: the dump says that its text is not in UTF-8"), "{error}");
            }
        }
        assert!(check(structure, format!("{set}\nSELECT 'cafe';").as_bytes()).unwrap());
    }
    for (structure, set) in [
        (MYSQL, "/*!40101 SET NAMES utf8mb4 */;"),
        (MYSQL, "SET NAMES binary;SET @OLD=@@NAMES, NAMES=latin1;"),
        (
            MYSQL,
            "SET NAMES binary;CREATE TABLE `t` (`a` text CHARACTER SET utf8mb4) CHARSET=utf8;SELECT CHARSET(1);",
        ),
        (MYSQL, "SET NAMES utf8mb4;CREATE TABLE `t` (`a` text) CHARSET=latin1;"),
        (MYSQL, "SET NAMES @old;SELECT 'SET NAMES latin1;';"),
        (MYSQL, "SET character_set_client = latin1;SET character_set_client = @saved_cs_client;"),
        (MYSQL, "SET NAMES latin1;SET character_set_client = utf8mb4;"),
        (
            MYSQL,
            "SET NAMES utf8mb4;SET character_set_client = latin1;ALTER DATABASE `d` CHARACTER SET utf8mb4;\
             SET character_set_client = @saved_cs_client;",
        ),
        (MYSQL, "SET NAMES utf8mb4;SET character_set_results = latin1;SET @a=@@character_set_client;"),
        (PG, "SET client_encoding = 'UTF8';-- SET client_encoding = 'LATIN1';\n"),
        (PG, "SET client_encoding = 'SQL_ASCII';"),
    ] {
        assert!(check(structure, format!("{set}SELECT 'café';").as_bytes()).unwrap(), "{set}");
    }
}

#[test]
fn a_dump_that_is_no_sql_says_what_makes_it_so() {
    for structure in [Structure::Sql(None), PG] {
        let error = structure.known(b"PGDMP\x01\x0e\x00").unwrap_err().to_string();
        assert!(error.contains("pg_restore -f"), "{error}");
    }
}

/// The server converts the text of the dump, not the bytes of escapes.
#[test]
fn escapes_in_a_dump_in_another_encoding_stay() {
    let rows = br"SELECT E'caf\303\203\302\251 \351'; COPY t (a) FROM stdin;
caf\303\203\302\251 \351
\.
";
    let changes = |set: &str| mended(PG, &[set.as_bytes(), rows].concat(), 4096).1.len();
    assert_eq!(changes("SET client_encoding = 'LATIN1';"), 0);
    assert_eq!(changes("SET client_encoding = 'UTF8';"), 4);
}

/// PostgreSQL 15 loads each of them as the same text.
#[test]
fn a_backslash_in_a_value_with_a_grammar_of_its_own_is_doubled() {
    let escaped = |structure, dump: &[u8]| {
        let mending = Mending { policy: ("escape", Policy::Escape), diagnoses: false, ..Mending::default() };
        let mut mender = FieldMender::new(structure, dump, mending, Reading::default());
        let mut text = Vec::new();
        while let Some(Mended { text: block, offset, changes }) = mender.block().unwrap() {
            let inside = |change: Change| Change {
                range: change.range.start - offset..change.range.end - offset,
                ..change
            };
            text.extend(applied(block, &changes.into_iter().map(inside).collect::<Vec<_>>()));
        }
        String::from_utf8(text).unwrap()
    };
    let dump = b"COPY t (a, j, h, c, p) FROM stdin;\n{\"\xFF\",\"(1,\xFF)\"}\t{\"a\": \"\xFF\"}\t\"k\"=>\"\xFF\"\t(1,\xFF)\t\xFF (x)\n\\.\n\
        INSERT INTO t VALUES ('{\"\xFF\"}', E'\"a\"=>\"\xFF\"', '\xFF');-- {\xFF}\n";
    let expected = r#"COPY t (a, j, h, c, p) FROM stdin;
{"\\\\xff","(1,\\\\\\\\xff)"}	{"a": "\\\\xff"}	"k"=>"\\\\xff"	(1,\\\\xff)	\\xff (x)
\.
INSERT INTO t VALUES ('{"\\xff"}', E'"a"=>"\\\\xff"', '\xff');-- {\xff}
"#;
    assert_eq!(escaped(PG, dump), expected);
    let json = b"INSERT INTO `t` VALUES ('{\"a\": \"\xFF\"}','(\xFF)');";
    assert_eq!(escaped(MYSQL, json), r#"INSERT INTO `t` VALUES ('{"a": "\\\\xff"}','(\\xff)');"#);
    // In the rest of a value that is too long to be read as a whole, U+FFFD needs no escape.
    for (open, expected) in [("{", "\u{FFFD}}"), ("", r"\xff}")] {
        let long = format!("SELECT '{open}{}", "a".repeat(LONGEST_FIELD + 9));
        assert!(escaped(PG, &[long.as_bytes(), b"\xFF}';"].concat()).ends_with(&format!("a{expected}';")));
    }
}

/// `mysqldump` writes these modes before triggers and routines.
#[test]
fn a_mode_of_mysql_says_whether_a_backslash_escapes() {
    let plain = "/*!40101 SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_AUTO_VALUE_ON_ZERO' */;\nSELECT 'a\\';';\n\
        /*!50003 SET @saved_sql_mode       = @@sql_mode */ ;\n\
        /*!50003 SET sql_mode              = 'STRICT_TRANS_TABLES,NO_BACKSLASH_ESCAPES' */ ;\nDELIMITER ;;\n";
    for set in [
        plain,
        "SET SESSION sql_mode=no_backslash_escapes;",
        "SET @@session.sql_mode := \"NO_BACKSLASH_ESCAPES\";",
        "SET @x=1,sql_mode='NO_BACKSLASH_ESCAPES',@y=2;",
        "SET sql_mode='NO_BACKSLASH_ESCAPES';SET @o=@@sql_mode,sql_mode='';SELECT 'it\\'s';SET sql_mode=@o;",
        "SET sql_mode='NO_BACKSLASH_ESCAPES';SET sql_mode=REPLACE(@@sql_mode,'ANSI','');",
    ] {
        let dump = [set.as_bytes(), b"SELECT 'C:\\',\"caf\xE9\\n\\\";_binary '\\','caf\xE9'"].concat();
        let restored = if set == plain { "@saved_sql_mode" } else { "''" };
        let restored = format!(";;/*!50003 SET sql_mode = {restored} */ ;SELECT '\\';é';");
        for end in [";;", &restored] {
            let dump = [&dump[..], end.as_bytes()].concat();
            for at_once in [1, 4096] {
                let (_, changes) = mended(MYSQL, &dump, at_once);
                let texts: Vec<_> = changes.iter().map(|change| &*change.text).collect();
                assert_eq!(texts, ["é", "é"], "{set}");
            }
        }
    }
    for set in [
        "",
        "SET GLOBAL sql_mode='NO_BACKSLASH_ESCAPES';",
        "SET @sql_mode='NO_BACKSLASH_ESCAPES';",
        "SET sql_mode='NO_BACKSLASH_ESCAPES';SET sql_mode=DEFAULT;",
        "SET sql_mode=CONCAT(@@sql_mode,',ANSI');",
        "SELECT sql_mode='NO_BACKSLASH_ESCAPES';",
    ] {
        assert!(check(MYSQL, format!("{set}SELECT 'it\\'s';").as_bytes()).is_ok(), "{set}");
    }
    let computed = "SELECT 1;\nSET sql_mode=CONCAT(@@sql_mode,',NO_BACKSLASH_ESCAPES');\n";
    let error = check(MYSQL, computed.as_bytes()).unwrap_err().to_string();
    assert!(error.starts_with("line 2: sql_mode is computed"), "{error}");
}

/// Checked with PostgreSQL 15, MariaDB 10.11 and SQLite 3.40.
#[test]
fn comments_nest_in_postgresql_only() {
    let nested = b"/* caf\xE9 /* don't */*/SELECT 1;/* a /*/ b **/ it's /**/ caf\xE9 */ SELECT 'caf\xE9';\n";
    for at_once in [1, 2, 4096] {
        assert_eq!(mended(PG, nested, at_once).1.len(), 3);
    }
    for structure in [MYSQL, SQLITE] {
        assert!(check(structure, &b"/* a /* b */ SELECT 'it''s /*';"[..]).is_ok());
    }
    let error = check(PG, &b"SELECT 1;\n/* a\n/* b */ SELECT 1;"[..]).unwrap_err().to_string();
    assert_eq!(error, "line 2: a comment does not end");
}
