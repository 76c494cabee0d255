//! Measures how many times as fast as the C library our iconv is.

use std::time::{Duration, Instant};

use crate::library::{Library, Open};

/// Pairs of forms: source, target, and the text.
const FORMS: [(&str, &str, &str); 10] = [
    ("UTF-8", "UTF-16LE", "Ein Text mit Umlauten: äöü – und etwas Ελληνικά. "),
    ("UTF-16LE", "UTF-8", "Ein Text mit Umlauten: äöü – und etwas Ελληνικά. "),
    ("UTF-8", "UCS-4LE", "Съешь ещё этих мягких французских булок. "),
    ("UCS-4LE", "UTF-8", "Съешь ещё этих мягких французских булок. "),
    ("UTF-8", "UTF-16BE", "いろはにほへと ちりぬるを "),
    ("UTF-16BE", "UTF-8", "いろはにほへと ちりぬるを "),
    ("UTF-8", "UTF-16", "Plain text of a README, line by line. "),
    ("UTF-8", "WCHAR_T", "Plain text with a “quotation” – or two. "),
    ("UTF-16LE", "UCS-4LE", "Ein Text mit Umlauten: äöü – und Ελληνικά. "),
    ("UTF-8", "UTF-8", "いろはにほへと, plain text; Съешь ещё. "),
];

/// Legacy encodings with a text for each, converted from and to UTF-8.
#[rustfmt::skip]
const LEGACY: [(&[&str], &str); 16] = [
    (&["ISO-8859-1", "ISO-8859-15", "ISO-8859-3", "CP1252", "MACINTOSH", "CP437", "CP850", "CP858"], "Café noté, là où l'été était gai. "),
    (&["ISO-8859-2", "CP1250", "CP852"], "Příliš žluťoučký kůň úpěl ďábelské ódy. "),
    (&["ISO-8859-16"], "Să fie bună și curată casa. "),
    (&["ISO-8859-5", "KOI8-R", "KOI8-U", "CP1251", "CP866", "CP855", "MAC-CYRILLIC"], "Съешь ещё этих мягких французских булок. "),
    (&["ISO-8859-7", "CP1253", "CP737", "CP869"], "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία. "),
    (&["ISO-8859-9", "CP1254", "CP857"], "Pijamalı hasta yağız şoföre çabucak güvendi. "),
    (&["ISO-8859-8", "CP1255", "CP862"], "דג סקרן שט בים מאוכזב ולפתע מצא חברה. "),
    (&["ISO-8859-6", "CP1256"], "صفحة قديمة من كتاب. "),
    (&["ISO-8859-4", "ISO-8859-10", "ISO-8859-13", "CP1257", "CP775"], "Įlinkdama žvangėjo: šė, ū. "),
    (&["ISO-8859-14"], "Ŵyth Ŷ ẁ ẃ ẅ llan. "),
    (&["CP1258"], "Đơn ư và ô, â ă. "),
    (&["TIS-620", "ISO-8859-11", "CP874"], "เป็นมนุษย์สุดประเสริฐเลิศคุณค่า "),
    (&["EUC-JP", "SJIS", "CP932", "ISO-2022-JP"], "いろはにほへと ちりぬるを 漢字 text "),
    (&["GB2312", "GBK", "GB18030"], "天地玄黄 日月盈昃 plain 人中 "),
    (&["BIG5", "BIG5-HKSCS"], "天地玄黃 宇宙洪荒 plain "),
    (&["EUC-KR", "UHC"], "다람쥐 헌 쳇바퀴에 타고파 "),
];

/// Pairs without UTF-8: source, target, and the text.
const OTHERS: [(&str, &str, &str); 6] = [
    ("KOI8-R", "CP1251", "Съешь ещё этих мягких французских булок. "),
    ("CP1252", "UTF-16LE", "Café noté, où l'été était gai. "),
    ("UTF-16LE", "CP1252", "Café noté, où l'été était gai. "),
    ("SJIS", "EUC-JP", "いろはにほへと ちりぬるを 漢字 text "),
    ("UTF-16LE", "GB18030", "天地玄黄 日月盈昃 plain 人中 "),
    ("BIG5", "UCS-4LE", "天地玄黃 宇宙洪荒 plain "),
];

/// The time for which a library is measured for a pair, in ms.
const PATIENCE: u64 = 40;

/// `only`: measure only the pairs with this name.
pub(crate) fn run(only: Option<&str>) -> bool {
    let mut is_right = true;
    let pair = |from: &str, to: &str, text: &str, length: usize, aim: f64| {
        let is_meant = only.is_none_or(|word| word == from || word == to || word == format!("{from}:{to}"));
        !is_meant || pair(from, to, text, length, aim)
    };
    for length in [64 << 10, 16] {
        println!("{length} bytes a call: ns, glibc's ns, ratio");
        for (from, to, text) in FORMS {
            is_right &= pair(from, to, text, length, if length == 16 { 1.0 } else { 5.0 });
        }
        for (from, to, text) in OTHERS {
            is_right &= pair(from, to, text, length, if length == 16 { 1.0 } else { 2.0 });
        }
        for (names, text) in LEGACY {
            for name in names {
                let aim = if length == 16 { 1.0 } else { 2.0 };
                is_right &= pair(name, "UTF-8", text, length, aim);
                is_right &= pair("UTF-8", name, text, length, aim);
            }
        }
    }
    is_right
}

/// Measures a pair and prints the result. Returns whether ours is at least `aim` times as fast.
fn pair(from: &str, to: &str, text: &str, length: usize, aim: f64) -> bool {
    let source = encoded(from, text, length);
    // In turn, so that both are measured under the same load.
    let (mut ours, mut theirs) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..4 {
        ours = ours.min(time(Library::ours(), to, from, &source));
        theirs = theirs.min(time(Library::system(), to, from, &source));
    }
    let ratio = theirs / ours;
    let verdict = if ratio < aim { "  below its aim" } else { "" };
    println!("  {from:>12} to {to:<12} {ours:9.0} {theirs:9.0} {ratio:6.2}{verdict}");
    ratio >= aim
}

/// Repeats the text to this many bytes, up to a whole character.
fn encoded(to: &str, text: &str, length: usize) -> Vec<u8> {
    let text = text.repeat(length / text.chars().count() + 1);
    let mut out = vec![0; length];
    let called = Library::system().open(to, "UTF-8").unwrap().convert(text.as_bytes(), &mut out);
    assert!(called.result.is_ok() || called.result == Err(libc::E2BIG), "{to} lacks something of {text:.40}");
    out.truncate(called.written);
    out
}

/// The shortest time of a call, in ns.
fn time(library: Library, to: &str, from: &str, source: &[u8]) -> f64 {
    let open = library.open(to, from).unwrap();
    let mut out = vec![0; source.len() * 4 + 64];
    let calls = (1 << 16) / source.len().max(512) + 4;
    let mut best = f64::INFINITY;
    let start = Instant::now();
    while start.elapsed() < Duration::from_millis(PATIENCE / 4) {
        best = best.min(once(&open, calls, source, &mut out));
    }
    best
}

fn once(open: &Open, calls: usize, source: &[u8], out: &mut [u8]) -> f64 {
    let start = Instant::now();
    for _ in 0..calls {
        let called = open.convert(source, out);
        assert_eq!(called.read, source.len());
    }
    start.elapsed().as_nanos() as f64 / calls as f64
}
