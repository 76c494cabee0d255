//! Describes in words what was repaired.

use std::collections::BTreeMap;

use placemat::Policy;
use placemat_detect::Kind;

use super::mend::Rule;
use crate::notation::number;

/// The number of changes by each rule.
pub type Counts = BTreeMap<Rule, u64>;

/// "6 bytes read as windows-1252, 2 overlong sequences and 1 truncated character replaced by U+FFFD".
///
/// ```
/// use placemat_text::repair::mend::Rule;
/// use placemat_text::repair::wording::{Counts, counts};
///
/// let done = Counts::from([(Rule::Windows1252, 6), (Rule::Overlong, 1)]);
/// assert_eq!(counts(&done), "6 bytes read as windows-1252, 1 overlong sequence shortened");
/// assert_eq!(counts(&Counts::from([(Rule::Cesu8, 1_277)])), "1,277 CESU-8 pairs joined");
/// ```
pub fn counts(counts: &Counts) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut alike = Vec::new();
    let mut rules = counts.iter().peekable();
    while let Some((rule, &n)) = rules.next() {
        let Rule::Policy(name, kind) = rule else {
            parts.push(rule.sentence(n));
            continue;
        };
        alike.push(of_kind(n, kind.0));
        // Several kinds under the same policy share one phrase.
        if !matches!(rules.peek(), Some((Rule::Policy(next, _), _)) if verb(next) == verb(name)) {
            parts.push(format!("{} {}", listed(&alike), verb(name)));
            alike.clear();
        }
    }
    parts.join(", ")
}

/// "1 lone surrogate and 2 stray bytes": the sequences that policies replaced.
///
/// ```
/// use placemat_detect::Kind;
/// use placemat_text::repair::mend::{Rule, Sequence};
/// use placemat_text::repair::wording::{Counts, sequences};
///
/// let left = Counts::from([(Rule::Policy("replace", Sequence(Kind::Other)), 2)]);
/// assert_eq!(sequences(&left), "2 stray bytes");
/// ```
#[must_use]
pub fn sequences(counts: &Counts) -> String {
    let of_policy = counts.iter().filter_map(|(rule, &n)| match rule {
        Rule::Policy(_, kind) => Some(of_kind(n, kind.0)),
        Rule::Mark
        | Rule::Windows1252
        | Rule::Second(_)
        | Rule::Cesu8
        | Rule::Nul
        | Rule::Overlong
        | Rule::Mojibake(_)
        | Rule::Hidden(_)
        | Rule::Zero(_) => None,
    });
    listed(&of_policy.collect::<Vec<_>>())
}

/// "a, b and c".
fn listed(things: &[String]) -> String {
    match things {
        [] => String::new(),
        [one] => one.clone(),
        [others @ .., last] => format!("{} and {last}", others.join(", ")),
    }
}

impl Rule {
    /// The name of the rule in reports.
    ///
    /// ```
    /// assert_eq!(placemat_text::repair::mend::Rule::Cesu8.name(), "cesu-8");
    /// ```
    pub fn name(&self) -> &'static str {
        match self {
            Rule::Mark => "mark",
            Rule::Windows1252 => "windows-1252",
            Rule::Second(name) => name,
            Rule::Cesu8 => "cesu-8",
            Rule::Nul => "nul",
            Rule::Overlong => "overlong",
            Rule::Policy(name, _) => name,
            Rule::Mojibake(_) => "mojibake",
            Rule::Hidden(_) => "invisible",
            Rule::Zero(_) => "u+0000",
        }
    }

    fn sentence(&self, n: u64) -> String {
        match self {
            Rule::Mark => {
                let marks = things(n, "byte order mark", "byte order marks");
                format!("{marks} of another encoding removed")
            }
            Rule::Windows1252 => format!("{} read as windows-1252", things(n, "byte", "bytes")),
            Rule::Second(name) => format!("{} read as {name}", things(n, "run", "runs")),
            Rule::Cesu8 => format!("{} joined", things(n, "CESU-8 pair", "CESU-8 pairs")),
            Rule::Nul => format!("{} made U+0000", things(n, "overlong NUL", "overlong NULs")),
            Rule::Overlong => format!("{} shortened", things(n, "overlong sequence", "overlong sequences")),
            Rule::Policy(name, kind) => format!("{} {}", of_kind(n, kind.0), verb(name)),
            Rule::Mojibake(via) => {
                let pages: Vec<_> = via.iter().rev().map(|page| page.name()).collect();
                let runs = things(n, "run of mojibake", "runs of mojibake");
                format!("{runs} undone ({})", pages.join(", then "))
            }
            Rule::Hidden(kind) => format!("{} × {kind} removed", number(n)),
            Rule::Zero(name) => format!("{} × U+0000 {}", number(n), verb(name)),
        }
    }
}

fn things(n: u64, one: &str, more: &str) -> String {
    format!("{} {}", number(n), if n == 1 { one } else { more })
}

/// The words for one malformed sequence, and for several.
const SEQUENCES: [(Kind, &str, &str); Kind::ALL.len()] = [
    (Kind::Windows1252, "lone byte", "lone bytes"),
    (Kind::CesuPair, "CESU-8 pair", "CESU-8 pairs"),
    (Kind::LoneSurrogate, "lone surrogate", "lone surrogates"),
    (Kind::ModifiedNul, "C0 80 (NUL in Modified UTF-8)", "C0 80 (NUL in Modified UTF-8)"),
    (Kind::Overlong, "overlong sequence", "overlong sequences"),
    (Kind::SixOctet, "sequence above U+10FFFF", "sequences above U+10FFFF"),
    (Kind::Truncated, "truncated character", "truncated characters"),
    (Kind::Other, "stray byte", "stray bytes"),
];

fn of_kind(n: u64, kind: Kind) -> String {
    let words = SEQUENCES.iter().find(|(of, ..)| *of == kind);
    words.map_or_else(String::new, |(_, one, more)| things(n, one, more))
}

/// What each policy does to a sequence, in words.
const VERBS: [(&str, &str); Policy::ALL.len()] = [
    ("stop", "left"),
    ("replace", "replaced by U+FFFD"),
    ("replace-byte", "replaced by U+FFFD"),
    ("replace-sequence", "replaced by U+FFFD"),
    ("replace-run", "replaced by U+FFFD"),
    ("skip", "left out"),
    ("latin1", "read as iso-8859-1"),
    ("cp1252", "read as windows-1252"),
    ("cp1252-strict", "read as windows-1252"),
    ("surrogateescape", "escaped as U+DC80 and up"),
    ("optu", "escaped as U+EF80 and up"),
    ("escape", r"written as \xhh"),
];

fn verb(policy: &str) -> &'static str {
    VERBS.iter().find(|(name, _)| *name == policy).map_or("", |(_, verb)| verb)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_policy_and_every_kind_has_its_words() {
        assert!(Policy::ALL.iter().map(|(name, _)| name).eq(VERBS.iter().map(|(name, _)| name)));
        assert!(Kind::ALL.iter().eq(SEQUENCES.iter().map(|(kind, ..)| kind)));
    }
}
