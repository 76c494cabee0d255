//! `placemat forms`: every form and profile, with what can be said of it.

use std::io::{self, Write};

use anstyle::Style;
use anyhow::Result;
use clap::ValueEnum;
use placemat::Form;
use placemat::label::Labels;
use serde::Serialize;

use crate::charset::{Charset, Naming};
use crate::console;
use crate::outcome::Outcome;
use crate::report::{stdout, write_line};

/// List every form and profile, its names and properties, and every policy
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  placemat forms                 every form
  placemat forms utf8 latin1     what these labels mean
  placemat forms --labels whatwg latin1
  placemat forms --format json | jq -r 'select(.type == \"form\") | .name'")]
pub(crate) struct Args {
    /// Only these
    #[arg(value_name = "FORM")]
    forms: Vec<String>,

    #[command(flatten)]
    naming: Naming,

    /// How to write the list
    #[arg(long, value_enum, default_value_t = Format::Text, hide_default_value = true)]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Paragraphs
    Text,
    /// One JSON object a line
    Json,
}

const NAME: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// What each policy makes of a malformed sequence.
const POLICIES: [(&str, &str); 12] = [
    ("stop", "nothing: report and stop (the default)"),
    ("replace", "U+FFFD per error (Unicode, the web)"),
    ("replace-byte", "U+FFFD per byte (Go's range)"),
    ("replace-sequence", "one U+FFFD per sequence as announced (Perl)"),
    ("replace-run", "one U+FFFD per run of bad bytes (Go's ToValidUTF8)"),
    ("skip", "nothing; unsafe, since it joins what a filter kept apart"),
    ("latin1", "what each byte means in ISO-8859-1"),
    ("cp1252", "what each byte means in windows-1252, as the web reads it"),
    ("cp1252-strict", "the same, with U+FFFD for its five unused bytes"),
    ("surrogateescape", "U+DC80 to U+DCFF per byte (Python)"),
    ("optu", "U+EF80 to U+EFFF per byte (MirBSD)"),
    ("escape", "the text \\xhh"),
];

/// What each reader of labels goes by.
const LABELS: [(Labels, &str); 6] = [
    (Labels::Lenient, "ours, IANA's, the web's, unofficial ones, spelt anyhow"),
    (Labels::Iana, "the IANA registry"),
    (Labels::Whatwg, "the web: latin1 is windows-1252"),
    (Labels::Rfc2279, "the IANA registry, and unicode-1-1-utf-8 with its Hangul"),
    (Labels::Oracle, "Oracle Database: UTF8 is cesu-8"),
    (Labels::Mysql, "MySQL and MariaDB: utf8 is utf8mb3"),
];

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Line {
    Form {
        name: &'static str,
        code_points: &'static str,
        bytes: [u8; 2],
        ascii_transparent: bool,
        self_synchronising: bool,
        order_preserving: bool,
        source: &'static str,
        aliases: Vec<Alias>,
    },
    Legacy {
        name: &'static str,
        aliases: Vec<Alias>,
    },
    Policy {
        name: &'static str,
        becomes: &'static str,
    },
}

#[derive(Serialize)]
struct Alias {
    label: &'static str,
    labels: &'static str,
}

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    let named = args.forms.iter().map(|name| args.naming.charset(name));
    let named = named.collect::<Result<Vec<Charset>>>()?;
    match (args.format, args.forms.is_empty()) {
        (Format::Json, true) => json(&all(), true)?,
        (Format::Json, false) => json(&named, false)?,
        (Format::Text, true) => text_of_all()?,
        (Format::Text, false) => text(&named)?,
    }
    Ok(Outcome::Clean)
}

/// Everything that can be read, forms first.
fn all() -> Vec<Charset> {
    Charset::all().collect()
}

fn json(charsets: &[Charset], with_policies: bool) -> Result<()> {
    let mut out = stdout();
    for &charset in charsets {
        let aliases = charset.label().aliases();
        let aliases = aliases.map(|(labels, label)| Alias { label, labels: labels.name() }).collect();
        let line = match charset.form() {
            Some(form) => Line::of_form(form, aliases),
            None => Line::Legacy { name: charset.name(), aliases },
        };
        write_line(&mut out, &line)?;
    }
    for (name, becomes) in POLICIES.into_iter().filter(|_| with_policies) {
        write_line(&mut out, &Line::Policy { name, becomes })?;
    }
    Ok(out.flush()?)
}

