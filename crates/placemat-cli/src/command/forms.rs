//! `placemat forms`: every form and profile, with what can be said of it.

use std::io::{self, Write};

use anstyle::Style;
use anyhow::Result;
use clap::ValueEnum;
use placemat::Form;
use placemat::label::{Label, Labels};
use serde::Serialize;

use crate::outcome::Outcome;
use crate::report::{stdout, write_line};

/// List every form and profile, its names and properties, and every policy
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  placemat forms                 every form
  placemat forms utf8 latin1     what these labels mean
  placemat forms --format json | jq -r 'select(.type == \"form\") | .name'")]
pub(crate) struct Args {
    /// Only these
    #[arg(value_name = "FORM", value_parser = crate::args::form)]
    forms: Vec<Form>,

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
    ("replace-sequence", "one U+FFFD per sequence as its first byte announced it (Perl)"),
    ("replace-run", "one U+FFFD per run of bad bytes (Go's ToValidUTF8)"),
    ("skip", "nothing; unsafe, since it joins what a filter kept apart"),
    ("latin1", "what each byte means in ISO-8859-1"),
    ("cp1252", "what each byte means in windows-1252, as the web reads it"),
    ("cp1252-strict", "the same, with U+FFFD for its five unused bytes"),
    ("surrogateescape", "U+DC80 to U+DCFF per byte (Python)"),
    ("optu", "U+EF80 to U+EFFF per byte (MirBSD)"),
    ("escape", "the text \\xhh"),
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
    let forms = if args.forms.is_empty() { Form::ALL } else { &args.forms };
    match args.format {
        Format::Json => json(forms, args.forms.is_empty())?,
        Format::Text => text(forms, args.forms.is_empty())?,
    }
    Ok(Outcome::Clean)
}

fn json(forms: &[Form], with_policies: bool) -> Result<()> {
    let mut out = stdout();
    for &form in forms {
        let facts = form.facts();
        let aliases = Label::from(form).aliases();
        let line = Line::Form {
            name: form.name(),
            code_points: facts.domain,
            bytes: [facts.width.0, facts.width.1],
            ascii_transparent: facts.ascii_transparent,
            self_synchronising: facts.self_synchronising,
            order_preserving: facts.order_preserving,
            source: facts.source,
            aliases: aliases.map(|(labels, label)| Alias { label, labels: labels.name() }).collect(),
        };
        write_line(&mut out, &line)?;
    }
    for (name, becomes) in POLICIES.into_iter().filter(|_| with_policies) {
        write_line(&mut out, &Line::Policy { name, becomes })?;
    }
    Ok(out.flush()?)
}

fn text(forms: &[Form], with_policies: bool) -> Result<()> {
    let mut out = io::BufWriter::new(anstream::stdout().lock());
    for &form in forms {
        paragraph(&mut out, form)?;
    }
    if with_policies {
        writeln!(out, "Policies (--on-error): what each malformed sequence becomes\n")?;
        for (name, becomes) in POLICIES {
            writeln!(out, "{NAME}{name:<18}{NAME:#} {becomes}")?;
        }
    }
    Ok(out.flush()?)
}

fn paragraph(out: &mut impl Write, form: Form) -> Result<()> {
    let facts = form.facts();
    let bytes = match facts.width {
        (1, 1) => "1 byte".to_owned(),
        (least, most) if least == most => format!("{least} bytes"),
        (least, most) => format!("{least} to {most} bytes"),
    };
    let properties = [
        (facts.ascii_transparent, "ASCII-transparent"),
        (facts.self_synchronising, "self-synchronising"),
        (facts.order_preserving, "order-preserving"),
    ];
    writeln!(out, "{NAME}{form}{NAME:#}")?;
    writeln!(out, "    {} in {bytes} each", facts.domain)?;
    let properties: Vec<_> = properties.iter().filter(|(has, _)| *has).map(|(_, name)| *name).collect();
    if !properties.is_empty() {
        writeln!(out, "    {}", properties.join(", "))?;
    }
    for labels in Labels::ALL {
        let of_reader = Label::from(form).aliases().filter(|(reader, _)| *reader == labels);
        let aliases: Vec<_> = of_reader.map(|(_, alias)| alias).collect();
        let reader = if labels == Labels::Lenient { "unofficial" } else { labels.name() };
        wrapped(out, reader, &aliases)?;
    }
    Ok(writeln!(out, "    {DIM}{}{DIM:#}\n", facts.source)?)
}

/// Labels, in lines that fit on any terminal.
fn wrapped(out: &mut impl Write, reader: &str, labels: &[&str]) -> Result<()> {
    let mut line = format!("    {reader}:");
    for label in labels {
        if line.len() + 1 + label.len() > 78 {
            writeln!(out, "{line}")?;
            line = " ".repeat(6);
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

    use super::POLICIES;

    #[test]
    fn every_policy_is_described() {
        assert!(Policy::ALL.iter().map(|(name, _)| *name).eq(POLICIES.map(|(name, _)| name)));
    }
}
