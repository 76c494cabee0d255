//! Compares the results of both libraries for every sequence of every encoding, and for every character.

use crate::library::{Library, Open};

#[rustfmt::skip]
const NAMES: &[&str] = &[
    "ASCII", "ISO-8859-1", "ISO-8859-2", "ISO-8859-3", "ISO-8859-4", "ISO-8859-5", "ISO-8859-6", "ISO-8859-7", "ISO-8859-8",
    "ISO-8859-9", "ISO-8859-10", "ISO-8859-11", "ISO-8859-13", "ISO-8859-14", "ISO-8859-15", "ISO-8859-16", "TIS-620", "KOI8-R",
    "KOI8-U", "MACINTOSH", "MAC-CYRILLIC", "CP437", "CP737", "CP775", "CP850", "CP852", "CP855", "CP857", "CP858", "CP860", "CP861",
    "CP862", "CP863", "CP864", "CP865", "CP866", "CP869", "CP874", "CP1250", "CP1251", "CP1252", "CP1253", "CP1254", "CP1255",
    "CP1256", "CP1257", "CP1258", "SJIS", "CP932", "EUC-JP", "EUC-JP-MS", "GB2312", "GBK", "CP936", "GB18030", "BIG5", "BIG5-HKSCS",
    "CP950", "EUC-KR", "UHC", "EUC-TW", "JOHAB", "KOI8-RU", "CP1125", "EBCDIC-US", "IBM037", "IBM1047",
];

pub(crate) fn run() -> bool {
    for name in NAMES {
        let (ours, theirs) = (Library::ours(), Library::system());
        let (Ok(a), Ok(b)) = (ours.open("UCS-4BE", name), theirs.open("UCS-4BE", name)) else {
            println!(
                "{name}: opens here: {}, there: {}",
                ours.open("UCS-4BE", name).is_ok(),
                theirs.open("UCS-4BE", name).is_ok()
            );
            continue;
        };
        let mut reading = Vec::new();
        for first in 0..=255u8 {
            sequence(&a, &b, &[first], &mut reading);
        }
        let (Ok(a), Ok(b)) = (ours.open(name, "UCS-4BE"), theirs.open(name, "UCS-4BE")) else { continue };
        let mut writing = Vec::new();
        for c in (0..0x3_0000u32).filter_map(char::from_u32) {
            let code = u32::from(c).to_be_bytes();
            let (x, y) = (one(&a, &code), one(&b, &code));
            if x != y {
                writing.push(format!(
                    "U+{:04X} {} / {}",
                    u32::from(c),
                    hex(x.as_deref().ok()),
                    hex(y.as_deref().ok())
                ));
            }
        }
        if !reading.is_empty() || !writing.is_empty() {
            let show = |all: &[String]| all.iter().take(12).cloned().collect::<Vec<_>>().join(", ");
            println!(
                "{name}: reads {} otherwise: {}; writes {} otherwise: {}",
                reading.len(),
                show(&reading),
                writing.len(),
                show(&writing)
            );
        }
    }
    true
}

/// Compares the sequences that start with these bytes, up to three bytes.
fn sequence(a: &Open, b: &Open, bytes: &[u8], found: &mut Vec<String>) {
    let (x, y) = (one(a, bytes), one(b, bytes));
    if x != y {
        found.push(format!("{} {} / {}", hex(Some(bytes)), code(&x), code(&y)));
    }
    if bytes.len() < 2 && (x == Err(libc::EINVAL) || y == Err(libc::EINVAL)) {
        for next in 0..=255u8 {
            sequence(a, b, &[bytes, &[next]].concat(), found);
        }
    }
}

/// Converts a whole sequence.
pub(crate) fn one(open: &Open, bytes: &[u8]) -> Result<Vec<u8>, i32> {
    let mut out = [0; 16];
    open.reset(None);
    let called = open.convert(bytes, &mut out);
    let more = open.reset(Some(&mut out[called.written..])).written;
    match called.result {
        Ok(0) => Ok(out[..called.written + more].to_vec()),
        Ok(_) => Err(libc::EILSEQ),
        Err(error) => Err(error),
    }
}

fn hex(bytes: Option<&[u8]>) -> String {
    bytes.map_or("-".to_owned(), |bytes| bytes.iter().map(|b| format!("{b:02X}")).collect())
}

fn code(found: &Result<Vec<u8>, i32>) -> String {
    match found {
        Ok(bytes) => hex(Some(bytes)).trim_start_matches('0').to_owned(),
        Err(libc::EINVAL) => "short".to_owned(),
        Err(_) => "-".to_owned(),
    }
}
