use super::*;
use crate::charset::Charset;
use crate::repair::choice::Choice;
use crate::repair::whole::whole;

const LINES: &str = "Zażółć gęślą jaźń, żółty jeż; świeży chleb, łąka.\nCzęść też będzie, książka, źródło.\n";

/// The runs found in the last line of a text, as windows-1250.
fn read(line: &[u8], others: &[u8], is_named: bool) -> Vec<(Range<usize>, String)> {
    let legacy = legacy("cp1250");
    let mut mixed = Mixed::new();
    mixed.push(&[LINES.as_bytes(), others, line].concat());
    let mut found = Vec::new();
    Runs::new(mixed.finish(), legacy, is_named).read(line, |run, text| found.push((run, text)));
    found
}

#[test]
fn letters_beside_utf8_in_one_word() {
    let line = b"cz\xEA\xC5\x9B\xE6\n";
    let found = [(2..3, "ę".to_owned()), (5..6, "ć".to_owned())];
    for is_named in [false, true] {
        assert_eq!(read(line, b"", is_named), found);
    }
    // The first two bytes are a Greek letter in UTF-8 by accident.
    assert_eq!(read(b"\xCF\x9Eban\xB9\n", b"", true), [(0..6, "Ďžbaną".to_owned())]);
    assert_eq!(read(b"ksi\xB9\xBFka \xC4\x99\n", b"", true), [(3..5, "ąż".to_owned())]);
}

#[test]
fn a_word_of_utf8_in_a_run_stays() {
    for word in ["日本", "è", "Привет"] {
        let line = [&b"\xBF\xF3\xB3\xE6 "[..], word.as_bytes(), b" \xBF\xF3\xB3\xE6\n"].concat();
        let last = 6 + word.len();
        let found = [(0..4, "żółć".to_owned()), (last..last + 4, "żółć".to_owned())];
        assert_eq!(read(&line, b"", false), found, "{word}");
    }
    // It is a Greek letter in UTF-8, by accident.
    assert_eq!(read(b"\xBF\xF3\xB3\xE6 \xCF\x9E\n", b"", false), [(0..7, "żółć Ďž".to_owned())]);
    assert!(!is_common('\u{85}'), "it is `В…` in windows-1251");
}

#[test]
fn a_run_with_a_byte_that_the_encoding_lacks_is_not_in_it() {
    assert_eq!(read(b"za\xBF\xF3\xB3\xE6\n", b"", false), [(2..6, "żółć".to_owned())]);
    assert_eq!(read(b"za\xBF\x98\xB3\xE6\n", b"", false), []);
}

#[test]
fn what_damage_leaves_is_no_letter() {
    for line in [&b"\xC5\xBB\xF3\xC5ty\n"[..], b"ja\xC5\xC5\x84\n", b"ksi\x85\xC5\xBCka\n"] {
        assert_eq!(read(line, b"", false), [], "{}", line.escape_ascii());
    }
    let damage = [LINES.trim_end().as_bytes(), b" b\xC4dzie, ksi\x85\xC5\xBCka\n"].concat();
    assert_eq!(read(b"cz\xEA\xC5\x9Bci\n", &damage, false), []);
}

fn legacy(name: &str) -> Legacy {
    match Charset::resolve(placemat::label::Labels::Lenient, name) {
        Ok(Charset::Legacy(legacy)) => legacy,
        _ => panic!("{name} is read here"),
    }
}

/// The line `a WORD, b` after well-formed lines and other lines, repaired.
fn with_word(name: &str, lines: &str, others: &[u8], word: &[u8], is_named: bool) -> String {
    let line = [&b"a "[..], word, b", b\n"].concat();
    let mut mixed = Mixed::new();
    mixed.push(&[lines.as_bytes(), others, &line].concat());
    let (mut text, mut at) = (String::new(), 0);
    Runs::new(mixed.finish(), legacy(name), is_named).read(&line, |run, read| {
        text += &String::from_utf8_lossy(&line[at..run.start]);
        text += &read;
        at = run.end;
    });
    text + &String::from_utf8_lossy(&line[at..])
}

