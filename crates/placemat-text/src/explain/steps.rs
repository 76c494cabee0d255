//! Explains step by step how a character is encoded, in the way that textbooks use the euro sign.

use placemat::CodePoint;
use placemat::boundary::announced_length;

use super::document::{Ink, Line};

/// Returns the steps for a sequence whose lead byte announces its length. Three bytes take seven steps.
pub(crate) fn steps(c: CodePoint, bytes: &[u8]) -> Vec<Line> {
    let Some(&lead) = bytes.first() else { return Vec::new() };
    if bytes.len() == 1 && lead < 0x80 {
        return single(c, lead);
    }
    let n = bytes.len();
    let (first, last) = range(n);
    // Pairs of surrogates and the NUL of Modified UTF-8 are not encoded in these steps.
    if announced_length(lead) != n || !(first..=last).contains(&c.value()) {
        return Vec::new();
    }
    let bits = payload_bits(n);
    let value = spelt(bytes);
    let all = format!("{value:0bits$b}");
    let (in_lead, mut rest) = all.split_at(bits - 6 * (n - 1));
    let ones = "1".repeat(n);
    let code_point = Line::plain("The code point is ").with(Ink::Strong, c.to_string());
    let mut steps = vec![
        if value == c.value() {
            code_point.with(Ink::Plain, ".")
        } else {
            code_point.with(Ink::Plain, format!(", which Unicode 1.1 had at U+{value:04X}."))
        },
        Line::plain(format!("It lies between U+{first:04X} and U+{last:04X}, so it takes {n} bytes.")),
        Line::plain(format!("{n} bytes hold {bits} bits. In {bits} bits, {value:X} is "))
            .with(Ink::Strong, spaced(&all)),
        Line::plain("The lead byte announces the length with as many ones, and a zero: ")
            .with(Ink::Faint, format!("{ones}0")),
        Line::plain(format!("The first {} the rest of it: ", counted(in_lead.len()))).and(byte(
            &format!("{ones}0"),
            in_lead,
            Ink::Lead,
            lead,
        )),
    ];
    for (k, &value) in bytes.iter().enumerate().skip(1) {
        let (six, more) = rest.split_at(6);
        rest = more;
        let which = if k + 1 == n { "last" } else { "next" };
        let text = format!("The {which} 6 bits stand behind the marker 10 of a tail: ");
        steps.push(Line::plain(text).and(byte("10", six, Ink::Continuation, value)));
    }
    steps
}

fn single(c: CodePoint, byte_value: u8) -> Vec<Line> {
    vec![
        Line::plain("The code point is ").with(Ink::Strong, c.to_string()).with(Ink::Plain, "."),
        Line::plain("It lies between U+0000 and U+007F, so it takes 1 byte: ASCII is UTF-8 as it stands."),
        Line::plain("A zero, and the 7 bits: ").and(byte(
            "0",
            &format!("{byte_value:07b}"),
            Ink::Ascii,
            byte_value,
        )),
    ]
}

fn byte(marker: &str, payload: &str, ink: Ink, value: u8) -> Line {
    Line::new()
        .with(Ink::Faint, marker)
        .with(Ink::Plain, " ")
        .with(ink, payload)
        .with(Ink::Plain, " = ")
        .with(ink, format!("{value:02X}"))
}

fn counted(bits: usize) -> String {
    if bits == 1 { "bit fills".to_owned() } else { format!("{bits} bits fill") }
}

/// The value of a sequence's payload: the code point, except for Hangul syllables of Unicode 1.1, which have moved since.
pub(crate) fn spelt(bytes: &[u8]) -> u32 {
    let Some((&lead, tails)) = bytes.split_first() else { return 0 };
    let bits = if tails.is_empty() { 7 } else { 6_usize.saturating_sub(tails.len()) };
    let first = u32::from(lead) & ((1 << bits) - 1);
    tails.iter().fold(first, |value, &tail| value << 6 | u32::from(tail & 0x3F))
}

/// The number of payload bits in a sequence of `n` bytes.
const fn payload_bits(n: usize) -> usize {
    7 - n + 6 * (n - 1)
}

/// The first and the last value that need `n` bytes.
fn range(n: usize) -> (u32, u32) {
    match n {
        2 => (0x80, 0x7FF),
        3 => (0x800, 0xFFFF),
        4 => (0x1_0000, 0x10_FFFF),
        5 => (0x20_0000, 0x3FF_FFFF),
        _ => (0x400_0000, 0x7FFF_FFFF),
    }
}

/// Bits in groups of four, counted from the right.
pub(crate) fn spaced(bits: &str) -> String {
    let odd = bits.len() % 4;
    let (head, tail) = bits.split_at(odd);
    let mut groups: Vec<&str> = if head.is_empty() { Vec::new() } else { vec![head] };
    groups.extend(tail.as_bytes().chunks(4).filter_map(|four| std::str::from_utf8(four).ok()));
    groups.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(c: char) -> Vec<String> {
        steps(c.into(), c.to_string().as_bytes()).iter().map(Line::text).collect()
    }

    #[test]
    fn the_euro_sign_takes_seven_steps() {
        let euro = texts('€');
        assert_eq!(euro.len(), 7);
        assert!(euro[2].ends_with("0010 0000 1010 1100"), "{}", euro[2]);
        assert!(euro[4].ends_with("1110 0010 = E2"), "{}", euro[4]);
        assert!(euro[5].ends_with("10 000010 = 82"), "{}", euro[5]);
        assert!(euro[6].ends_with("10 101100 = AC"), "{}", euro[6]);
    }

    #[test]
    fn every_length_gives_its_own_bytes() {
        for c in ['A', 'é', '€', '😀'] {
            let text = c.to_string();
            let last = text.as_bytes()[text.len() - 1];
            assert!(texts(c).last().unwrap().ends_with(&format!("= {last:02X}")), "{c}");
        }
    }

    #[test]
    fn a_syllable_of_unicode_1_1_is_spelt_by_its_old_number() {
        let steps = steps('\u{AC00}'.into(), b"\xE3\x90\x80");
        let texts: Vec<_> = steps.iter().map(Line::text).collect();
        assert_eq!(texts[0], "The code point is U+AC00, which Unicode 1.1 had at U+3400.");
        assert!(texts[2].ends_with("3400 is 0011 0100 0000 0000"), "{}", texts[2]);
        assert!(texts[4].ends_with("1110 0011 = E3"), "{}", texts[4]);
    }
}
