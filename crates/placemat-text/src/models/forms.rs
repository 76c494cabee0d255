//! The lines of `forms`, and the descriptions of policies and readers of labels.

use placemat::label::Labels;
use placemat::{Form, Policy};
use serde::Serialize;

use super::SCHEMA;
use crate::charset::Charset;

/// What each policy replaces a malformed sequence by.
pub const POLICIES: [(&str, &str); Policy::ALL.len()] = [
    ("stop", "nothing: report and stop (the default)"),
    ("replace", "U+FFFD per error (Unicode, the web)"),
    ("replace-byte", "U+FFFD per byte (Go's range)"),
    ("replace-sequence", "one U+FFFD per sequence as announced (Perl)"),
    ("replace-run", "one U+FFFD per run of bad bytes (Go's ToValidUTF8)"),
    ("skip", "nothing; unsafe: it joins text that the error separated"),
    ("latin1", "what each byte means in ISO-8859-1"),
    ("cp1252", "what each byte means in windows-1252, as the web reads it"),
    ("cp1252-strict", "the same, with U+FFFD for its five unused bytes"),
    ("surrogateescape", "U+DC80 to U+DCFF per byte (Python)"),
    ("optu", "U+EF80 to U+EFFF per byte (MirBSD)"),
    ("escape", "the text \\xhh"),
];

/// The names that each reader of labels accepts.
pub const LABELS: [(Labels, &str); Labels::ALL.len()] = [
    (Labels::Lenient, "ours, IANA's, the web's, unofficial ones, spelt anyhow"),
    (Labels::Iana, "the IANA registry"),
    (Labels::Whatwg, "the web: latin1 is windows-1252"),
    (Labels::Rfc2279, "the IANA registry, and unicode-1-1-utf-8 with its Hangul"),
    (Labels::Oracle, "Oracle Database: UTF8 is cesu-8"),
    (Labels::Mysql, "MySQL and MariaDB: utf8 is utf8mb3"),
];

/// Another name of an encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Alias {
    /// The name.
    pub label: &'static str,
    /// The reader of labels that accepts the name.
    pub labels: &'static str,
}

/// One line of `forms --format json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum FormsLine {
    /// A form.
    Form {
        /// Its name.
        name: &'static str,
        /// The code points that it can hold.
        code_points: &'static str,
        /// The least and the most bytes that a code point takes.
        bytes: [u8; 2],
        /// Whether bytes below 80 are always ASCII.
        ascii_transparent: bool,
        /// Whether a reader that starts at any byte finds the next character.
        self_synchronising: bool,
        /// Whether bytes sort as code points do.
        order_preserving: bool,
        /// The document that defines it.
        source: &'static str,
        /// Its other names.
        aliases: Vec<Alias>,
        /// [`SCHEMA`], on the last line.
        #[serde(skip_serializing_if = "Option::is_none")]
        schema: Option<u32>,
    },
    /// A legacy encoding.
    Legacy {
        /// Its name.
        name: &'static str,
        /// Its other names.
        aliases: Vec<Alias>,
        /// [`SCHEMA`], on the last line.
        #[serde(skip_serializing_if = "Option::is_none")]
        schema: Option<u32>,
    },
    /// A policy.
    Policy {
        /// Its name.
        name: &'static str,
        /// What a malformed sequence is replaced by.
        becomes: &'static str,
        /// [`SCHEMA`], on the last line.
        #[serde(skip_serializing_if = "Option::is_none")]
        schema: Option<u32>,
    },
}

impl FormsLine {
    /// Returns one line for each of these encodings, then, with `with_policies`, one for each policy. The last line
    /// has the version of the schema.
    ///
    /// ```
    /// use placemat::Form;
    /// use placemat_text::models::FormsLine;
    ///
    /// let lines = FormsLine::all(&[Form::Cesu8.into()], false);
    /// assert_eq!(serde_json::to_value(&lines).unwrap()[0]["name"], "cesu-8");
    /// ```
    #[must_use]
    pub fn all(charsets: &[Charset], with_policies: bool) -> Vec<FormsLine> {
        let policies = POLICIES.iter().filter(|_| with_policies);
        let policies = policies.map(|&(name, becomes)| FormsLine::Policy { name, becomes, schema: None });
        let mut lines: Vec<_> =
            charsets.iter().map(|&charset| FormsLine::of(charset)).chain(policies).collect();
        if let Some(
            FormsLine::Form { schema, .. }
            | FormsLine::Legacy { schema, .. }
            | FormsLine::Policy { schema, .. },
        ) = lines.last_mut()
        {
            *schema = Some(SCHEMA);
        }
        lines
    }

    fn of(charset: Charset) -> FormsLine {
        let aliases = charset.label().aliases();
        let aliases = aliases.map(|(labels, label)| Alias { label, labels: labels.name() }).collect();
        match charset.form() {
            Some(form) => FormsLine::of_form(form, aliases),
            None => FormsLine::Legacy { name: charset.name(), aliases, schema: None },
        }
    }

    fn of_form(form: Form, aliases: Vec<Alias>) -> FormsLine {
        let facts = form.facts();
        FormsLine::Form {
            name: form.name(),
            code_points: facts.domain,
            bytes: [facts.width.0, facts.width.1],
            ascii_transparent: facts.ascii_transparent,
            self_synchronising: facts.self_synchronising,
            order_preserving: facts.order_preserving,
            source: facts.source,
            aliases,
            schema: None,
        }
    }
}