#[test]
fn words_of_hangul_that_are_utf8_in_part() {
    let lines = "우리는 모든 사람을 위하여\n그는 우리의 친구이다\n";
    let read = |word: &[u8]| with_word("euc-kr", lines, b"", word, false);
    // 우리는, with 츮 in the middle; 로 occurs in no line.
    assert_eq!(read(b"\xBF\xEC\xB8\xAE\xB4\xC2"), "a 우리는, b\n");
    assert!(read(b"\xBF\xEC\xB8\xAE\xB7\xCE").contains('\u{FFFD}'));
    // Damaged UTF-8.
    for word in [&b"\xEC\x9A\xB0\xEB\xA6\xAC\xEB\x8A"[..], b"\x9A\xB0\xEB\xA6\xAC", b"\xEC\x9A\xEB\xA6\xAC"] {
        assert!(read(word).contains('\u{FFFD}'), "{}", word.escape_ascii());
    }
}

#[test]
fn words_of_ideographs_and_kana_that_are_utf8_in_part() {
    let lines = "折叠的弯路，工人们\n配管の工事、グループ、仕上げ\n財務，業主\n";
    for is_named in [false, true] {
        // 乤 in UTF-8, after three bytes that are no UTF-8.
        assert_eq!(with_word("gbk", lines, b"", b"\xD5\xDB\xCD\xE4\xB9\xA4", is_named), "a 折弯工, b\n");
        let read = with_word("shift_jis", lines, b"", b"\x94z\x8A\xC7\x8DH", is_named);
        assert_eq!(read, "a 配管工, b\n");
        // Damaged UTF-8, of 財務 and 業.
        for (name, word) in [("gbk", &b"\xE8\xB2\xA1\xE5"[..]), ("big5", b"\xA5\xE6\xA5\xAD")] {
            let read = with_word(name, lines, b"", word, is_named);
            assert!(read.contains('\u{FFFD}'), "{name}: {read}");
        }
    }
}

#[test]
fn words_in_an_encoding_that_is_named_need_no_known_characters() {
    let lines = "第一行\n";
    let read = |name, word: &[u8]| with_word(name, lines, b"", word, true);
    // The third character is 乤 in UTF-8; the fourth of the second word is a comma.
    assert_eq!(read("gbk", b"\xD5\xDB\xCD\xE4\xB9\xA4"), "a 折弯工, b\n");
    assert_eq!(read("gbk", b"\xC9\xCF\xBA\xA3\xA3\xAC\xB1\xB1\xBE\xA9"), "a 上海，北京, b\n");
    assert_eq!(read("euc-kr", b"\xBF\xEC\xB8\xAE\xB7\xCE"), "a 우리로, b\n");
    assert_eq!(read("shift_jis", b"\x94z\x8A\xC7\x8DH"), "a 配管工, b\n");
    // Damaged UTF-8, of 孙宁, 財務, 業務, 第二行, naïve, été, 范畅 and 何亮.
    let damaged = [
        &b"\xE8\xB2\xE5\x8B\x99"[..],
        b"\xE6\xA5\xAD\xE5\x8B",
        b"\xE7\xAC\xAC\xE4\xBA\xE8\xA1\x8C",
        b"na\xC3ve",
        b"\xC3t\xC3",
        b"\xE8\x8C\x83\xA7\x95\x85",
        b"\xE4\xBD\x95\xA4\xBA\xAE",
    ];
    let mut mixed = Mixed::new();
    mixed.push(lines.as_bytes());
    let mixed = mixed.finish();
    for name in ["big5", "gbk", "gb18030", "euc-kr", "euc-jp", "shift_jis"] {
        let runs = Runs::new(mixed.clone(), legacy(name), true);
        for word in damaged {
            assert_eq!(runs.word(word), None, "{name}");
        }
    }
    assert!(with_word("gbk", lines, b"", b"\xD5\xDB\xCD\xE4\xB9\xA4", false).contains('\u{FFFD}'));
}

#[test]
fn a_character_whose_second_byte_is_no_letter_stays_whole() {
    let lines = "第一行\n";
    for (name, text) in [
        ("shift_jis", "予定表"),
        ("shift_jis", "表"),
        ("shift_jis", "能力テスト"),
        ("big5", "成功"),
        ("big5", "許多蓋"),
        ("gbk", "昞東"),
        ("gb18030", "中\u{3447}文"),
    ] {
        let bytes = encoding_rs::Encoding::for_label(name.as_bytes()).unwrap().encode(text).0;
        // What follows a word may be an ASCII character as in its characters.
        for [before, after] in [["(", ")"], ["\\", "\\n"], ["|", "|"], ["", "@"], ["[", "]@"]] {
            let word = [before.as_bytes(), &bytes, after.as_bytes()].concat();
            let read = with_word(name, lines, b"", &word, true);
            assert_eq!(read, format!("a {before}{text}{after}, b\n"), "{name}");
        }
    }
    // Damaged UTF-8 before a backslash: of 表 and 能力.
    for word in [&b"\xE8\xA1\\n"[..], b"\xE8\x83\xBD\xE5\x8A\\n"] {
        let read = with_word("shift_jis", lines, b"", word, true);
        assert!(read.contains('\u{FFFD}') && read.contains("\\n"), "{read}");
    }
}