impl Line {
    fn of_form(form: Form, aliases: Vec<Alias>) -> Line {
        let facts = form.facts();
        Line::Form {
            name: form.name(),
            code_points: facts.domain,
            bytes: [facts.width.0, facts.width.1],
            ascii_transparent: facts.ascii_transparent,
            self_synchronising: facts.self_synchronising,
            order_preserving: facts.order_preserving,
            source: facts.source,
            aliases,
        }
    }
}

fn text(charsets: &[Charset]) -> Result<()> {
    let mut out = io::BufWriter::new(console::coloured());
    for &charset in charsets {
        paragraph(&mut out, charset)?;
    }
    Ok(out.flush()?)
}

fn text_of_all() -> Result<()> {
    let mut out = io::BufWriter::new(console::coloured());
    for &form in Form::ALL {
        paragraph(&mut out, form.into())?;
    }
    writeln!(out, "{NAME}Legacy encodings{NAME:#}: `placemat forms NAME` lists the other names of each\n")?;
    let legacy: Vec<_> = all().iter().filter(|c| c.form().is_none()).map(|c| c.name()).collect();
    wrapped(&mut out, "", &legacy)?;
    writeln!(
        out,
        "\n{NAME}Readers of names{NAME:#} (--labels): the same name means different things to them\n"
    )?;
    for (labels, takes) in LABELS {
        writeln!(out, "    {NAME}{:<18}{NAME:#} {takes}", labels.name())?;
    }
    writeln!(out, "\n{NAME}Policies{NAME:#} (--on-error): what each malformed sequence becomes\n")?;
    for (name, becomes) in POLICIES {
        writeln!(out, "    {NAME}{name:<18}{NAME:#} {becomes}")?;
    }
    Ok(out.flush()?)
}

fn paragraph(out: &mut impl Write, charset: Charset) -> Result<()> {
    writeln!(out, "{NAME}{charset}{NAME:#}")?;
    match charset.form() {
        Some(form) => properties(out, form)?,
        None => writeln!(out, "    legacy encoding")?,
    }
    for labels in Labels::ALL {
        let of_reader = charset.label().aliases().filter(|(reader, _)| *reader == labels);
        let aliases: Vec<_> = of_reader.map(|(_, alias)| alias).collect();
        let reader = if labels == Labels::Lenient { "unofficial:" } else { &format!("{labels}:") };
        wrapped(out, reader, &aliases)?;
    }
    match charset.form() {
        Some(form) => writeln!(out, "    {DIM}{}{DIM:#}", form.facts().source)?,
        None if charset.name().starts_with("cp") => writeln!(out, "    {DIM}DOS code page{DIM:#}")?,
        None => writeln!(out, "    {DIM}WHATWG Encoding Standard{DIM:#}")?,
    }
    Ok(writeln!(out)?)
}

fn properties(out: &mut impl Write, form: Form) -> Result<()> {
    let facts = form.facts();
    let bytes = match facts.width {
        (1, 1) => "1 byte".to_owned(),
        (least, most) if least == most => format!("{least} bytes"),
        (least, most) => format!("{least} to {most} bytes"),
    };
    let sentence = format!("{} in {bytes} each", facts.domain);
    wrapped(out, "", &sentence.split(' ').collect::<Vec<_>>())?;
    let properties = [
        (facts.ascii_transparent, "ASCII-transparent"),
        (facts.self_synchronising, "self-synchronising"),
        (facts.order_preserving, "order-preserving"),
    ];
    let properties: Vec<_> = properties.iter().filter(|(has, _)| *has).map(|(_, name)| *name).collect();
    if !properties.is_empty() {
        writeln!(out, "    {}", properties.join(", "))?;
    }
    Ok(())
}

/// Labels or words, in lines that fit on any terminal.
fn wrapped(out: &mut impl Write, reader: &str, labels: &[&str]) -> Result<()> {
    let mut line =
        format!("   {reader:>width$}", width = if reader.is_empty() { 0 } else { reader.len() + 1 });
    for label in labels {
        if line.len() + 1 + label.len() > 78 {
            writeln!(out, "{line}")?;
            line = " ".repeat(if reader.is_empty() { 3 } else { 6 });
        }
        line.push(' ');
        line.push_str(label);
    }
    if !labels.is_empty() {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use placemat::Policy;
    use placemat::label::Labels;

    use super::{LABELS, POLICIES};

    #[test]
    fn every_policy_is_described() {
        assert!(Policy::ALL.iter().map(|(name, _)| *name).eq(POLICIES.map(|(name, _)| name)));
    }

    #[test]
    fn every_reader_of_labels_is_described() {
        assert!(Labels::ALL.into_iter().eq(LABELS.map(|(labels, _)| labels)));
    }
}
