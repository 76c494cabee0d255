//! Turns counts and guesses into a verdict with its reasons.
#![forbid(unsafe_code)]

mod legacy;
mod seven_bits;

use placemat::Form;

use crate::declared::{Declared, declared};
use crate::detection::{Candidate, Detection};
use crate::dialect::Counts;
use crate::ebcdic;
use crate::encoding::Encoding;
use crate::kind::Kind;
use crate::line_ending::LineEnding;
use crate::look::count;
use crate::twice::{Suspects, Twice};
use crate::wide::{Reader, Wide};

/// The highest confidence of a doubtful guess.
const UNSURE: f32 = 0.4;

/// The highest number of candidates in a verdict.
const CANDIDATES: usize = 5;

/// Called from many places: inlined, it would be most of the code here.
#[inline(never)]
fn verdict(name: &'static str, confidence: f32, reason: String) -> Detection {
    let encoding = Encoding::of(name);
    Detection {
        encoding,
        bom: false,
        confidence,
        malformed: 0,
        line_ending: LineEnding::None,
        reasons: vec![reason],
        candidates: vec![Candidate { encoding, confidence }],
        counts: Counts::default(),
    }
}

/// The verdict on UTF-16 or UTF-32.
pub(crate) fn wide(reader: &Reader, bom: bool, sure: f32, complete: bool) -> Detection {
    let name = reader.wide().name();
    let reason = if bom {
        format!("a byte order mark says {name}")
    } else {
        format!("without a byte order mark, its units make sense as {name}")
    };
    let malformed = reader.malformed(complete);
    let mut found = verdict(name, sure, reason);
    if malformed > 0 {
        found.reasons.push(format!("{} malformed", sequences(malformed, "is", "are")));
    }
    Detection { bom, malformed, ..found }
}

/// The verdict on a text that begins with a byte order mark of a form that it is not in: no encoding of bytes reads the mark.
pub(crate) fn despite_mark(mut found: Detection, wide: Wide) -> Detection {
    let said = format!("a byte order mark says {}, which it does not look like", wide.name());
    if !matches!(found.encoding, Encoding::Form(Form::Utf8) | Encoding::Binary | Encoding::Several) {
        let counts = found.counts;
        found = Detection { counts, malformed: counts.malformed(), ..verdict("unknown", 0.0, said) };
    } else {
        found.reasons.push(said);
    }
    found
}

/// The verdict on ASCII without an escape.
pub(crate) fn ascii() -> Detection {
    verdict("us-ascii", 1.0, "no byte above 7F".into())
}

fn marked() -> Detection {
    Detection { bom: true, ..verdict("utf-8", 1.0, "a byte order mark says utf-8".into()) }
}

/// The verdict on well-formed UTF-8 beyond ASCII that does not look decoded twice.
pub(crate) fn utf8(text: &[u8], counts: Counts, bom: bool) -> Detection {
    let found = if bom { marked() } else { verdict("utf-8", sure(counts.multi_byte), well_formed(&counts)) };
    let mut found = Detection { counts, ..found };
    found.reasons.extend(declared(text).map(|said| declaration(&said, !said.contradicts_utf8())));
    found
}

/// The verdict on text in which ASCII bytes are ASCII. `whole`: the sample is all of the text. `cut_off`: nothing is malformed but the
/// character that the text ends in.
pub(crate) fn bytes(sample: &[u8], counts: Counts, bom: bool, whole: bool, cut_off: bool) -> Detection {
    let found = if bom {
        marked()
    } else if counts.multi_byte == 0 && counts.malformed() == 0 {
        seven_bits::of(sample)
    } else if counts.malformed() == 0 {
        verdict("utf-8", sure(counts.multi_byte), well_formed(&counts))
    } else if let Some((name, confidence, reason)) = ebcdic::guess(sample) {
        return Detection { counts, ..verdict(name, confidence, reason.into()) };
    } else if let Some(found) = no_text(sample) {
        return Detection { malformed: counts.malformed(), counts, ..found };
    } else if counts.is_utf8_but_for_a_few() || cut_off && counts.of(Kind::Truncated) == 1 {
        nearly_utf8(&counts, cut_off)
    } else {
        return legacy::of(sample, counts, whole);
    };
    let mut found = Detection { bom, counts, ..found };
    if counts.multi_byte > 0
        && let Some(said) = declared(sample)
    {
        found.reasons.push(declaration(&said, !said.contradicts_utf8()));
    }
    if bom && counts.malformed() > 0 {
        found.malformed = counts.malformed();
        found.reasons.push(summary(&counts));
    }
    if Suspects::of(sample).are_likely() && Twice::of(&String::from_utf8_lossy(sample)).is_likely() {
        found.reasons.push("most of its characters beyond ASCII look decoded twice".into());
    }
    let nuls = nuls(sample);
    if nuls > 0 && found.encoding != Encoding::Binary {
        found.reasons.push(format!("it holds NUL ({} in the sample): it may not be text", number(nuls)));
    }
    found
}