#[test]
fn letters_that_are_utf8_by_accident() {
    let lines = "Київ, м³, уряд і Віра\nзаява, вулиця Шевченка, дім, гора\n";
    for is_named in [false, true] {
        let read = |others, word| with_word("windows-1251", lines, others, word, is_named);
        // The first two bytes are г or ³ in UTF-8.
        assert_eq!(read(b"", b"\xD0\xB3\xE2\xED\xE5"), "a Рівне, b\n");
        assert_eq!(read(b"", b"\xC2\xB3\xF0\xE0"), "a Віра, b\n");
        // In a text whose words mix both encodings, they are г.
        assert_eq!(read(b"\xE4\xD0\xB0\xEC\n", b"\xD0\xB3\xEE\xF0\xE0"), "a гора, b\n");
    }
}

#[test]
fn marks_of_letters_are_letters() {
    let thai = "ไม่พบคำสั่งซื้อ\nขอบคุณครับ\nที่นี่ ว่า ซ้ำ\n";
    // With 辺 and 觫 in the middle.
    let word = b"\xE4\xC1\xE8\xBE\xBA\xA4\xD3\xCA\xD1\xE8\xA7\xAB\xD7\xE9\xCD";
    assert_eq!(with_word("windows-874", thai, b"", word, true), "a ไม่พบคำสั่งซื้อ, b\n");
    // With ԝ in the middle: U+200C.
    let persian = "آتش\u{200c}نشان\nدندان\u{200c}پزشک\n";
    let word = b"\xC2\xCA\xD4\x9D\xE4\xD4\xC7\xE4";
    assert_eq!(with_word("windows-1256", persian, b"", word, true), "a آتش\u{200c}نشان, b\n");
}

#[test]
fn lines_in_an_encoding_that_is_named_are_read_as_a_whole() {
    for is_named in [false, true] {
        // The comma after the first word is part of ɡ in UTF-8.
        let arabic = "القيمة باطلة، تجاهل\nخاصية، مساحة\nالرابع غير كاسرة\n";
        let word = b"\xC8\xC7\xD8\xE1\xC9\xA1 \xCA\xCC\xC7\xE5\xE1";
        assert_eq!(with_word("windows-1256", arabic, b"", word, is_named), "a باطلة، تجاهل, b\n");
        // Four bytes of the second word are two ideographs.
        let russian = "не удалось получить\nсписок таблиц сервера\nсбой проверки\n";
        let word = b"\xAF\xAE\xAB\xE3\xE7\xA8\xE2\xEC \xE1\xAF\xA8\xE1\xAE\xAA";
        assert_eq!(with_word("cp866", russian, b"", word, is_named), "a получить список, b\n");
    }
}

/// A character at the end of a run was cut off, or a byte in it damaged: the rest is read.
#[test]
fn a_run_in_an_east_asian_encoding_is_read_but_for_what_is_malformed() {
    let utf8 = "これは日本語の文章です。漢字とかなが混ざっています。\n東京都は日本の首都であり、人口が多い都市です。\n";
    let sentence = "コンピュータで文字を扱うときは、文字コードに注意する必要があります";
    for encoding in [encoding_rs::SHIFT_JIS, encoding_rs::EUC_JP] {
        let line = encoding.encode(sentence).0.into_owned();
        let cut = &line[..line.len() - 1];
        let damaged = [&line[..20], b"\xFF", &line[20..]].concat();
        for (line, meant) in [(cut, &sentence[..sentence.len() - 3]), (&damaged, sentence)] {
            let text = [utf8.as_bytes(), line, b"\n", utf8.as_bytes()].concat();
            let repaired = whole(&text, &Choice::default()).unwrap().text;
            let repaired = String::from_utf8(repaired).unwrap().replace('\u{FFFD}', "");
            assert_eq!(repaired, format!("{utf8}{meant}\n{utf8}"), "{}", encoding.name());
        }
        // Too much is malformed to be in the encoding.
        let noise: Vec<u8> = line.iter().flat_map(|byte| [*byte, 0xFF]).collect();
        assert_eq!(pieces::pieces(legacy(encoding.name()), &noise), []);
    }
}
