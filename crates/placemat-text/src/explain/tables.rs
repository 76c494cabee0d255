//! A code point in the tables of three documents: RFC 3629, RFC 2279, and the proposal of July 1992, which subtracts a bias.

use placemat::{CodePoint, Form};

use super::document::{Block, Columns, Document, Ink, Line};
use crate::notation::hex;

/// The first and the last code point, and the bytes as the document draws them.
type Row = (u32, u32, &'static str);

const RFC_3629: [Row; 4] = [
    (0, 0x7F, "0xxxxxxx"),
    (0x80, 0x7FF, "110xxxxx 10xxxxxx"),
    (0x800, 0xFFFF, "1110xxxx 10xxxxxx 10xxxxxx"),
    (0x1_0000, 0x10_FFFF, "11110xxx 10xxxxxx 10xxxxxx 10xxxxxx"),
];

const RFC_2279: [Row; 6] = [
    RFC_3629[0],
    RFC_3629[1],
    RFC_3629[2],
    (0x1_0000, 0x1F_FFFF, RFC_3629[3].2),
    (0x20_0000, 0x3FF_FFFF, "111110xx 10xxxxxx 10xxxxxx 10xxxxxx 10xxxxxx"),
    (0x400_0000, 0x7FFF_FFFF, "1111110x 10xxxxxx 10xxxxxx 10xxxxxx 10xxxxxx 10xxxxxx"),
];

const BIASED: [Row; 5] = [
    (0, 0x7F, "0xxxxxxx"),
    (0x80, 0x207F, "10xxxxxx 1xxxxxxx"),
    (0x2080, 0x8_207F, "110xxxxx 1xxxxxxx 1xxxxxxx"),
    (0x8_2080, 0x208_207F, "1110xxxx 1xxxxxxx 1xxxxxxx 1xxxxxxx"),
    (0x208_2080, 0x7FFF_FFFF, "11110xxx 1xxxxxxx 1xxxxxxx 1xxxxxxx 1xxxxxxx"),
];

/// Returns the three tables. The row of the code point is marked, and has its bits in place of the x.
///
/// ```
/// use placemat::CodePoint;
/// use placemat_text::explain::tell_tables;
///
/// let screen = tell_tables(CodePoint::from('€')).screen(100);
/// assert!(screen.contains("RFC 3629") && screen.contains("E2 82 AC"));
/// ```
#[must_use]
pub fn tell_tables(c: CodePoint) -> Document {
    let all: [(&'static str, &'static str, Form, &[Row]); 3] = [
        (
            "RFC 3629, section 3: UTF-8 today",
            "U+D800..U+DFFF stay out: they are halves of UTF-16 pairs.",
            Form::Utf8,
            &RFC_3629,
        ),
        (
            "RFC 2279, section 2: UTF-8 from 1998 to 2003",
            "Up to six bytes, for 31 bits.",
            Form::FssUtf199209,
            &RFC_2279,
        ),
        (
            "FSS-UTF as proposed in July 1992",
            "Each length counts from its own first value, so nothing can be written twice; but a continuation byte looks like a lead byte.",
            Form::FssUtf199207,
            &BIASED,
        ),
    ];
    let mut blocks = Vec::new();
    for (title, note, form, rows) in all {
        let bytes = placemat::convert(Form::Ucs4Be, form, &c.value().to_be_bytes()).ok();
        blocks.push(Block::Section(title));
        let rows = rows.iter().map(|row| told(c.value(), row, bytes.as_deref())).collect();
        blocks.push(Block::Columns(Columns { heads: HEADS, headed: true, rows }));
        let line = match &bytes {
            Some(bytes) => {
                Line::plain(format!("{c} is ")).with(Ink::Strong, hex(bytes)).with(Ink::Plain, ". ")
            }
            None => Line::plain(format!("{c} ")).with(Ink::Bad, "has no bytes here").with(Ink::Plain, ". "),
        };
        blocks.push(Block::Text(line.with(Ink::Faint, note)));
    }
    Document(blocks)
}

const HEADS: &[(&str, usize, bool)] = &[("from", 8, true), ("to", 8, true), ("bytes", 0, false)];

fn told(value: u32, &(first, last, pattern): &Row, bytes: Option<&[u8]>) -> Vec<Line> {
    let point = |value: u32| format!("{value:04X}");
    let here = bytes.filter(|_| (first..=last).contains(&value));
    let Some(bytes) = here else {
        let faint = |text: &str| Line::inked(Ink::Faint, text);
        return vec![faint(&point(first)), faint(&point(last)), faint(pattern)];
    };
    let mut bits = Line::new();
    for (n, (drawn, &byte)) in pattern.split(' ').zip(bytes).enumerate() {
        let markers = drawn.find('x').unwrap_or(drawn.len());
        let all = format!("{byte:08b}");
        let ink = if n == 0 { Ink::Lead } else { Ink::Continuation };
        bits = bits.with(Ink::Plain, if n == 0 { "" } else { " " });
        bits = bits.with(Ink::Faint, &all[..markers]).with(ink, &all[markers..]);
    }
    vec![Line::inked(Ink::Strong, point(first)), Line::inked(Ink::Strong, point(last)), bits]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At both ends of each row, the tables agree with what the forms write.
    #[test]
    fn every_row_is_as_its_form_writes() {
        for (form, rows) in
            [(Form::Utf8, &RFC_3629[..]), (Form::FssUtf199209, &RFC_2279), (Form::FssUtf199207, &BIASED)]
        {
            for &(first, last, pattern) in rows {
                for value in [first, last] {
                    let bytes = placemat::convert(Form::Ucs4Be, form, &value.to_be_bytes()).unwrap();
                    let drawn: Vec<&str> = pattern.split(' ').collect();
                    assert_eq!(bytes.len(), drawn.len(), "{form} {value:X}");
                    for (byte, drawn) in bytes.iter().zip(drawn) {
                        let marker = drawn.trim_end_matches('x');
                        assert!(format!("{byte:08b}").starts_with(marker), "{form} {value:X}");
                    }
                }
            }
        }
    }

    #[test]
    fn what_a_table_has_not_is_said() {
        let screen = tell_tables(CodePoint::new(0x11_0000).unwrap()).screen(100);
        assert!(screen.contains("has no bytes here") && screen.contains("U+110000 is"), "{screen}");
    }
}