/// How sure it is, by the number of well-formed characters, that a text is UTF-8. Bytes of other encodings look like such a character
/// by accident about one time in nine.
fn sure(characters: u64) -> f32 {
    (1.0 - 0.11_f32.powi(characters.min(9) as i32)).min(0.99)
}

fn well_formed(counts: &Counts) -> String {
    let n = counts.multi_byte;
    format!(
        "{} {} of several bytes, and nothing is malformed",
        number(n),
        if n == 1 { "character" } else { "characters" }
    )
}

/// The verdict on UTF-8 with a few malformed sequences, or on a relative of UTF-8 that is well-formed.
fn nearly_utf8(counts: &Counts, cut_off: bool) -> Detection {
    let of = |kinds: &[Kind]| kinds.iter().map(|kind| counts.of(*kind)).sum::<u64>();
    let only = |kinds: &[Kind]| of(kinds) == counts.malformed();
    let relative = if only(&[Kind::LoneSurrogate]) {
        Some("wtf-8")
    } else if only(&[Kind::SixOctet]) {
        Some("utf-8-rfc2279")
    } else if counts.four_byte > 0 {
        None
    } else if only(&[Kind::CesuPair]) {
        Some("cesu-8")
    } else if only(&[Kind::ModifiedNul, Kind::CesuPair, Kind::LoneSurrogate]) {
        Some("mutf-8")
    } else {
        None
    };
    // UTF-8 that is cut off inside a character is still UTF-8, even if it has no other beyond ASCII: two bytes of that one fit.
    let confidence =
        sure(counts.good().max(1)) * if counts.bad() == 0 || cut_off { 1.0 } else { share(counts) };
    let reason = summary(counts);
    let Some(name) = relative else {
        return Detection { malformed: counts.malformed(), ..verdict("utf-8", confidence, reason) };
    };
    let mut found = verdict(name, confidence * 0.9, reason);
    found.reasons.push(format!("all of it is well-formed {name}"));
    found.candidates.push(Candidate { encoding: Encoding::Form(Form::Utf8), confidence: confidence * 0.1 });
    found
}

fn share(counts: &Counts) -> f32 {
    counts.weight() as f32 / (counts.weight() + counts.bad()) as f32
}

#[inline(never)]
fn nuls(sample: &[u8]) -> u64 {
    count(sample, |byte| byte == 0)
}

/// Returns the verdict "binary" if there are more control characters or NULs than in text that is not UTF-8, which has hardly any.
fn no_text(sample: &[u8]) -> Option<Detection> {
    let controls = sample.iter().filter(|b| matches!(b, 0..=6 | 0x0E..=0x19 | 0x1C..=0x1F | 0x7F)).count();
    let nuls = nuls(sample);
    let reason = || {
        let [controls, all, nuls] = [controls as u64, sample.len() as u64, nuls].map(number);
        format!("not UTF-8, and {controls} of {all} bytes are controls, {nuls} of them NUL")
    };
    (controls * 20 > sample.len() || nuls * 200 > sample.len() as u64)
        .then(|| verdict("binary", 0.9, reason()))
}

/// "its XML declaration says koi8-r".
fn declaration(said: &Declared, agrees: bool) -> String {
    let which = if agrees { "" } else { ", which it does not look like" };
    format!("its {} says {}{which}", said.place, said.label)
}

/// A number with commas between thousands.
#[must_use]
pub fn number(n: u64) -> String {
    match n / 1_000 {
        0 => n.to_string(),
        thousands => format!("{},{:03}", number(thousands), n % 1_000),
    }
}

/// `1 sequence is`, `3 sequences are`.
pub(crate) fn sequences(n: u64, one: &str, more: &str) -> String {
    if n == 1 { format!("1 sequence {one}") } else { format!("{} sequences {more}", number(n)) }
}

/// "UTF-8 but for 5 sequences; 4 fit windows-1252, 1 is CESU-8".
fn summary(counts: &Counts) -> String {
    let n = counts.malformed();
    let kinds: Vec<String> = Kind::ALL
        .iter()
        .map(|kind| (*kind, counts.of(*kind)))
        .filter(|(_, n)| *n > 0)
        .map(|(kind, n)| format!("{} {}", number(n), kind.sentence(n == 1)))
        .collect();
    let sequences = if n == 1 { "1 sequence" } else { &format!("{} sequences", number(n)) };
    format!("UTF-8 but for {sequences}; {}", kinds.join(", "))
}
