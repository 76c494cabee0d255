//! Reads character references of HTML and XML.

use placemat::Form;

use super::{EscapesError, Out};

/// The names of U+00A0 to U+00FF, in order.
const LATIN_1: &str = "\
nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot \
cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml \
Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig \
agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute \
ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml";

/// The names of Greek letters from U+0391 and from U+03B1 on, in order. U+03A2 is none.
const CAPITALS: &str = "\
Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho - Sigma Tau Upsilon Phi Chi Psi Omega";
const SMALL: &str = "\
alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau upsilon phi chi psi omega";

/// The number of letters of the longest name of U+00A0 to U+00FF.
const LONGEST: usize = 6;

/// The other names of HTML 4, each before its character.
const OTHERS: &str = "\
amp & lt < gt > quot \" apos ' euro € hellip … ndash – mdash — lsquo ‘ rsquo ’ ldquo “ rdquo ” bull • trade ™ zwj \u{200D} zwnj \u{200C} \
lrm \u{200E} rlm \u{200F} ensp \u{2002} emsp \u{2003} thinsp \u{2009} sbquo ‚ bdquo „ dagger † Dagger ‡ permil ‰ prime ′ Prime ″ lsaquo ‹ \
rsaquo › oline ‾ frasl ⁄ circ ˆ tilde ˜ fnof ƒ OElig Œ oelig œ Scaron Š scaron š Yuml Ÿ thetasym ϑ upsih ϒ piv ϖ image ℑ weierp ℘ real ℜ \
alefsym ℵ larr ← uarr ↑ rarr → darr ↓ harr ↔ crarr ↵ lArr ⇐ uArr ⇑ rArr ⇒ dArr ⇓ hArr ⇔ forall ∀ part ∂ exist ∃ empty ∅ nabla ∇ isin ∈ \
notin ∉ ni ∋ prod ∏ sum ∑ minus − lowast ∗ radic √ prop ∝ infin ∞ ang ∠ and ∧ or ∨ cap ∩ cup ∪ int ∫ there4 ∴ sim ∼ cong ≅ asymp ≈ ne ≠ \
equiv ≡ le ≤ ge ≥ sub ⊂ sup ⊃ nsub ⊄ sube ⊆ supe ⊇ oplus ⊕ otimes ⊗ perp ⊥ sdot ⋅ lceil ⌈ rceil ⌉ lfloor ⌊ rfloor ⌋ lang ⟨ rang ⟩ loz ◊ \
spades ♠ clubs ♣ hearts ♥ diams ♦";

/// Whether the text has a reference that is known.
pub(super) fn is_seen_in(text: &str) -> bool {
    text.split('&').skip(1).any(|piece| piece.split_once(';').is_some_and(|(name, _)| value(name).is_some()))
}

pub(super) fn read(text: &str, out: &mut Out) -> Result<(), EscapesError> {
    let mut at = 0;
    while at < text.len() {
        let next = text[at..].find('&').map_or(text.len(), |len| at + len);
        out.text(&text[at..next])?;
        if next == text.len() {
            break;
        }
        let name = text[next + 1..]
            .split(|c: char| c != '#' && !c.is_ascii_alphanumeric())
            .next()
            .unwrap_or_default();
        let behind = next + 1 + name.len();
        let is_ended = text[behind..].starts_with(';');
        let whole = || if is_ended { Some((named(name)?, name.len())) } else { begun(name) };
        at = match numbered(name).or_else(whole) {
            Some((value, len)) => {
                out.value(value, next)?;
                let end = next + 1 + len;
                end + usize::from(text[end..].starts_with(';'))
            }
            None if is_ended && !name.is_empty() => {
                return Err(out.error(text, next, "it is no name of HTML 4"));
            }
            // As in browsers, the ampersand is text then.
            None => {
                out.text(&text[next..behind])?;
                behind
            }
        };
    }
    Ok(())
}

fn value(name: &str) -> Option<u32> {
    numbered(name).filter(|(_, len)| *len == name.len()).map(|(value, _)| value).or_else(|| named(name))
}

/// The value of a number sign with digits, and the length of both.
fn numbered(name: &str) -> Option<(u32, usize)> {
    let digits = name.strip_prefix('#')?;
    let (base, digits) = digits.strip_prefix(['x', 'X']).map_or((10, digits), |hex| (16, hex));
    let len = digits.find(|c: char| !c.is_digit(base)).unwrap_or(digits.len());
    // A value that does not fit in 32 bits is too large as well.
    let value = u32::from_str_radix(&digits[..len], base).unwrap_or(u32::MAX);
    (len > 0).then(|| (as_browsers_read(value), name.len() - digits.len() + len))
}

fn named(name: &str) -> Option<u32> {
    let in_order = [(0xA0, LATIN_1), (0x391, CAPITALS), (0x3B1, SMALL)];
    let find =
        |(first, names): &(u32, &str)| Some(first + names.split(' ').position(|known| known == name)? as u32);
    in_order.iter().find_map(find).or_else(|| {
        let mut others = OTHERS.split(' ');
        others.find(|known| *known == name)?;
        others.next()?.chars().next().map(u32::from)
    })
}

/// The longest name at the start of a text that needs no semicolon; the oldest names do not.
fn begun(text: &str) -> Option<(u32, usize)> {
    let is_oldest = |value: u32| value < 0x100 && value != u32::from('\'');
    let mut starts = (2..=text.len().min(LONGEST)).rev().filter_map(|len| text.get(..len));
    starts.find_map(|name| Some((named(name).filter(|value| is_oldest(*value))?, name.len())))
}

/// Maps a control from 80 to 9F to the character of that byte in windows-1252, and what is no character to U+FFFD.
fn as_browsers_read(value: u32) -> u32 {
    if value == 0 || char::from_u32(value).is_none() {
        return u32::from(char::REPLACEMENT_CHARACTER);
    }
    let byte = u8::try_from(value).ok().filter(|byte| (0x80..0xA0).contains(byte));
    let text = byte.and_then(|byte| placemat::convert(Form::Windows1252, Form::Utf8, &[byte]).ok());
    let c = text.and_then(|text| String::from_utf8(text).ok()?.chars().next());
    c.map_or(value, u32::from)
}
