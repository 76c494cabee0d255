//! Runs of well-formed text that are errors all the same: mojibake, and characters that are not shown.

mod search;

use std::path::Path;

use placemat::invisible::{Kind, Kinds};
use placemat_detect::mojibake::Page;

use super::{advice, misread};
use crate::{escape, hidden as words};

pub(super) use self::search::{Places, each_block};
pub use self::search::{Source, search};

/// One run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run<'a> {
    /// Bytes from the start of the input.
    pub offset: u64,
    /// From 1.
    pub line: u64,
    /// In code points, from 1.
    pub column: u64,
    /// The run.
    pub bytes: &'a [u8],
    /// The text before and after it on its line, as far as a screen could show it.
    pub around: [&'a [u8]; 2],
    /// What is wrong with it.
    pub what: What<'a>,
}

/// The kinds of runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What<'a> {
    /// Text that was decoded twice.
    Mojibake {
        /// The text that it was meant to be.
        text: &'a str,
        /// The encodings that it was misread in, the last misreading first.
        via: &'a [Page],
    },
    /// Characters that are not shown and that their context does not explain.
    Hidden(Kind),
    /// U+FFFD, in place of text that could not be read earlier.
    Replacement,
    /// The name of a file is wrong. The run is that name, and `offset` is its offset in the path.
    Name {
        /// The kind, as it is printed.
        kind: &'static str,
        /// What is wrong.
        sentence: &'a str,
        /// The name that the file should have, if it is known.
        becomes: Option<&'a str>,
        /// The encoding to pass to `repair --names --mend`, if one is needed.
        mend: Option<&'static str>,
    },
}

/// The kinds of runs to search for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sought {
    /// Mojibake.
    pub mojibake: bool,
    /// Characters that are not shown, of these kinds.
    pub hidden: Kinds,
    /// U+FFFD.
    pub replacements: bool,
}

impl Sought {
    /// Nothing.
    pub const NONE: Sought = Sought { mojibake: false, hidden: Kinds::NONE, replacements: false };
}

impl Run<'_> {
    /// The name of the kind: `mojibake`, `tag-payload`, …
    ///
    /// ```
    /// use placemat::invisible::Kinds;
    /// use placemat_text::faults::hidden::search;
    ///
    /// search(&mut "a\u{200B}b".as_bytes(), Kinds::DEFAULT, 10, &mut |run| {
    ///     assert_eq!(run.name(), "zero-width");
    ///     Ok::<_, ()>(())
    /// })
    /// .unwrap();
    /// ```
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self.what {
            What::Mojibake { .. } => MOJIBAKE,
            What::Hidden(kind) => kind.name(),
            What::Replacement => REPLACEMENT,
            What::Name { kind, .. } => kind,
        }
    }

    /// The text that it hides, if any, with U+FFFD for malformed bytes.
    ///
    /// ```
    /// use placemat::invisible::Kinds;
    /// use placemat_text::faults::hidden::search;
    ///
    /// search(&mut "ok\u{E0068}\u{E0069}".as_bytes(), Kinds::DEFAULT, 10, &mut |run| {
    ///     assert_eq!(run.payload().as_deref(), Some("hi"));
    ///     Ok::<_, ()>(())
    /// })
    /// .unwrap();
    /// ```
    #[must_use]
    pub fn payload(&self) -> Option<String> {
        let What::Hidden(_) = self.what else { return None };
        words::payload(self.bytes)
    }

    /// The run in a form that is safe to show. What a terminal would act on, and each character that is not shown, is `\u{…}`; a
    /// long run is shortened.
    ///
    /// ```
    /// use placemat::invisible::Kinds;
    /// use placemat_text::faults::hidden::search;
    ///
    /// search(&mut "a\u{200B}b".as_bytes(), Kinds::DEFAULT, 10, &mut |run| {
    ///     assert_eq!(run.shown(), r"\u{200b}");
    ///     Ok::<_, ()>(())
    /// })
    /// .unwrap();
    /// ```
    #[must_use]
    pub fn shown(&self) -> String {
        match self.what {
            What::Mojibake { .. } | What::Name { .. } => escape::bytes(self.bytes).to_string(),
            What::Hidden(_) => words::shown(self.bytes),
            What::Replacement => char::REPLACEMENT_CHARACTER.into(),
        }
    }

    /// "Ã© stands for é: its UTF-8 was read as windows-1252", "2 tag characters, which are not shown, hide “hi”".
    ///
    /// ```
    /// use placemat_text::faults::misread::search;
    ///
    /// search(&mut "café\ncafÃ©".as_bytes(), 10, &mut |run| {
    ///     assert_eq!(run.sentence(), "Ã© stands for é: its UTF-8 was read as windows-1252");
    ///     Ok::<_, ()>(())
    /// })
    /// .unwrap();
    /// ```
    #[must_use]
    pub fn sentence(&self) -> String {
        match self.what {
            What::Mojibake { text, via } => misread::sentence(self.bytes, text, via),
            What::Hidden(kind) => words::sentence(kind, self.bytes),
            What::Replacement => "U+FFFD stands here for what could not be read: the text is lost".to_owned(),
            What::Name { sentence, .. } => sentence.to_owned(),
        }
    }

    /// The command that repairs it in `file`, if there is one.
    ///
    /// ```
    /// use placemat_text::faults::misread::search;
    ///
    /// search(&mut "cafÃ©".as_bytes(), 10, &mut |run| {
    ///     let advice = run.advice(Some("a.txt".as_ref())).unwrap();
    ///     assert!(advice.ends_with("placemat repair --in-place --mojibake a.txt"));
    ///     Ok::<_, ()>(())
    /// })
    /// .unwrap();
    /// ```
    #[must_use]
    pub fn advice(&self, file: Option<&Path>) -> Option<String> {
        match self.what {
            What::Mojibake { .. } => Some(advice::of_mojibake(file)),
            What::Hidden(kind) => Some(advice::of_hidden(kind, file)),
            What::Replacement => None,
            What::Name { mend, .. } => file.map(|file| advice::of_name(mend, file)),
        }
    }
}

/// The name of the kind of all runs that were decoded twice.
pub const MOJIBAKE: &str = "mojibake";

/// The name of the kind of U+FFFD.
pub const REPLACEMENT: &str = "replacement-character";

/// The name of the kind of a file name that is not UTF-8.
pub const NAME_MALFORMED: &str = "name-malformed";

/// The name of the kind of a file name that was decoded twice.
pub const NAME_MOJIBAKE: &str = "name-mojibake";

/// Returns the name of every kind of run, with a description of the kind.
///
/// ```
/// use placemat_text::faults::run;
/// assert!(run::rules().any(|(name, rule)| name == "mojibake" && rule == "Text that was decoded twice."));
/// ```
pub fn rules() -> impl Iterator<Item = (&'static str, &'static str)> {
    let hidden = Kind::ALL.iter().map(|&kind| (kind.name(), words::rule(kind)));
    let replacement = (REPLACEMENT, "U+FFFD, which stands for what could not be read.");
    let names = [
        (NAME_MALFORMED, "A file or folder name that is not UTF-8."),
        (NAME_MOJIBAKE, "A file or folder name that was decoded twice."),
    ];
    [(MOJIBAKE, "Text that was decoded twice."), replacement].into_iter().chain(hidden).chain(names)
}
