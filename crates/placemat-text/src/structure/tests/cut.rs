//! Delimiters that may be the second byte of a character.

use placemat::Policy;
use placemat::label::Labels;

use crate::charset::{Charset, Legacy, LegacyWriter};
use crate::repair::choice::Choice;
use crate::structure::{Structure, whole};

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
