//! The arguments of a conversion, and what they mean: encodings, policies, byte order marks.

use anyhow::{Result, anyhow, bail};
use clap::ArgAction;
use clap::builder::TypedValueParser;
use placemat::label::Labels;
use placemat::{Bom, CodePoint, Form, Policy, Unencodable};

use crate::args::Common;
use crate::choices::{self, Named, one_of};
use crate::naming::resolve;
use crate::pool::Pool;
use placemat_text::charset::{self, Charset, guess};
use placemat_text::convert::Settings;
use placemat_text::iconv::{Habit, Suffixes};

/// How to convert.
#[derive(clap::Args, Debug)]
pub(super) struct Conversion {
    /// Form or encoding of the input [default: utf-8]. A,B: the first of these in which the whole input is well-formed. auto: what `detect` finds
    #[arg(short, long, value_name = "FORM", value_delimiter = ',', action = ArgAction::Set)]
    from: Vec<String>,

    /// With -f auto: refuse a guess that is less than N percent sure [default: 50]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = choices::number_in(0..=100_u8))]
    sure: Option<u8>,

    /// Form or encoding of the output. FORM//TRANSLIT writes similar characters for those that FORM lacks (e for é),
    /// FORM//NON_IDENTICAL_DISCARD leaves them out, FORM//IGNORE is the same as -c
    #[arg(short, long, value_name = "FORM", default_value = "utf-8")]
    to: String,

    /// What to write for a malformed sequence
    ///
    /// stop (the default): report it and stop. replace: U+FFFD per error (replace-byte: per byte, replace-sequence: per sequence as its lead byte
    /// announced it, replace-run: per run). skip: nothing; unsafe, since it joins what a filter kept apart. latin1, cp1252, cp1252-strict: what each
    /// byte means there. surrogateescape: U+DC80 and up, reversible. optu: U+EF80 and up, reversible only if
    /// the text has no such characters of its own. escape: the text \xhh.
    #[arg(long, value_name = "POLICY", value_parser = policies())]
    on_error: Option<String>,

    /// What to write for a character that the target lacks: stop, replace, replace=X, skip, escape (\u{20ac}), ncr (&#8364;)
    #[arg(long, value_name = "POLICY", value_parser = unencodables(), hide_possible_values = true)]
    unencodable: Option<Unencodable>,

    /// Byte order mark at the start: keep (the default, but strip for -t UTF-8N), strip, add (not to empty
    /// text)
    #[arg(long, value_name = "WHAT", value_parser = boms(), hide_possible_values = true)]
    bom: Option<Bom>,

    /// Skip what is malformed (unless --on-error is given) and what the target lacks (unless --unencodable is given); the same as -t FORM//IGNORE
    #[arg(short = 'c')]
    skip: bool,

    /// Do not report what was replaced, skipped or cut off
    #[arg(short, long)]
    silent: bool,

    /// How names of encodings are read: lenient, iana, whatwg, rfc2279, oracle, mysql
    #[arg(long, value_name = "PROFILE", default_value = "lenient", value_parser = crate::naming::labels(), hide_possible_values = true)]
    labels: Labels,
}

/// An encoding that an input may be in.
#[derive(Clone, Copy)]
pub(super) enum Candidate {
    Named(Charset),
    /// The encoding that is detected.
    Auto,
}

/// What the flags mean.
pub(super) struct Options {
    /// In the order of preference; never empty.
    pub(super) from: Vec<Candidate>,
    pub(super) settings: Settings,
    pub(super) silent: bool,
    /// Write what resembles a character that the target lacks.
    pub(super) transliterates: bool,
    /// The word for what the policies do: `replaced` or `skipped`.
    pub(super) verb: &'static str,
    /// The threads that convert.
    pub(super) pool: Pool,
    /// Unpack compressed inputs.
    pub(super) unpack: bool,
    /// How sure a guess must be, from 0 to 1.
    pub(super) sure: f32,
    /// Refuse a file that is UTF-8 already, or begins with a byte order mark, and would be read as something else.
    pub(super) guards: bool,
    /// How many bytes the output may have.
    pub(super) limit: Option<u64>,
}

fn policies() -> clap::builder::PossibleValuesParser {
    Policy::ALL.iter().map(|&(name, _)| name).collect::<Vec<_>>().into()
}

fn unencodable(name: &str) -> Result<Unencodable, &'static str> {
    Unencodable::named(name)
        .ok_or("one of stop, replace, replace=X (one character), skip, escape, ncr is expected")
}

fn unencodables() -> impl TypedValueParser<Value = Unencodable> {
    Named { parser: unencodable, names: vec!["stop", "replace", "replace=", "skip", "escape", "ncr"] }
}

fn boms() -> impl TypedValueParser<Value = Bom> {
    one_of(vec!["keep", "strip", "add"], Bom::named)
}

impl Conversion {
    /// Whether -f is absent: then rules may name the encoding of a file.
    pub(super) fn names_no_source(&self) -> bool {
        self.from.is_empty()
    }

