//! Encodings as numbers.

#![forbid(unsafe_code)]

use placemat::Form;
use placemat::label::{LEGACY, Label, Labels};

/// An encoding, as a number; 0 is no encoding.
///
/// The forms of Unicode have the fixed numbers of placemat_form. The number of any other encoding is valid only while the program
/// runs: look it up by name, and store the name, not the number.
pub type placemat_encoding = u32;

/// The forms of Unicode, and the single-byte encodings that the core library converts. The part of a name after the second
/// underscore is its profile: a named deviation from the strict form. The numbers are fixed: none is changed or removed; new ones
/// may be added.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum placemat_form {
    /// No encoding.
    PLACEMAT_NO_ENCODING = 0,
    /// `utf-8`: one to four bytes, for scalar values only (RFC 3629, Unicode D92).
    PLACEMAT_UTF_8 = 1,
    /// `utf-8/surrogates`: lets `D800..DFFF` pass by value, paired or not (generalised UTF-8; Python's
    /// `surrogatepass`).
    PLACEMAT_UTF_8_SURROGATES = 2,
    /// `utf-8-rfc2279`: one to six octets, to `7FFF_FFFF`, without surrogates (RFC 2279).
    PLACEMAT_UTF_8_RFC2279 = 3,
    /// `utf-8-rfc2279/surrogates`: lets surrogates pass by value, as that RFC leaves it open.
    PLACEMAT_UTF_8_RFC2279_SURROGATES = 4,
    /// `fss-utf-1992-07`: the proposal of July 1992, which adds an offset for each length, so that no value has two
    /// spellings.
    PLACEMAT_FSS_UTF_1992_07 = 5,
    /// `fss-utf-1992-09`: Ken Thompson's mail of September 1992: the layout of UTF-8, to six bytes, surrogates
    /// included.
    PLACEMAT_FSS_UTF_1992_09 = 6,
    /// `utf-1`: ISO/IEC 10646-1:1993 annex G: one to five bytes, printable ASCII within longer sequences.
    PLACEMAT_UTF_1 = 7,
    /// `utf-7`: RFC 2152: runs of base64 in seven bits; writes Set O directly.
    PLACEMAT_UTF_7 = 8,
    /// `utf-7/base64`: writes Set O in base64, as mail headers need it; reads as `utf-7`.
    PLACEMAT_UTF_7_BASE64 = 9,
    /// `utf-7/lenient`: also takes what the RFC only advises against: any byte below 80 as itself, zero bits left
    /// over, a pair over two runs.
    PLACEMAT_UTF_7_LENIENT = 10,
    /// `utf-7-imap`: the names of mailboxes (RFC 3501, 5.1.3): `&` for `+`, `,` for `/`, and one way only to write
    /// each.
    PLACEMAT_UTF_7_IMAP = 11,
    /// `utf-16le`: pairs of surrogates only, low byte first (RFC 2781).
    PLACEMAT_UTF_16LE = 12,
    /// `utf-16be`: pairs of surrogates only, high byte first (RFC 2781).
    PLACEMAT_UTF_16BE = 13,
    /// `utf-16le/surrogates`: lone surrogates pass both ways: what Windows and JavaScript hold.
    PLACEMAT_UTF_16LE_SURROGATES = 14,
    /// `utf-16be/surrogates`: lone surrogates pass both ways, high byte first.
    PLACEMAT_UTF_16BE_SURROGATES = 15,
    /// `ucs-2le`: 16-bit units that are code points, surrogates too; low byte first.
    PLACEMAT_UCS_2LE = 16,
    /// `ucs-2be`: 16-bit units that are code points, surrogates too; high byte first.
    PLACEMAT_UCS_2BE = 17,
    /// `ucs-2le/pairs`: pairs are undone and written, as RFC 2279 section 2 asks.
    PLACEMAT_UCS_2LE_PAIRS = 18,
    /// `ucs-2be/pairs`: pairs are undone and written, high byte first.
    PLACEMAT_UCS_2BE_PAIRS = 19,
    /// `utf-32le`: scalar values in four bytes, low byte first (Unicode D90).
    PLACEMAT_UTF_32LE = 20,
    /// `utf-32be`: scalar values in four bytes, high byte first (Unicode D90).
    PLACEMAT_UTF_32BE = 21,
    /// `ucs-4le`: any value to `7FFF_FFFF`, low byte first: the code points as numbers, whatever form they came from.
    PLACEMAT_UCS_4LE = 22,
    /// `ucs-4be`: any value to `7FFF_FFFF`, high byte first.
    PLACEMAT_UCS_4BE = 23,
    /// `cesu-8`: UTF-16 in which each unit takes one to three bytes; no lone surrogates (Unicode Technical Report
    /// 26).
    PLACEMAT_CESU_8 = 24,
    /// `cesu-8/lenient`: lone surrogates pass; four-byte sequences are still refused.
    PLACEMAT_CESU_8_LENIENT = 25,
    /// `mutf-8`: Java's Modified UTF-8: CESU-8 with `C0 80` for U+0000, and lone surrogates.
    PLACEMAT_MUTF_8 = 26,
    /// `mutf-8/java`: reads what `readUTF` reads: a bare `00` and overlong sequences too.
    PLACEMAT_MUTF_8_JAVA = 27,
    /// `mutf-8/jvm-old`: reads what class files to version 47 may hold.
    PLACEMAT_MUTF_8_JVM_OLD = 28,
    /// `mutf-8/art`: reads what Android's later check accepts.
    PLACEMAT_MUTF_8_ART = 29,
    /// `utf8mb3`: what MySQL called `utf8`: UTF-8 to U+FFFF.
    PLACEMAT_UTF8MB3 = 30,
    /// `wtf-8`: generalised UTF-8 in which a pair is always one character (Simon Sapin).
    PLACEMAT_WTF_8 = 31,
    /// `utf-8b`: bytes that are not UTF-8 travel as `DC80..DCFF`; the writer refuses escapes that would forge a
    /// character.
    PLACEMAT_UTF_8B = 32,
    /// `utf-8b/python`: its writer does not check for forged characters, as in Python.
    PLACEMAT_UTF_8B_PYTHON = 33,
    /// `optu-8`: MirBSD's UTF-8 to U+FFFD, in which `EF80..EFFF` stand for bytes; the writer refuses forged
    /// characters.
    PLACEMAT_OPTU_8 = 34,
    /// `optu-8/mirbsd`: its writer does not check for forged characters.
    PLACEMAT_OPTU_8_MIRBSD = 35,
    /// `optu-16`: the 16-bit units of OPTU-8, high byte first.
    PLACEMAT_OPTU_16 = 36,
    /// `optu-16le`: the 16-bit units of OPTU-8, low byte first.
    PLACEMAT_OPTU_16LE = 37,
    /// `us-ascii`: `00..7F` (ANSI X3.4, RFC 20).
    PLACEMAT_US_ASCII = 38,
    /// `iso-8859-1`: Latin-1: all 256 bytes are the code points of that number.
    PLACEMAT_ISO_8859_1 = 39,
    /// `windows-1252`: the web's table, in which five unused bytes are C1 controls (WHATWG).
    PLACEMAT_WINDOWS_1252 = 40,
    /// `unicode-1-1-utf-8`: UTF-8 whose Hangul stands where Unicode 1.1 had it (RFC 2279, section 5).
    PLACEMAT_UNICODE_1_1_UTF_8 = 41,
    /// `unicode-1-1-utf-8/lenient`: `AC00..D7A3` pass as themselves.
    PLACEMAT_UNICODE_1_1_UTF_8_LENIENT = 42,
    /// `utf-8/bom`: strips one leading byte order mark (BOM), and writes one.
    PLACEMAT_UTF_8_BOM = 43,
    /// `utf-16`: a byte order mark decides; big-endian without one; writes one.
    PLACEMAT_UTF_16 = 44,
    /// `utf-16/surrogates`: like `utf-16`, and lone surrogates pass.
    PLACEMAT_UTF_16_SURROGATES = 45,
    /// `utf-16/web`: a byte order mark decides and is removed; little-endian without one; writes none, except
    /// before a text that begins with U+FEFF or U+FFFE.
    PLACEMAT_UTF_16_WEB = 46,
    /// `ucs-2`: a byte order mark decides; big-endian without one; writes one.
    PLACEMAT_UCS_2 = 47,
    /// `ucs-2/pairs`: like `ucs-2`, and pairs are undone and written.
    PLACEMAT_UCS_2_PAIRS = 48,
    /// `utf-32`: a byte order mark decides; big-endian without one; writes one.
    PLACEMAT_UTF_32 = 49,
    /// `ucs-4`: a byte order mark decides; big-endian without one; writes one.
    PLACEMAT_UCS_4 = 50,
}

