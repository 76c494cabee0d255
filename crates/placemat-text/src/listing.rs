//! Lists forms and legacy encodings for the command: names, properties, sources.

use std::io::{self, Write};

use anstyle::Style;
use placemat::Form;
use placemat::label::Labels;

use crate::charset::Charset;
use crate::models::{LABELS, POLICIES};

const NAME: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// Writes all encodings, the readers of labels and the policies, with the colours of a terminal.
///
/// ```
/// let mut out = Vec::new();
/// placemat_text::listing::all(&mut out).unwrap();
/// assert!(String::from_utf8(out).unwrap().contains("Readers of labels"));
/// ```
///
/// # Errors
/// Those of writing.
pub fn all(out: &mut impl Write) -> io::Result<()> {
    for &form in Form::ALL {
        paragraph(out, form.into())?;
    }
    writeln!(out, "{NAME}Legacy encodings{NAME:#}: `placemat forms NAME` lists the other names of each\n")?;
    let legacy: Vec<_> = Charset::all().filter(|c| c.form().is_none()).map(Charset::name).collect();
    wrapped(out, "", &legacy)?;
    writeln!(
        out,
        "\n{NAME}Readers of labels{NAME:#} (--labels): the same label means different things to them\n"
    )?;
    for (labels, takes) in LABELS {
        writeln!(out, "    {NAME}{:<18}{NAME:#} {takes}", labels.name())?;
    }
    writeln!(out, "\n{NAME}Policies{NAME:#} (--on-error): what each malformed sequence becomes\n")?;
    for (name, becomes) in POLICIES {
        writeln!(out, "    {NAME}{name:<18}{NAME:#} {becomes}")?;
    }
    Ok(())
}

/// Writes one encoding: its names by reader, its properties and its source.
///
/// ```
/// use placemat::Form;
/// let mut out = Vec::new();
/// placemat_text::listing::paragraph(&mut out, Form::Cesu8.into()).unwrap();
/// assert!(String::from_utf8(out).unwrap().contains("Technical Report 26"));
/// ```
///
/// # Errors
/// Those of writing.
pub fn paragraph(out: &mut impl Write, charset: Charset) -> io::Result<()> {
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
        None if charset.is_ebcdic() => writeln!(out, "    {DIM}EBCDIC code page{DIM:#}")?,
        None if charset.name().starts_with("cp") => writeln!(out, "    {DIM}DOS code page{DIM:#}")?,
        None => writeln!(out, "    {DIM}WHATWG Encoding Standard{DIM:#}")?,
    }
    writeln!(out)
}

fn properties(out: &mut impl Write, form: Form) -> io::Result<()> {
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

/// Writes labels or words, in lines that fit on any terminal.
fn wrapped(out: &mut impl Write, reader: &str, labels: &[&str]) -> io::Result<()> {
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