    pub(super) fn is_silent(&self) -> bool {
        self.silent
    }

    /// Finds out what the flags mean.
    ///
    /// # Errors
    /// Unknown names, and combinations that are impossible.
    pub(super) fn resolve(&self, common: &Common) -> Result<Options> {
        let mut asked = Suffixes::default();
        if self.skip {
            (asked.discards_malformed, asked.discards_lacking) = (true, true);
        }
        let candidate = |label: &String| -> Result<Candidate> {
            match without_suffix(label, &mut asked)? {
                label if label.eq_ignore_ascii_case("auto") => Ok(Candidate::Auto),
                label => Ok(Candidate::Named(resolve(self.labels, label)?)),
            }
        };
        let mut from = self.from.iter().map(candidate).collect::<Result<Vec<_>>>()?;
        if from.is_empty() {
            from.push(Candidate::Named(Form::Utf8.into()));
        }
        if self.sure.is_some() && !from.iter().any(|from| matches!(from, Candidate::Auto)) {
            bail!("--sure needs -f auto");
        }
        let label = without_suffix(&self.to, &mut asked)?;
        let to = resolve(self.labels, label)?;
        let bom = self.bom.unwrap_or_else(|| charset::mark_of(label));
        let default = if asked.discards_malformed { Policy::Skip } else { Policy::Stop };
        let lacking = match asked {
            Suffixes { discards_lacking: true, .. } => Unencodable::Skip,
            Suffixes { transliterates: true, .. } => Unencodable::Replace(None),
            _ => Unencodable::Stop,
        };
        let policy = self.on_error.as_deref().and_then(Policy::named).unwrap_or(default);
        let policy = policy.unencodable(self.unencodable.unwrap_or(lacking));
        if bom == Bom::Add && charset::mark_of(label) == Bom::Strip {
            bail!("--bom add: {label} means UTF-8 without a byte order mark: -t utf-8 --bom add writes one");
        }
        if bom == Bom::Add && !to.carries(CodePoint::MARK) {
            bail!("--bom add: {to} has no byte order mark");
        }
        if let Some(Unencodable::Replace(Some(c))) = self.unencodable
            && !to.carries(c)
            && c != CodePoint::REPLACEMENT
        {
            // A target that lacks U+FFFD gets `?` instead, as with `replace` alone.
            let x = c.to_char().unwrap_or_default();
            bail!("--unencodable replace={x}: {to} cannot carry {c} either");
        }
        let settings = Settings { to, policy, bom };
        let options = Options {
            from,
            settings,
            silent: self.silent,
            transliterates: asked.transliterates,
            verb: self.verb(asked),
            pool: Pool::new(common.threads()),
            unpack: false,
            sure: self.sure.map_or(guess::SURE, |sure| f32::from(sure) / 100.0),
            guards: false,
            limit: None,
        };
        for candidate in &options.from {
            if let Candidate::Named(from) = candidate {
                options.check(*from)?;
            }
        }
        Ok(options)
    }

    /// The word for what happens to malformed sequences and to characters that the target lacks.
    fn verb(&self, asked: Suffixes) -> &'static str {
        let malformed = match self.on_error.as_deref() {
            None => asked.discards_malformed.then_some(true),
            Some("stop") => None,
            Some(name) => Some(name == "skip"),
        };
        let lacking = match self.unencodable {
            _ if asked.transliterates => Some(false),
            None => asked.discards_lacking.then_some(true),
            Some(Unencodable::Stop) => None,
            Some(policy) => Some(matches!(policy, Unencodable::Skip)),
        };
        match (malformed, lacking) {
            (Some(true), Some(true) | None) | (None, Some(true)) => "skipped",
            (Some(true), _) | (_, Some(true)) => "replaced or skipped",
            _ => "replaced",
        }
    }
}

impl Options {
    /// Checks that the policy can be used from this encoding to the target.
    ///
    /// # Errors
    /// The reason why it cannot.
    pub(super) fn check(&self, from: Charset) -> Result<()> {
        // No legacy encoding has surrogates, and neither has UTF-8, which stands in for all of them.
        let form = |charset| match charset {
            Charset::Form(form) => form,
            Charset::Legacy(_) => Form::Utf8,
        };
        let Settings { to, policy, .. } = self.settings;
        policy
            .fits(form(from), form(to))
            .map_err(|why| anyhow!("--on-error surrogateescape from {from} to {to}: {why}"))
    }
}

/// The label without its suffixes, which are added to what is `asked` for.
fn without_suffix<'a>(label: &'a str, asked: &mut Suffixes) -> Result<&'a str> {
    let (label, suffixes) = Suffixes::parse(label, Habit::Posix)?;
    asked.transliterates |= suffixes.transliterates;
    asked.discards_malformed |= suffixes.discards_malformed;
    asked.discards_lacking |= suffixes.discards_lacking;
    Ok(label)
}
