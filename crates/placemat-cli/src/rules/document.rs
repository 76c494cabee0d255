//! Parses `placemat.toml`, and reports what is wrong with it.

use std::ops::Range;
use std::path::Path;
use std::{fmt, fs};

use anyhow::{Context as _, Result, anyhow};
use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};
use memchr::memchr_iter;
use placemat::{Form, bom};
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use super::{Rule, Rules};
use crate::escape;
use crate::naming::resolve;
use placemat::invisible::Kinds;
use placemat_text::charset::Charset;
use placemat_text::hidden;
use placemat_text::rules::{Invisible, LineEnding, Mark};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    /// Files whose faults are known.
    #[serde(default)]
    allow: List,
    #[serde(default)]
    rule: Vec<Table>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Table {
    files: List,
    form: Option<Spanned<String>>,
    mark: Option<Spanned<Mark>>,
    line_ending: Option<LineEnding>,
    invisible: Option<Invisible>,
    may_have: Option<List>,
}

/// Strings in brackets. The error for anything else shows what is expected.
#[derive(Default)]
struct List(Vec<Spanned<String>>);

impl<'de> Deserialize<'de> for List {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<List, D::Error> {
        deserializer.deserialize_seq(Strings)
    }
}

/// Reads a [`List`].
struct Strings;

impl<'de> Visitor<'de> for Strings {
    type Value = List;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list in brackets, such as [\"a\", \"b\"]")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> Result<List, A::Error> {
        let mut list = List::default();
        while let Some(value) = values.next_element()? {
            list.0.push(value);
        }
        Ok(list)
    }
}

/// What is wrong, and where in the text.
type Fault = (Option<Range<usize>>, String);

impl Rules {
    /// # Errors
    /// The file cannot be read, is not TOML, or says something that has no meaning: then with the number of the line.
    pub(super) fn read(path: &Path) -> Result<Rules> {
        let bytes = fs::read(path).with_context(|| escape::path(path).to_string())?;
        Rules::parse(&bytes).map_err(|(span, message)| {
            let line =
                span.map_or(1, |span| memchr_iter(b'\n', &bytes[..span.start.min(bytes.len())]).count() + 1);
            anyhow!("{}:{line}: {}", escape::path(path), message.replace('\n', "; "))
        })
    }

    fn parse(bytes: &[u8]) -> Result<Rules, Fault> {
        let text = str::from_utf8(bytes)
            .map_err(|error| (Some(error.valid_up_to()..bytes.len()), "this is not UTF-8".to_owned()))?;
        let document: Document = toml::from_str(text).map_err(|error| told(text, &error))?;
        let (mut files, mut owners, mut hidden) = (Vec::new(), Vec::new(), Vec::new());
        let mut rules = Vec::new();
        for table in &document.rule {
            for pattern in &table.files.0 {
                let pattern = Pattern::parse(pattern)?;
                files.push(pattern.glob);
                hidden.extend(pattern.hidden);
                owners.push(rules.len());
            }
            rules.push(table.rule()?);
        }
        let allowed = document.allow.0.iter().map(|pattern| Ok(Pattern::parse(pattern)?.glob));
        let allowed = allowed.collect::<Result<Vec<_>, Fault>>()?;
        Ok(Rules { rules, files: set(files)?, owners, allowed: set(allowed)?, hidden: set(hidden)? })
    }
}

impl Table {
    fn rule(&self) -> Result<Rule, Fault> {
        let charset = |name: &Spanned<String>| {
            resolve(Default::default(), name.get_ref())
                .map_err(|error| (Some(name.span()), format!("form: {error}")))
        };
        let charset = self.form.as_ref().map(charset).transpose()?;
        if let Some(mark) = self.mark.as_ref().filter(|mark| *mark.get_ref() == Mark::Required)
            && !can_be_marked(charset.unwrap_or(Form::Utf8.into()))
        {
            let name = charset.map_or("", Charset::name);
            return Err((Some(mark.span()), format!("{name} has no byte order mark")));
        }
        let mark = self.mark.as_ref().map(|mark| *mark.get_ref());
        let may_have = self.may_have.as_ref().map(|list| kinds(&list.0)).transpose()?;
        Ok(Rule { charset, mark, line_ending: self.line_ending, invisible: self.invisible, may_have })
    }
}

/// What the parser says, with the key whose value is wrong, and in the words of this program.
fn told(text: &str, error: &toml::de::Error) -> Fault {
    let before = error.span().and_then(|span| text.get(..span.start));
    let line = before.and_then(|before| before.rsplit('\n').next());
    let key = line.and_then(|line| line.split_once('=')).map(|(key, _)| key.trim());
    let key = key.filter(|key| key.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'));
    let key = key.map_or(String::new(), |key| format!("{key}: "));
    let words = error.message().replace("unknown variant", "unknown value");
    (error.span(), format!("{key}{}", words.replace("wanted string or table", "a string is expected")))
}

/// Parses the names of kinds of characters that are not shown.
fn kinds(names: &[Spanned<String>]) -> Result<Kinds, Fault> {
    let kind = |name: &Spanned<String>| {
        hidden::kind(name.get_ref()).map_err(|error| (Some(name.span()), format!("may-have: {error}")))
    };
    names.iter().try_fold(Kinds::NONE, |set, name| Ok(set.with(kind(name)?)))
}

/// Whether text in this encoding can begin with a byte order mark that is recognised.
fn can_be_marked(charset: Charset) -> bool {
    let written = charset.form().and_then(|form| placemat::convert(Form::Utf8, form, b"\xEF\xBB\xBF").ok());
    written.is_some_and(|mark| bom::sniff(&mark).is_some())
}

/// A glob of a rule.
struct Pattern {
    glob: Glob,
    /// The hidden folders that the glob names and, if there are any, the glob itself.
    hidden: Vec<Glob>,
}

impl Pattern {
    /// Parses a pattern. As in .gitignore, one without a slash is about files in any folder; others are relative to the
    /// folder of the rules.
    fn parse(pattern: &Spanned<String>) -> Result<Pattern, Fault> {
        let text = pattern.get_ref().trim_start_matches("./");
        let whole = match text.strip_prefix('/') {
            Some(anchored) => anchored.to_owned(),
            None if text.contains('/') => text.to_owned(),
            None => format!("**/{text}"),
        };
        let build = |text: &str| {
            let glob = GlobBuilder::new(text).literal_separator(true).build();
            glob.map_err(|error| (Some(pattern.span()), format!("glob {text:?}: {}", error.kind())))
        };
        let glob = build(&whole)?;
        let mut hidden = Vec::new();
        for (end, _) in whole.match_indices('/') {
            let folder = &whole[..end];
            if folder.rsplit('/').next().is_some_and(|name| name.starts_with('.')) {
                hidden.push(build(folder)?);
            }
        }
        if !hidden.is_empty() {
            hidden.push(glob.clone());
        }
        Ok(Pattern { glob, hidden })
    }
}

fn set(globs: Vec<Glob>) -> Result<GlobSet, Fault> {
    let mut set = GlobSetBuilder::new();
    for glob in globs {
        set.add(glob);
    }
    set.build().map_err(|error| (None, error.to_string()))
}
