//! Writes the results to files.

use std::fs;
use std::path::{Path, PathBuf};

use placemat::Level;

use crate::options::Options;
use crate::{machine, write};

const HOME: &str = env!("CARGO_MANIFEST_DIR");

/// Writes numbers and table to `bench/record`, by CPU and date. For the CPU's best level the table goes into COMPARE.md
/// and the chart into a file next to it; for other levels both go to `bench/record`.
pub fn keep(
    options: &Options,
    what: &str,
    about: &str,
    table: &str,
    csv: Option<&str>,
    svg: Option<&str>,
) -> Result<(), String> {
    let lower = options.cpu.filter(|level| Level::available().last() != Some(*level));
    let mut name = format!("{}-{what}", machine::date());
    if let Some(level) = lower {
        name = name + "-" + level.name();
    }
    let path = Path::new(HOME).join("record").join(slug(&machine::cpu())).join(name);
    if let Some(csv) = csv {
        write(&path.with_extension("csv"), csv)?;
    }
    write(&path.with_extension("md"), &format!("```text\n{about}```\n\n{table}"))?;
    if let Some(svg) = svg {
        let of_best = Path::new(HOME).join(what).with_extension("svg");
        write(&if lower.is_some() { path.with_extension("svg") } else { of_best }, svg)?;
    }
    if lower.is_none() { insert(what, &format!("{}\n\n{table}", caption(about))) } else { Ok(()) }
}

/// The lines of a description as sentences.
fn caption(about: &str) -> String {
    about.trim_end().replace('\n', "; ")
}

/// Replaces the text between the comments with that name in COMPARE.md, if it has them.
fn insert(what: &str, text: &str) -> Result<(), String> {
    let path: PathBuf = Path::new(HOME).join("../COMPARE.md");
    let page = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let (start, end) = (format!("<!-- {what}: written by "), format!("<!-- end of {what} -->"));
    let Some((before, rest)) = page.split_once(&start) else { return Ok(()) };
    let Some(((mark, _), after)) =
        rest.split_once(&end).and_then(|(old, after)| Some((old.split_once('\n')?, after)))
    else {
        return Err(format!("COMPARE.md: no {end}"));
    };
    write(&path, &format!("{before}{start}{mark}\n{text}{end}{after}"))
}

fn slug(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-").to_lowercase()
}
