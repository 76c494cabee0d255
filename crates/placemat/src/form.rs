//! The table of all forms: their names, and which codec reads and writes each.

#![forbid(unsafe_code)]

mod base64;
pub(crate) mod cesu8;
mod escapes;
mod fss_utf_1992_07;
mod fss_utf_1992_09;
mod halves;
mod multibyte;
pub(crate) mod mutf8;
mod optu;
mod order;
mod single_byte;
mod unicode11;
mod unicode11_hangul;
mod utf1;
mod utf16;
mod utf32;
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

pub(crate) use self::multibyte::is_tail;
pub(crate) use self::single_byte::{is_unused_in_1252, windows_1252};

/// From one line a form: the variant, its canonical name, and its codec, or, for a form that owns its byte order mark,
/// the concrete forms that it stands for.
macro_rules! forms {
    (
        concrete { $($form:ident $name:literal => $codec:ty;)* }
        marked { $($marked:ident $marked_name:literal => $rule:expr;)* }
    ) => {
        /// An encoding form: one way to write code points as bytes.
        ///
        /// A name after a slash is a *profile*, a named departure from the strict form. Everything that the literature
        /// calls UTF-something is here; the legacy encodings of the web are not (the crate `encoding_rs` has them).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Form {
            $(#[doc = concat!("`", $name, "`")] $form,)*
            $(#[doc = concat!("`", $marked_name, "`")] $marked,)*
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

            /// What can be said of the form in a table.
            #[must_use]
            pub fn facts(self) -> Facts {
                match self {
                    $(Form::$form => <$codec as Codec>::FACTS,)*
                    $(Form::$marked => Marked::facts(&$rule),)*
                }
            }

            /// The rule for its byte order mark, of a form that owns it.
            pub(crate) const fn marked(self) -> Option<&'static Marked> {
                match self {
                    $(Form::$marked => Some(const { &$rule }),)*
                    _ => None,
                }
            }

            /// The most bytes that its reader must see to decide.
            #[cfg(all(test, feature = "std"))]
            pub(crate) fn longest(self) -> usize {
                match self {
                    $(Form::$form => <$codec as Codec>::LONGEST,)*
                    $(Form::$marked => Marked::facts(&$rule).width.1 as usize,)*
                }
            }
        }

        $(const _: () = assert!(2 * <$codec as Codec>::LONGEST <= carry::CAPACITY, "the carry holds twice the look-ahead");)*

        /// Where a reader or a writer stands; knows its form.
        #[derive(Clone, Copy, PartialEq)]
        pub(crate) enum State {
            $($form(<$codec as Codec>::State),)*
        }

        impl State {
            /// A fresh reader or writer of a concrete form; of a marked one, that of the form it has without a mark.
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

            /// A reader of a concrete form that remembers this.
            pub(crate) fn recalling(form: Form, memory: u32) -> Option<State> {
                match form {
                    $(Form::$form => Memory::recalling(memory).map(State::$form),)*
                    $(Form::$marked => State::recalling(const { $rule.unmarked }, memory),)*
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

            pub(crate) fn end(&mut self, out: &mut [u8; ROOM]) -> Result<usize, ErrorKind> {
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
        Utf8 "utf-8" => utf8::Utf8;
        Utf8Surrogates "utf-8/surrogates" => utf8::Generalised;
        Utf8Rfc2279 "utf-8-rfc2279" => utf8_rfc2279::Utf8Rfc2279;
        Utf8Rfc2279Surrogates "utf-8-rfc2279/surrogates" => utf8_rfc2279::Surrogates;
        FssUtf199207 "fss-utf-1992-07" => fss_utf_1992_07::FssUtf199207;
        FssUtf199209 "fss-utf-1992-09" => fss_utf_1992_09::FssUtf199209;
        Utf1 "utf-1" => utf1::Utf1;
        Utf7 "utf-7" => utf7::Utf7;
        Utf7Base64 "utf-7/base64" => utf7::Utf7Base64;
        Utf7Lenient "utf-7/lenient" => utf7::Utf7Lenient;
        Utf7Imap "utf-7-imap" => utf7_imap::Utf7Imap;
        Utf16Le "utf-16le" => utf16::Utf16<Little, utf16::Strict>;
        Utf16Be "utf-16be" => utf16::Utf16<Big, utf16::Strict>;
        Utf16LeSurrogates "utf-16le/surrogates" => utf16::Utf16<Little, utf16::Loose>;
        Utf16BeSurrogates "utf-16be/surrogates" => utf16::Utf16<Big, utf16::Loose>;
        Ucs2Le "ucs-2le" => utf16::Utf16<Little, utf16::Ucs2>;
        Ucs2Be "ucs-2be" => utf16::Utf16<Big, utf16::Ucs2>;
        Ucs2LePairs "ucs-2le/pairs" => utf16::Utf16<Little, utf16::Ucs2Pairs>;
        Ucs2BePairs "ucs-2be/pairs" => utf16::Utf16<Big, utf16::Ucs2Pairs>;
        Utf32Le "utf-32le" => utf32::Utf32<Little>;
        Utf32Be "utf-32be" => utf32::Utf32<Big>;
        Ucs4Le "ucs-4le" => utf32::Ucs4<Little>;
        Ucs4Be "ucs-4be" => utf32::Ucs4<Big>;
        Cesu8 "cesu-8" => cesu8::Cesu8;
        Cesu8Lenient "cesu-8/lenient" => cesu8::Cesu8<true>;
        Mutf8 "mutf-8" => mutf8::Mutf8<mutf8::Strict>;
        Mutf8Java "mutf-8/java" => mutf8::Mutf8<mutf8::Java>;
        Mutf8JvmOld "mutf-8/jvm-old" => mutf8::Mutf8<mutf8::JvmOld>;
        Mutf8Art "mutf-8/art" => mutf8::Mutf8<mutf8::Art>;
        Utf8Mb3 "utf8mb3" => utf8mb3::Utf8Mb3;
        Wtf8 "wtf-8" => wtf8::Wtf8;
        Utf8b "utf-8b" => utf8b::Utf8b<Guarded>;
        Utf8bPython "utf-8b/python" => utf8b::Utf8b<Unguarded>;
        Optu8 "optu-8" => optu::Optu8<Guarded>;
        Optu8MirBsd "optu-8/mirbsd" => optu::Optu8<Unguarded>;
        Optu16 "optu-16" => optu::Optu16<Big>;
        Optu16Le "optu-16le" => optu::Optu16<Little>;
        UsAscii "us-ascii" => single_byte::UsAscii;
        Iso8859_1 "iso-8859-1" => single_byte::Latin1;
        Windows1252 "windows-1252" => single_byte::Windows1252;
        Unicode11Utf8 "unicode-1-1-utf-8" => unicode11::Unicode11Utf8;
        Unicode11Utf8Lenient "unicode-1-1-utf-8/lenient" => unicode11::Unicode11Utf8<true>;
    }
    marked {
        Utf8Bom "utf-8/bom" => Marked { big: &[0xEF, 0xBB, 0xBF], ..Marked::new(Form::Utf8, Form::Utf8) };
        Utf16 "utf-16" => Marked::new(Form::Utf16Be, Form::Utf16Le);
        Utf16Surrogates "utf-16/surrogates" => Marked::new(Form::Utf16BeSurrogates, Form::Utf16LeSurrogates);
        Utf16Web "utf-16/web" =>
            Marked { unmarked: Form::Utf16Le, writes_mark: false, ..Marked::new(Form::Utf16Be, Form::Utf16Le) };
        Ucs2 "ucs-2" => Marked::new(Form::Ucs2Be, Form::Ucs2Le);
        Ucs2Pairs "ucs-2/pairs" => Marked::new(Form::Ucs2BePairs, Form::Ucs2LePairs);
        Utf32 "utf-32" => Marked { big: &[0, 0, 0xFE, 0xFF], ..Marked::new(Form::Utf32Be, Form::Utf32Le) };
        Ucs4 "ucs-4" => Marked { big: &[0, 0, 0xFE, 0xFF], ..Marked::new(Form::Ucs4Be, Form::Ucs4Le) };
    }
}

/// The rule of a form that owns its byte order mark: it is read and removed, and decides which form follows.
pub(crate) struct Marked {
    /// The mark of `big`; that of `little` is its reverse.
    big: &'static [u8],
    after_big: Form,
    after_little: Form,
    /// What stands there without a mark, and what the writer writes.
    pub(crate) unmarked: Form,
    pub(crate) writes_mark: bool,
}

/// What the first bytes of a marked form say.
pub(crate) enum Head {
    /// `skip` bytes of mark, then this form.
    Known { form: Form, skip: usize },
    /// More bytes decide.
    Incomplete,
}

impl Marked {
    const fn new(big: Form, little: Form) -> Marked {
        Marked { big: &[0xFE, 0xFF], after_big: big, after_little: little, unmarked: big, writes_mark: true }
    }

    /// Which form the input holds, by its first bytes.
    pub(crate) fn resolve(&self, bytes: &[u8], last: bool) -> Head {
        let skip = self.big.len();
        let n = skip.min(bytes.len());
        let is_big = bytes[..n] == self.big[..n];
        let is_little =
            self.after_little != self.after_big && bytes[..n].iter().eq(self.big.iter().rev().take(n));
        match (is_big, is_little) {
            (true, _) | (_, true) if n < skip && !last => Head::Incomplete,
            (true, _) if n == skip => Head::Known { form: self.after_big, skip },
            (_, true) if n == skip => Head::Known { form: self.after_little, skip },
            _ => Head::Known { form: self.unmarked, skip: 0 },
        }
    }

    /// The form behind the mark that is not that of `unmarked`, where there are two.
    pub(crate) fn reversed(&self) -> Option<Form> {
        [self.after_big, self.after_little].into_iter().find(|&form| form != self.unmarked)
    }

    fn facts(&self) -> Facts {
        let facts = self.unmarked.facts();
        Facts { ascii_transparent: false, order_preserving: false, ..facts }
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

    /// Whether it is known to hold lone surrogates, so that escapes of bytes may stand in it. More forms could carry them.
    pub(crate) fn holds_escapes(self) -> bool {
        let unmarked = self.marked().map_or(self, |marked| marked.unmarked);
        matches!(
            unmarked,
            Form::Utf8b
                | Form::Utf8bPython
                | Form::Utf16LeSurrogates
                | Form::Utf16BeSurrogates
                | Form::Ucs2Le
                | Form::Ucs2Be
                | Form::Ucs2LePairs
                | Form::Ucs2BePairs
                | Form::Ucs4Le
                | Form::Ucs4Be
        )
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