/// The forms in the order of their numbers, which start at 1.
#[rustfmt::skip]
pub(crate) const FORMS: [Form; 50] = [
    Form::Utf8, Form::Utf8Surrogates, Form::Utf8Rfc2279, Form::Utf8Rfc2279Surrogates, Form::FssUtf199207,
    Form::FssUtf199209, Form::Utf1, Form::Utf7, Form::Utf7Base64, Form::Utf7Lenient, Form::Utf7Imap,
    Form::Utf16Le, Form::Utf16Be, Form::Utf16LeSurrogates, Form::Utf16BeSurrogates, Form::Ucs2Le,
    Form::Ucs2Be, Form::Ucs2LePairs, Form::Ucs2BePairs, Form::Utf32Le, Form::Utf32Be, Form::Ucs4Le,
    Form::Ucs4Be, Form::Cesu8, Form::Cesu8Lenient, Form::Mutf8, Form::Mutf8Java, Form::Mutf8JvmOld,
    Form::Mutf8Art, Form::Utf8Mb3, Form::Wtf8, Form::Utf8b, Form::Utf8bPython, Form::Optu8,
    Form::Optu8MirBsd, Form::Optu16, Form::Optu16Le, Form::UsAscii, Form::Iso8859_1, Form::Windows1252,
    Form::Unicode11Utf8, Form::Unicode11Utf8Lenient, Form::Utf8Bom, Form::Utf16, Form::Utf16Surrogates,
    Form::Utf16Web, Form::Ucs2, Form::Ucs2Pairs, Form::Utf32, Form::Ucs4,
];

