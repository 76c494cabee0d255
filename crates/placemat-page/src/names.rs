//! The names of characters: the text of `web/names.mjs`, which the page passes to this module.

#![forbid(unsafe_code)]

use std::sync::OnceLock;

use placemat_text::explain::find_names_by;

/// The names in the order of their code points, and the lines where a new run of them starts.
struct Names {
    text: String,
    /// The first code point of a run, and the offset of its first line.
    runs: Vec<(u32, usize)>,
}

/// Bytes from 80 up to this one are the number of a word; from this one on, the next byte is part of the number.
const SHORT_END: u8 = 0xD0;

static NAMES: OnceLock<Names> = OnceLock::new();

/// Sets the names, if this is the first call.
pub(crate) fn take(coded: &[u8]) {
    let is_taken = spelled(coded).is_some_and(|text| NAMES.set(Names::new(text)).is_ok());
    if is_taken {
        find_names_by(|c| syllable(c).or_else(|| NAMES.get()?.find(c.into())));
    }
}

/// Returns the lines with all words spelled out.
fn spelled(coded: &[u8]) -> Option<String> {
    let end = coded.windows(2).position(|pair| pair == b"\n\n")?;
    let words: Vec<&str> = str::from_utf8(&coded[..end]).ok()?.lines().collect();
    let mut text = String::new();
    let mut rest = coded[end + 2..].iter();
    while let Some(&byte) = rest.next() {
        let number = match byte {
            b'\n' => {
                text.truncate(text.trim_end_matches(' ').len());
                None
            }
            0x80..SHORT_END => Some(usize::from(byte - 0x80)),
            SHORT_END.. => {
                let number = usize::from(byte - SHORT_END) << 8 | usize::from(*rest.next()?);
                Some(number + usize::from(SHORT_END - 0x80))
            }
            _ => None,
        };
        match number {
            Some(number) => text.extend([words.get(number)?, " "]),
            None => text.push(char::from(byte)),
        }
    }
    Some(text)
}

impl Names {
    fn new(text: String) -> Names {
        let mut runs = vec![(0, 0)];
        let mut place = 0;
        for line in text.split_inclusive('\n') {
            place += line.len();
            let number = line.strip_prefix('=').map(str::trim_end);
            if let Some(first) = number.and_then(|digits| u32::from_str_radix(digits, 16).ok()) {
                runs.push((first, place));
            }
        }
        Names { text, runs }
    }

    /// Finds the name of a code point. Linear in the length of its run.
    fn find(&self, code_point: u32) -> Option<String> {
        let nth = self.runs.partition_point(|&(first, _)| first <= code_point).checked_sub(1)?;
        let (mut next, place) = self.runs[nth];
        for line in self.text[place..].lines().take_while(|line| !line.starts_with('=')) {
            let many = line.strip_prefix('*').and_then(|many| many.split_once(' '));
            if let Some((count, prefix)) = many {
                next += count.parse::<u32>().ok()?;
                if code_point < next {
                    return Some(format!("{prefix}{code_point:04X}"));
                }
            } else {
                if code_point == next {
                    return Some(line.to_owned());
                }
                next += 1;
            }
        }
        None
    }
}

const LEADS: [&str; 19] =
    ["G", "GG", "N", "D", "DD", "R", "M", "B", "BB", "S", "SS", "", "J", "JJ", "C", "K", "T", "P", "H"];
const VOWELS: [&str; 21] = [
    "A", "AE", "YA", "YAE", "EO", "E", "YEO", "YE", "O", "WA", "WAE", "OE", "YO", "U", "WEO", "WE", "WI",
    "YU", "EU", "YI", "I",
];
const TAILS: [&str; 28] = [
    "", "G", "GG", "GS", "N", "NJ", "NH", "D", "L", "LG", "LM", "LB", "LS", "LT", "LP", "LH", "M", "B", "BS",
    "S", "SS", "NG", "J", "C", "K", "T", "P", "H",
];

/// The name of a Hangul syllable, composed of the short names of its letters (Unicode, section 3.12).
fn syllable(c: char) -> Option<String> {
    let index = u32::from(c).checked_sub(0xAC00).filter(|&index| index < 11_172)? as usize;
    let (lead, vowel, tail) = (index / (21 * 28), index / 28 % 21, index % 28);
    Some(format!("HANGUL SYLLABLE {}{}{}", LEADS[lead], VOWELS[vowel], TAILS[tail]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_spelled() {
        assert_eq!(
            spelled(b"LETTER\nSMALL\n\n=20 \n\x81\x80A \nSPACE \n").as_deref(),
            Some("=20\nSMALL LETTER A\nSPACE\n")
        );
        let many = "W\n".repeat(0x50) + "LAST\n\n";
        assert_eq!(spelled(&[many.as_bytes(), b"\xD0\0\n"].concat()).as_deref(), Some("LAST\n"));
        for broken in [&b""[..], b"A", b"A\n\n\x81", b"A\n\n\xD0", b"\xFF\n\n"] {
            assert_eq!(spelled(broken), None);
        }
    }

    #[test]
    fn each_kind_of_line_is_read() {
        let names =
            Names::new("=20\nSPACE\nEXCLAMATION MARK\n=F900\n*3 CJK-\nSEVENTH\n=1F600\nFACE".to_owned());
        let found = |c| names.find(c);
        assert_eq!(found(0x1F), None);
        assert_eq!(found(0x21).as_deref(), Some("EXCLAMATION MARK"));
        assert_eq!(found(0x22), None);
        assert_eq!(found(0xF902).as_deref(), Some("CJK-F902"));
        assert_eq!(found(0xF903).as_deref(), Some("SEVENTH"));
        assert_eq!(found(0xF904), None);
        assert_eq!(found(0x1F600).as_deref(), Some("FACE"));
        assert_eq!(found(0x10FFFF), None);
        assert_eq!(Names::new(String::new()).find(0), None);
    }

    #[test]
    fn syllables_are_named_by_their_letters() {
        assert_eq!(syllable('한').as_deref(), Some("HANGUL SYLLABLE HAN"));
        assert_eq!(syllable('가').as_deref(), Some("HANGUL SYLLABLE GA"));
        assert_eq!(syllable('힣').as_deref(), Some("HANGUL SYLLABLE HIH"));
        assert_eq!(syllable('일').as_deref(), Some("HANGUL SYLLABLE IL"));
        assert_eq!((syllable('A'), syllable('\u{D7A4}')), (None, None));
    }
}
