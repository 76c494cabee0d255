//! The table of all forms: their names, and which codec reads and writes each.

#![forbid(unsafe_code)]

mod base64;
pub(crate) mod cesu8;
mod escapes;
mod fss_utf_1992_07;
mod fss_utf_1992_09;
mod halves;
mod marked;
mod multibyte;
pub(crate) mod mutf8;
mod optu;
pub(crate) mod order;
pub(crate) mod single_byte;
mod unicode11;
mod unicode11_hangul;
mod utf1;
pub(crate) mod utf16;
pub(crate) mod utf32;
mod utf7;
mod utf7_imap;
pub(crate) mod utf8;
mod utf8_rfc2279;
mod utf8b;
mod utf8mb3;
mod wtf8;

use core::fmt;

use self::escapes::{Guarded, Unguarded};
use self::order::{Big, Little};
use crate::carry;
use crate::code_point::CodePoint;
use crate::codec::{Codec, Decoded, Facts, Input, Memory, ROOM};
use crate::error::ErrorKind;
use crate::run::{self, Run};

pub(crate) use self::marked::{Head, Marked};
pub use self::multibyte::{announced_length, is_continuation};
pub(crate) use self::single_byte::{is_unused_in_1252, windows_1252};

/// Each line defines a form: its documentation, its variant, its canonical name and its codec. A form with its own byte order
/// mark has, instead of a codec, the rule that chooses one of its concrete forms.
macro_rules! forms {
    (
        concrete { $($(#[$about:meta])* $form:ident $name:literal => $codec:ty;)* }
        marked { $($(#[$marked_about:meta])* $marked:ident $marked_name:literal => $rule:expr;)* }
    ) => {
        /// An encoding form: one way to write code points as bytes.
        ///
        /// A name after a slash is a *profile*, a named departure from the strict form. Every encoding that the literature calls
        /// UTF-something is here; the legacy encodings of the web are not (the crate `encoding_rs` has them).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Form {
            $(#[doc = concat!("`", $name, "`:")] $(#[$about])* $form,)*
            $(#[doc = concat!("`", $marked_name, "`:")] $(#[$marked_about])* $marked,)*
        }

        impl Form {
            /// Every form and profile.
            pub const ALL: &'static [Form] = &[$(Form::$form,)* $(Form::$marked,)*];

            /// The canonical name, in lower case: `"utf-16le"`, `"mutf-8/java"`.
            ///
            /// ```
            /// assert_eq!(placemat::Form::Utf16Le.name(), "utf-16le");
            /// ```
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Form::$form => $name,)*
                    $(Form::$marked => $marked_name,)*
                }
            }

            /// The properties of the form.
            ///
            /// ```
            /// # use placemat::Form;
            /// let facts = Form::Utf16Le.facts();
            /// assert_eq!((facts.width, facts.ascii_transparent), ((2, 4), false));
            /// ```
            #[must_use]
            pub fn facts(self) -> Facts {
                match self {
                    $(Form::$form => <$codec as Codec>::FACTS,)*
                    $(Form::$marked => Marked::facts(&$rule),)*
                }
            }

            /// The rule for the byte order mark, for a form that has one of its own.
            pub(crate) const fn marked(self) -> Option<&'static Marked> {
                match self {
                    $(Form::$marked => Some(const { &$rule }),)*
                    _ => None,
                }
            }

            /// The most bytes that the reader of this form needs in order to decide.
            #[cfg(all(test, feature = "std"))]
            pub(crate) fn longest(self) -> usize {
                match self {
                    $(Form::$form => <$codec as Codec>::LONGEST,)*
                    $(Form::$marked => Marked::facts(&$rule).width.1 as usize,)*
                }
            }
        }

        $(const _: () = assert!(2 * <$codec as Codec>::LONGEST <= carry::CAPACITY, "the carry holds twice the look-ahead");)*

        /// The state of a reader or a writer, and its form.
        #[derive(Clone, Copy, PartialEq)]
        pub(crate) enum State {
            $($form(<$codec as Codec>::State),)*
        }

        impl State {
            /// The state of a new reader or writer. For a form with its own byte order mark, the state of the form that is used
            /// without a mark.
            pub(crate) fn new(form: Form) -> State {
                match form {
                    $(Form::$form => State::$form(Default::default()),)*
                    $(Form::$marked => State::new(const { $rule.unmarked }),)*
                }
            }

            pub(crate) fn form(&self) -> Form {
                match self {
                    $(State::$form(_) => Form::$form,)*
                }
            }

            /// Whether nothing is held back: the state is as at the start.
            #[inline]
            pub(crate) fn at_rest(&self) -> bool {
                match self {
                    $(State::$form(s) => *s == Default::default(),)*
                }
            }

            /// What the reader remembers; see [`Memory`].
            pub(crate) fn memory(&self) -> u32 {
                match self {
                    $(State::$form(s) => s.memory(),)*
                }
            }

            /// The state of a reader that remembers `memory`; `None` if this form has no such state.
            pub(crate) fn with_state_bits(form: Form, memory: u32) -> Option<State> {
                match form {
                    $(Form::$form => Memory::with_state_bits(memory).map(State::$form),)*
                    $(Form::$marked => State::with_state_bits(const { $rule.unmarked }, memory),)*
                }
            }

            pub(crate) fn decode(&mut self, input: Input<'_>) -> Decoded {
                match self {
                    $(State::$form(s) => <$codec>::decode(s, input),)*
                }
            }

            pub(crate) fn encode(&mut self, c: CodePoint, out: &mut [u8; ROOM]) -> Result<usize, ErrorKind> {
                match self {
                    $(State::$form(s) => <$codec>::encode(s, c, out),)*
                }
            }

            pub(crate) fn end(&mut self, out: &mut [u8; ROOM]) -> usize {
                match self {
                    $(State::$form(s) => <$codec>::end(s, out),)*
                }
            }

            pub(crate) fn decode_run(&mut self, input: Input<'_>, batch: &mut [CodePoint], replaces: bool) -> Run {
                match self {
                    $(State::$form(s) => run::decode::<$codec>(s, input, batch, replaces),)*
                }
            }

            pub(crate) fn encode_run(&mut self, code_points: &[CodePoint], out: &mut [u8]) -> (usize, usize) {
                match self {
                    $(State::$form(s) => run::encode::<$codec>(s, code_points, out),)*
                }
            }
        }
    };
}

forms! {
    concrete {
        /// one to four bytes, for scalar values only (RFC 3629, Unicode D92).
        Utf8 "utf-8" => utf8::Utf8;
        /// lets surrogates (`D800..=DFFF`) pass like other code points, paired or not (generalised UTF-8; Python's
        /// `surrogatepass`).
        Utf8Surrogates "utf-8/surrogates" => utf8::Generalised;
        /// one to six octets, to `7FFF_FFFF`, without surrogates (RFC 2279).
        Utf8Rfc2279 "utf-8-rfc2279" => utf8_rfc2279::Utf8Rfc2279;
        /// lets surrogates pass like other code points, which RFC 2279 leaves open.
        Utf8Rfc2279Surrogates "utf-8-rfc2279/surrogates" => utf8_rfc2279::Surrogates;
        /// the proposal of July 1992, which adds an offset for each length, so that each value has only one encoding.
        FssUtf199207 "fss-utf-1992-07" => fss_utf_1992_07::FssUtf199207;
        /// Ken Thompson's mail of September 1992: the layout of UTF-8, to six bytes, surrogates included.
        FssUtf199209 "fss-utf-1992-09" => fss_utf_1992_09::FssUtf199209;
        /// ISO/IEC 10646-1:1993 annex G: one to five bytes; longer sequences contain bytes of printable ASCII.
        Utf1 "utf-1" => utf1::Utf1;
        /// RFC 2152: runs of base64 in seven bits; writes the characters of Set O directly.
        Utf7 "utf-7" => utf7::Utf7;
        /// writes Set O in base64, as mail headers need it; reads as `utf-7`.
        Utf7Base64 "utf-7/base64" => utf7::Utf7Base64;
        /// also reads what RFC 2152 only advises against: any byte below 80 as itself, zero bits left over,
        /// a surrogate pair split over two runs.
        Utf7Lenient "utf-7/lenient" => utf7::Utf7Lenient;
        /// the names of mailboxes (RFC 3501, 5.1.3): `&` instead of `+`, `,` instead of `/`, and only one way to write each name.
        Utf7Imap "utf-7-imap" => utf7_imap::Utf7Imap;
        /// surrogates in pairs only, low byte first (RFC 2781).
        Utf16Le "utf-16le" => utf16::Utf16<Little, utf16::Strict>;
        /// surrogates in pairs only, high byte first (RFC 2781).
        Utf16Be "utf-16be" => utf16::Utf16<Big, utf16::Strict>;
        /// lone surrogates pass both ways: what Windows and JavaScript hold.
        Utf16LeSurrogates "utf-16le/surrogates" => utf16::Utf16<Little, utf16::Loose>;
        /// lone surrogates pass both ways, high byte first.
        Utf16BeSurrogates "utf-16be/surrogates" => utf16::Utf16<Big, utf16::Loose>;
        /// 16-bit units that are code points, surrogates too; low byte first.
        Ucs2Le "ucs-2le" => utf16::Utf16<Little, utf16::Ucs2>;
        /// 16-bit units that are code points, surrogates too; high byte first.
        Ucs2Be "ucs-2be" => utf16::Utf16<Big, utf16::Ucs2>;
        /// reads and writes surrogate pairs as single code points, as RFC 2279 section 2 asks; low byte first.
        Ucs2LePairs "ucs-2le/pairs" => utf16::Utf16<Little, utf16::Ucs2Pairs>;
        /// reads and writes surrogate pairs as single code points, high byte first.
        Ucs2BePairs "ucs-2be/pairs" => utf16::Utf16<Big, utf16::Ucs2Pairs>;
        /// scalar values in four bytes, low byte first (Unicode D90).
        Utf32Le "utf-32le" => utf32::Utf32<Little>;
        /// scalar values in four bytes, high byte first (Unicode D90).
        Utf32Be "utf-32be" => utf32::Utf32<Big>;
        /// any value to `7FFF_FFFF`, low byte first: the code points as numbers, whatever form they come from.
        Ucs4Le "ucs-4le" => utf32::Ucs4<Little>;
        /// any value to `7FFF_FFFF`, high byte first.
        Ucs4Be "ucs-4be" => utf32::Ucs4<Big>;
        /// UTF-16 in which each unit takes one to three bytes; no lone surrogates (Unicode Technical Report 26).
        Cesu8 "cesu-8" => cesu8::Cesu8;
        /// lone surrogates pass; four-byte sequences are still refused.
        Cesu8Lenient "cesu-8/lenient" => cesu8::Cesu8<true>;
        /// Java's Modified UTF-8: CESU-8 with `C0 80` for U+0000, and lone surrogates.
        Mutf8 "mutf-8" => mutf8::Mutf8<mutf8::Strict>;
        /// reads what `readUTF` reads: a bare `00` and overlong sequences too.
        Mutf8Java "mutf-8/java" => mutf8::Mutf8<mutf8::Java>;
        /// reads what class files to version 47 may hold.
        Mutf8JvmOld "mutf-8/jvm-old" => mutf8::Mutf8<mutf8::JvmOld>;
        /// reads what Android's later check accepts.
        Mutf8Art "mutf-8/art" => mutf8::Mutf8<mutf8::Art>;
        /// what MySQL called `utf8`: UTF-8 to U+FFFF.
        Utf8Mb3 "utf8mb3" => utf8mb3::Utf8Mb3;
        /// generalised UTF-8 in which a surrogate pair is always written as one character (Simon Sapin).
        Wtf8 "wtf-8" => wtf8::Wtf8;
        /// bytes that are not UTF-8 become `DC80..=DCFF`; the writer refuses escapes whose bytes would form a character.
        Utf8b "utf-8b" => utf8b::Utf8b<Guarded>;
        /// like `utf-8b`, but the writer does not refuse escapes whose bytes form a character, as in Python.
        Utf8bPython "utf-8b/python" => utf8b::Utf8b<Unguarded>;
        /// MirBSD's UTF-8 up to U+FFFD, in which `EF80..=EFFF` stand for bytes; the writer refuses those whose
        /// bytes would form a character.
        Optu8 "optu-8" => optu::Optu8<Guarded>;
        /// like `optu-8`, but the writer does not refuse `EF80..=EFFF` whose bytes form a character.
        Optu8MirBsd "optu-8/mirbsd" => optu::Optu8<Unguarded>;
        /// the 16-bit units of OPTU-8, high byte first.
        Optu16 "optu-16" => optu::Optu16<Big>;
        /// the 16-bit units of OPTU-8, low byte first.
        Optu16Le "optu-16le" => optu::Optu16<Little>;
        /// `00..=7F` (ANSI X3.4, RFC 20).
        UsAscii "us-ascii" => single_byte::UsAscii;
        /// Latin-1: each of the 256 bytes is the code point with the same number.
        Iso8859_1 "iso-8859-1" => single_byte::Latin1;
        /// the web's table, in which five unused bytes are C1 controls (WHATWG).
        Windows1252 "windows-1252" => single_byte::Windows1252;
        /// UTF-8 with the Hangul syllables at their code points of Unicode 1.1 (RFC 2279, section 5).
        Unicode11Utf8 "unicode-1-1-utf-8" => unicode11::Unicode11Utf8;
        /// also reads Hangul syllables at their present code points, `AC00..=D7A3`.
        Unicode11Utf8Lenient "unicode-1-1-utf-8/lenient" => unicode11::Unicode11Utf8<true>;
    }
    marked {
        /// strips one leading byte order mark (BOM), and writes one.
        Utf8Bom "utf-8/bom" => Marked { big: &[0xEF, 0xBB, 0xBF], ..Marked::new(Form::Utf8, Form::Utf8) };
        /// a byte order mark decides the byte order; big-endian without one; writes one.
        Utf16 "utf-16" => Marked::new(Form::Utf16Be, Form::Utf16Le);
        /// like `utf-16`, and lone surrogates pass.
        Utf16Surrogates "utf-16/surrogates" => Marked::new(Form::Utf16BeSurrogates, Form::Utf16LeSurrogates);
        /// a byte order mark decides the byte order and is removed; little-endian without one; writes none, except before a text
        /// that begins with U+FEFF or U+FFFE.
        Utf16Web "utf-16/web" =>
            Marked { unmarked: Form::Utf16Le, writes_mark: false, ..Marked::new(Form::Utf16Be, Form::Utf16Le) };
        /// a byte order mark decides the byte order; big-endian without one; writes one.
        Ucs2 "ucs-2" => Marked::new(Form::Ucs2Be, Form::Ucs2Le);
        /// like `ucs-2`, but reads and writes surrogate pairs as single code points.
        Ucs2Pairs "ucs-2/pairs" => Marked::new(Form::Ucs2BePairs, Form::Ucs2LePairs);
        /// a byte order mark decides the byte order; big-endian without one; writes one.
        Utf32 "utf-32" => Marked { big: &[0, 0, 0xFE, 0xFF], ..Marked::new(Form::Utf32Be, Form::Utf32Le) };
        /// a byte order mark decides the byte order; big-endian without one; writes one.
        Ucs4 "ucs-4" => Marked { big: &[0, 0, 0xFE, 0xFF], ..Marked::new(Form::Ucs4Be, Form::Ucs4Le) };
    }
}

impl Form {
    /// The form of that canonical name (exact; see [`crate::label`] for every other spelling).
    ///
    /// ```
    /// # use placemat::Form;
    /// assert_eq!(Form::named("utf-8"), Some(Form::Utf8));
    /// assert_eq!(Form::named("UTF-8"), None);
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<Form> {
        Form::ALL.iter().copied().find(|form| form.name() == name)
    }

    /// Whether the form can carry this code point, alone.
    ///
    /// ```
    /// # use placemat::{CodePoint, Form};
    /// assert!(Form::Iso8859_1.carries(CodePoint::from('é')));
    /// assert!(!Form::Iso8859_1.carries(CodePoint::from('€')));
    /// ```
    #[must_use]
    pub fn carries(self, c: CodePoint) -> bool {
        State::new(self).encode(c, &mut [0; ROOM]).is_ok()
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("State").field(&self.form()).finish()
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
