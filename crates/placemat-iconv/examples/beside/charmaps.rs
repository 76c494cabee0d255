//! Compares the tables of a folder of charmaps (POSIX, `localedef`), as in glibc's source, with what our iconv reads and writes.

use std::path::Path;
use std::{env, fs};

use crate::library::{Library, Open};
use crate::tables::one;

/// A line of a charmap: the character, its bytes, and whether the bytes are only read, not written.
struct Mapping {
    c: u32,
    bytes: Vec<u8>,
    is_only_read: bool,
}

/// The known differences: the number of sequences that are read differently, of characters that are written differently, and the
/// reason. README.md describes them.
#[rustfmt::skip]
const KNOWN: [(&str, usize, usize, &str); 13] = [
    ("BIG5", 410, 414, "the web's table: C6 A1 to C8 FE are Hong Kong's, F9 F9 and the like are written for box drawing"),
    ("BIG5-HKSCS", 12, 29, "the web's table"),
    ("CP10007", 2, 2, "Apple's table of today: the euro sign at FF"),
    ("CP1255", 1, 0, "CA is U+05BA in the web's table"),
    ("EUC-JP-MS", 2017, 2283, "the web's table has neither C1 controls nor private characters"),
    ("EUC-KR", 33, 33, "no C1 controls"),
    ("GB18030", 7, 7, "the web's table, of 2022"),
    ("GBK", 1, 1, "80 is nothing, as in the C library's own iconv"),
    ("IBM1026", 2, 2, "IBM's table: 9D is the cedilla, BC the macron"),
    ("IBM864", 1, 1, "25 is the percent sign"),
    ("KOI-8", 65, 0, "the name means KOI8-R, as on the web"),
    ("MAC-CYRILLIC", 2, 2, "Apple's table of today: the euro sign at FF"),
    ("MACINTOSH", 2, 2, "Apple's table: C6 is U+2206, F0 the apple at U+F8FF"),
];

pub(crate) fn run() -> bool {
    let folder = env::args().nth(2).unwrap_or_default();
    let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
    let mut names: Vec<_> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    let (mut tables, mut mappings, mut is_right) = (0, 0, true);
    for name in names {
        // Forms have no table to compare, and the charmap `UTF-8` omits characters without a name.
        if name.starts_with("UTF") || name.starts_with("ISO_10646") {
            continue;
        }
        let ours = Library::ours();
        let (Ok(reader), Ok(writer)) = (ours.open("UCS-4BE", &name), ours.open(&name, "UCS-4BE")) else {
            continue;
        };
        let text = fs::read(Path::new(&folder).join(&name)).unwrap_or_default();
        let map = charmap(&String::from_utf8_lossy(&text));
        tables += 1;
        mappings += map.len();
        let (read, written) = compare(&map, &reader, &writer);
        let known = KNOWN.iter().find(|(known, ..)| *known == name);
        let counts = (read.len(), written.len());
        let expected = known.map_or((0, 0), |&(_, read, written, _)| (read, written));
        if counts != expected {
            is_right = false;
            let few = |all: &[String]| all.iter().take(8).cloned().collect::<Vec<_>>().join(", ");
            println!(
                "{name}: {counts:?} read and written otherwise, not {expected:?}: {}; {}",
                few(&read),
                few(&written)
            );
        } else if let Some((.., why)) = known {
            println!("{name}: {counts:?} read and written otherwise: {why}");
        }
    }
    println!("{tables} tables with {mappings} lines");
    is_right && tables > 50
}

fn compare(map: &[Mapping], reader: &Open, writer: &Open) -> (Vec<String>, Vec<String>) {
    let (mut read, mut written) = (Vec::new(), Vec::new());
    for Mapping { c, bytes, is_only_read } in map {
        let code = c.to_be_bytes();
        let found = one(reader, bytes);
        if found.as_deref() != Ok(&code) {
            read.push(format!("{bytes:02X?} {:02X?} not U+{c:04X}", found.ok()));
        }
        let found = one(writer, &code);
        if !is_only_read && found.as_deref() != Ok(bytes) {
            written.push(format!("U+{c:04X} {:02X?} not {bytes:02X?}", found.ok()));
        }
    }
    // For single-byte encodings: a byte that the charmap does not have must be an error here.
    let is_single = map.iter().all(|mapping| mapping.bytes.len() == 1);
    for byte in (0..=255).filter(|_| is_single) {
        let is_there = map.iter().any(|mapping| mapping.bytes[0] == byte);
        if !is_there && one(reader, &[byte]) != Err(libc::EILSEQ) {
            read.push(format!("[{byte:02X}] is something"));
        }
    }
    (read, written)
}

/// Parses the lines between `CHARMAP` and `END CHARMAP`: `<U0041> /x41 A`, or a range of characters with the bytes of the first.
fn charmap(text: &str) -> Vec<Mapping> {
    let lines = text.lines().skip_while(|line| !line.starts_with("CHARMAP")).skip(1);
    let mut map = Vec::new();
    for line in lines.take_while(|line| !line.starts_with("END CHARMAP")) {
        let (line, is_only_read) =
            line.strip_prefix("%IRREVERSIBLE%").map_or((line, false), |line| (line, true));
        let mut words = line.split_whitespace();
        let (Some(characters), Some(bytes)) = (words.next(), words.next()) else { continue };
        let code_point =
            |name: &str| u32::from_str_radix(name.strip_prefix("<U")?.strip_suffix('>')?, 16).ok();
        let (first, last) = characters.split_once("..").unwrap_or((characters, characters));
        let (Some(first), Some(last)) = (code_point(first), code_point(last)) else { continue };
        let bytes: Option<Vec<u8>> =
            bytes.split("/x").skip(1).map(|digits| u8::from_str_radix(digits, 16).ok()).collect();
        let Some(bytes) = bytes.filter(|bytes| !bytes.is_empty()) else { continue };
        for (c, step) in (first..=last).zip(0..) {
            let mut bytes = bytes.clone();
            if let Some(end) = bytes.last_mut() {
                *end = end.wrapping_add(step);
            }
            map.push(Mapping { c, bytes, is_only_read });
        }
    }
    map
}
