//! Resolves the names of encodings, and makes the message for a name that is not known.

use placemat::label::{LEGACY, Label, Labels};
use placemat::{Bom, Form};

use super::{Charset, Legacy};
use crate::Error;

impl Charset {
    /// Returns the encoding that `label` names to this reader of labels.
    ///
    /// # Errors
    /// The name is unknown, or the encoding is one that must not be read.
    ///
    /// ```
    /// use placemat::label::Labels;
    /// use placemat_text::charset::Charset;
    ///
    /// assert_eq!(Charset::resolve(Labels::Lenient, "latin1").unwrap().name(), "iso-8859-1");
    /// assert_eq!(Charset::resolve(Labels::Whatwg, "latin1").unwrap().name(), "windows-1252");
    /// let unknown = Charset::resolve(Labels::Lenient, "utf9").unwrap_err();
    /// assert!(unknown.to_string().contains("did you mean utf-8?"));
    /// ```
    pub fn resolve(labels: Labels, label: &str) -> Result<Charset, Error> {
        match labels.resolve(label) {
            Some(Label::Form(form)) => Ok(Charset::Form(form)),
            Some(Label::Legacy(name)) if name != REPLACEMENT => {
                Legacy::named(name).map(Charset::Legacy).ok_or_else(|| unknown(labels, label))
            }
            _ => Err(unknown(labels, label)),
        }
    }
}

/// The WHATWG name for encodings that browsers no longer read.
const REPLACEMENT: &str = "replacement";

fn unknown(labels: Labels, label: &str) -> Error {
    if squeezed(label) == "ansi" {
        return Error::refused(format!(
            "{label} is not one encoding, but the code page of a Windows system: windows-1252 in Western Europe, \
            windows-1250, windows-1251 … elsewhere; placemat detect says what a file seems to be"
        ));
    }
    if squeezed(label) == "auto" {
        return Error::refused(
            "no encoding is named auto: placemat detect says what a file seems to be, so name that",
        );
    }
    let others = Labels::ALL.iter().copied().filter_map(|other| Some((other, other.resolve(label)?)));
    // Python's names for HZ; WHATWG has no others than "hz-gb-2312".
    let is_hz = matches!(&*squeezed(label), "hz" | "hzgb");
    let near = match others.min_by_key(|&(other, _)| other != Labels::Lenient) {
        found if is_hz || matches!(found, Some((_, Label::Legacy(REPLACEMENT)))) => {
            return Error::refused(format!(
                "{label} is not supported: text in it was used to get past filters, and browsers replace all of it by one \
                U+FFFD"
            ));
        }
        Some((other, meant)) => {
            let advice = match labels.resolve(meant.name()) {
                Some(same) if same == meant => format!(", so write {meant}"),
                _ => format!(" (--labels {other})"),
            };
            format!("{labels} has no such label, {other} takes it for {meant}{advice}; ")
        }
        None => nearest(labels, label).map_or(String::new(), |name| format!("did you mean {name}? ")),
    };
    Error::refused(format!("unknown encoding {label:?}: {near}`placemat forms` lists all"))
}

/// What to do with the byte order mark for this name of a target: two names of UTF-8 say that there is none.
///
/// ```
/// use placemat::Bom;
/// use placemat_text::charset::mark_of;
///
/// assert_eq!((mark_of("utf-8n"), mark_of("utf-8")), (Bom::Strip, Bom::Keep));
/// ```
pub fn mark_of(label: &str) -> Bom {
    if matches!(&*squeezed(label), "utf8n" | "utf8nobom") { Bom::Strip } else { Bom::Keep }
}

/// Returns the known name most similar to this one, if any is similar enough.
fn nearest(labels: Labels, label: &str) -> Option<&'static str> {
    let typed = squeezed(label);
    let all =
        Form::ALL.iter().map(|&form| Label::from(form)).chain(LEGACY.iter().map(|&name| Label::Legacy(name)));
    let names =
        all.flat_map(|label| [label.name()].into_iter().chain(label.aliases().map(|(_, alias)| alias)));
    let known = names.filter(|name| labels.resolve(name).is_some());
    let distances = known.map(|name| (strsim::osa_distance(&squeezed(name), &typed), name));
    // Among equally similar names, the first wins: placemat's own names precede aliases.
    let (distance, name) = distances.min_by_key(|&(distance, _)| distance)?;
    (distance * 3 <= typed.len()).then_some(name)
}

fn squeezed(label: &str) -> String {
    // A very long name is similar to none, so its end is not compared.
    let letters = label.chars().take(40).filter(|c| !matches!(c, ' ' | '_' | '-'));
    letters.map(|c| c.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use encoding_rs::Encoding;

    use super::*;
    use crate::charset::Tables;

    #[test]
    fn every_legacy_name_is_known_to_a_crate_that_reads_it() {
        for name in LEGACY {
            let legacy = Legacy::named(name);
            assert!(legacy.is_some(), "{name}");
            if let Some(Tables::Web(encoding)) = legacy.map(|legacy| legacy.tables) {
                assert!(encoding.name().eq_ignore_ascii_case(name), "{name} is {}", encoding.name());
            }
        }
    }

    /// Compares the 228 labels with their meaning in browsers.
    #[test]
    fn the_labels_of_the_web_mean_what_encoding_rs_says() {
        let all = Form::ALL
            .iter()
            .map(|&form| Label::from(form))
            .chain(LEGACY.iter().map(|&name| Label::Legacy(name)));
        let mut seen = 0;
        for label in all {
            let names = [label.name()].into_iter().chain(label.aliases().map(|(_, alias)| alias));
            for name in names {
                let theirs =
                    Encoding::for_label(name.as_bytes()).map(|encoding| encoding.name().to_ascii_lowercase());
                let ours = Labels::Whatwg.resolve(name).map(|label| match label.name() {
                    "utf-16/web" => "utf-16le",
                    "utf-8/bom" => "utf-8",
                    name => name,
                });
                assert_eq!(ours, theirs.as_deref(), "{name}");
                seen += u32::from(theirs.is_some());
            }
        }
        assert!(seen >= 228, "{seen}");
    }

    #[test]
    fn what_others_call_so_is_named() {
        let said = |labels, label| Charset::resolve(labels, label).unwrap_err().to_string();
        assert!(said(Labels::Lenient, "utf8mb4").contains("mysql takes it for utf-8, so write utf-8"));
        assert!(said(Labels::Lenient, "AL32UTF8").contains("oracle takes it for utf-8, so write utf-8"));
        assert!(said(Labels::Iana, "utf8").contains("lenient takes it for utf-8"));
        assert!(said(Labels::Whatwg, "utf-7").contains("lenient takes it for utf-7 (--labels lenient)"));
        for labels in [Labels::Lenient, Labels::Iana, Labels::Whatwg] {
            assert!(said(labels, "ISO-2022-KR").contains("is not supported"), "{labels}");
        }
    }

    #[test]
    fn ansi_is_explained() {
        let said = Charset::resolve(Labels::Lenient, "ANSI").unwrap_err().to_string();
        assert!(said.contains("windows-1252 in Western Europe"), "{said}");
    }

    #[test]
    fn a_slip_of_the_finger_is_recognised() {
        let cases = [
            ("utf9", Some("utf-8")),
            ("shfit-jis", Some("shift_jis")),
            ("windows-1522", Some("windows-1252")),
        ];
        for (typed, meant) in cases.into_iter().chain([("klingon", None), ("", None)]) {
            assert_eq!(nearest(Labels::Lenient, typed), meant, "{typed}");
        }
    }
}
