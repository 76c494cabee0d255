//! How many times as fast as the C library's.

use std::time::{Duration, Instant};

use crate::library::{Library, Open};

/// Source, target, and the text: pairs of forms first, which have the higher aim.
const PAIRS: [(&str, &str, &str, f64); 14] = [
    ("UTF-8", "UTF-16LE", "Ein Text mit Umlauten: äöü – und etwas Ελληνικά. ", 5.0),
    ("UTF-16LE", "UTF-8", "Ein Text mit Umlauten: äöü – und etwas Ελληνικά. ", 5.0),
    ("UTF-8", "UCS-4LE", "Съешь ещё этих мягких французских булок. ", 5.0),
    ("UCS-4LE", "UTF-8", "Съешь ещё этих мягких французских булок. ", 5.0),
    ("UTF-8", "UTF-16BE", "いろはにほへと ちりぬるを ", 5.0),
    ("UTF-16BE", "UTF-8", "いろはにほへと ちりぬるを ", 5.0),
    ("ISO-8859-1", "UTF-8", "Café, naïve, plain text follows here. ", 2.0),
    ("UTF-8", "ISO-8859-1", "Café, naïve, plain text follows here. ", 2.0),
    ("KOI8-R", "UTF-8", "Съешь ещё этих мягких французских булок. ", 2.0),
    ("UTF-8", "KOI8-R", "Съешь ещё этих мягких французских булок. ", 2.0),
    ("EUC-JP", "UTF-8", "いろはにほへと ちりぬるを 漢字 ", 2.0),
    ("UTF-8", "SJIS", "いろはにほへと ちりぬるを 漢字 ", 2.0),
    ("GBK", "UTF-8", "天地玄黄 宇宙洪荒 plain ", 2.0),
    ("UTF-8", "GB18030", "天地玄黄 宇宙洪荒 plain ", 2.0),
];

pub(crate) fn run() -> bool {
    let mut is_right = true;
    for (length, least) in [(64 << 10, None), (16, Some(1.0))] {
        println!("{length} bytes a call: ns, glibc's ns, ratio");
        for (from, to, text, aim) in PAIRS {
            let source = encoded(from, text, length);
            let ours = time(Library::ours(), to, from, &source);
            let theirs = time(Library::system(), to, from, &source);
            let (ratio, aim) = (theirs / ours, least.unwrap_or(aim));
            let verdict = if ratio < aim { "  below its aim" } else { "" };
            println!("  {from:>10} to {to:<10} {ours:9.0} {theirs:9.0} {ratio:6.1}{verdict}");
            is_right &= ratio >= aim;
        }
    }
    is_right
}

/// So many bytes of that text over and over, to a whole character.
fn encoded(to: &str, text: &str, length: usize) -> Vec<u8> {
    let text = text.repeat(length / text.chars().count() + 1);
    let mut out = vec![0; length];
    let called = Library::system().open(to, "UTF-8").unwrap().convert(text.as_bytes(), &mut out);
    out.truncate(called.written);
    out
}

/// The shortest time of a call, in ns.
fn time(library: Library, to: &str, from: &str, source: &[u8]) -> f64 {
    let open = library.open(to, from).unwrap();
    let mut out = vec![0; source.len() * 4 + 64];
    let calls = (1 << 18) / source.len().max(1024) + 8;
    let mut best = f64::INFINITY;
    let start = Instant::now();
    while start.elapsed() < Duration::from_millis(150) {
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
