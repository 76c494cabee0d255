//! `placemat forms`: every form and profile, with what can be said of it.

use std::io::{self, Write};

use anstyle::Style;
use anyhow::Result;
use clap::ValueEnum;
use placemat::Form;
use placemat::label::Labels;
use placemat_text::models::{FormsLine, LABELS, POLICIES};

use crate::console;
use crate::naming::Naming;
use crate::outcome::Outcome;
use crate::report::{stdout, write_line};
use placemat_text::charset::Charset;

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
    for line in FormsLine::all(charsets, with_policies) {
        write_line(&mut out, &line)?;
    }
    Ok(out.flush()?)
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
    for &labels in Labels::ALL {
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
        assert!(Labels::ALL.iter().copied().eq(LABELS.map(|(labels, _)| labels)));
    }
}