/// The number of the first encoding that is not a form.
pub(crate) const FIRST_LEGACY: placemat_encoding = 1 << 16;

/// The readers of labels. A label can mean different encodings to different readers: `latin1` is ISO 8859-1 for IANA and
/// windows-1252 for the web.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum placemat_labels {
    /// placemat's own names, then those of IANA, of the web, and unofficial ones. Spaces, `_` and `-` are ignored.
    PLACEMAT_LABELS_LENIENT = 0,
    /// The names and aliases of the IANA registry.
    PLACEMAT_LABELS_IANA = 1,
    /// The 228 labels of the WHATWG Encoding Standard, with their meaning in browsers.
    PLACEMAT_LABELS_WHATWG = 2,
    /// The IANA registry, and the label that RFC 2279 proposed for text with the Hangul of Unicode 1.1.
    PLACEMAT_LABELS_RFC2279 = 3,
    /// The names of Oracle Database, then the IANA registry.
    PLACEMAT_LABELS_ORACLE = 4,
    /// The names of MySQL and MariaDB, then the IANA registry.
    PLACEMAT_LABELS_MYSQL = 5,
}

/// Returns the form with this number.
pub(crate) fn form(number: placemat_encoding) -> Option<Form> {
    FORMS.get((number as usize).checked_sub(1)?).copied()
}

/// Returns the label with this number.
#[cfg(any(test, feature = "text"))]
pub(crate) fn label(number: placemat_encoding) -> Option<Label> {
    let legacy = || LEGACY.get(number.checked_sub(FIRST_LEGACY)? as usize).map(|&name| Label::Legacy(name));
    form(number).map(Label::Form).or_else(legacy)
}

/// Returns the number of a form or of another encoding; 0 if it has none.
pub(crate) fn number(label: Label) -> placemat_encoding {
    match label {
        Label::Form(form) => FORMS.iter().position(|&other| other == form).map_or(0, |at| at as u32 + 1),
        _ => {
            let at = LEGACY.iter().position(|&name| name == label.name());
            at.map_or(0, |at| FIRST_LEGACY + at as u32)
        }
    }
}

/// Returns the reader of labels with this number.
pub(crate) fn labels(number: u32) -> Option<Labels> {
    Labels::ALL.get(number as usize).copied()
}

/// Returns every encoding that this build converts, in the order of their numbers. `replacement` is not one.
pub(crate) fn all() -> impl Iterator<Item = placemat_encoding> {
    let legacy =
        LEGACY.iter().enumerate().filter(|&(_, &name)| cfg!(feature = "text") && name != "replacement");
    (1..=FORMS.len() as u32).chain(legacy.map(|(at, _)| FIRST_LEGACY + at as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_has_a_number() {
        for &form_of in Form::ALL {
            assert_eq!(form(number(form_of.into())), Some(form_of), "{form_of} has no place in FORMS");
        }
        assert_eq!(FORMS.len(), Form::ALL.len());
        assert_eq!((form(0), form(FORMS.len() as u32 + 1), form(u32::MAX)), (None, None, None));
    }

    #[test]
    fn every_number_of_a_legacy_encoding_leads_back() {
        for number_of in all().chain([FIRST_LEGACY]) {
            assert_eq!(number(label(number_of).unwrap()), number_of);
        }
        assert_eq!(label(FIRST_LEGACY + LEGACY.len() as u32), None);
    }

    #[test]
    fn readers_have_the_numbers_of_the_library() {
        assert_eq!(labels(placemat_labels::PLACEMAT_LABELS_MYSQL as u32), Some(Labels::Mysql));
        assert_eq!(labels(placemat_labels::PLACEMAT_LABELS_WHATWG as u32), Some(Labels::Whatwg));
        assert_eq!(labels(Labels::ALL.len() as u32), None);
    }
}
