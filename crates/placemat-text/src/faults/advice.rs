//! Advice for each kind of error. A test runs every command that is recommended here.

use std::path::Path;

use placemat::invisible::{self, Kinds};
use placemat::{CodePoint, bom};

use crate::charset::Charset;
use crate::escape;
use crate::faults::hint::{Hint, Mistake};
use crate::faults::{Finding, Kind};
use crate::notation::hex;

/// Says what was probably meant, warns, or names the command that repairs the error. `file` has the text; `None` is standard input.
///
/// ```
/// use placemat_text::faults::advice;
/// use placemat::Form;
/// use placemat_text::faults::locate::{Search, search};
///
/// let search_for = Search { limit: 10, ..Search::new(Form::Utf8.into()) };
/// search(&mut &b"na\xC3\xAFve\ncaf\xE9!"[..], search_for, &mut |finding| {
///     assert_eq!(advice::of(finding, None).unwrap(), "in windows-1252 it is é (U+00E9)");
///     Ok::<_, ()>(())
/// })
/// .unwrap();
/// ```
pub fn of(finding: &Finding<'_>, file: Option<&Path>) -> Option<String> {
    match finding.kind {
        Kind::MarkForbidden => return remove_mark(finding, file),
        Kind::MarkRequired => return add_mark(finding.charset, file),
        Kind::Malformed(_) | Kind::LineEnding(_) | Kind::Declared => {}
    }
    if let Some((form, len)) = finding.contradicted_mark().filter(|_| finding.offset == 0) {
        let mark = hex(&finding.window[..len]);
        return Some(format!("{mark} is the byte order mark of {form}, which the text is not in"));
    }
    if let Some(parted) = finding.parted() {
        let c = parted.character;
        return Some(format!(
            "a line break parts the bytes of {} (U+{:04X})",
            escape::text(c.encode_utf8(&mut [0; 4])),
            u32::from(c)
        ));
    }
    match (finding.hint(), finding.broken().map(|broken| (broken.is, broken.value))) {
        (None, Some((Mistake::Overlong, value))) => {
            let character = char::from_u32(value)?;
            let text = escape::text(character.encode_utf8(&mut [0; 4])).to_string();
            Some(format!("a decoder without checks reads {text:?}, so filters that look for it miss it"))
        }
        (Some(_), _) if finding.announced.is_some() => None,
        (Some(Hint { form, text }), _) => {
            let value = text.chars().next().map_or(0, u32::from);
            Some(format!("in {form} it is {} (U+{value:04X})", escape::text(&text)))
        }
        (None, Some((Mistake::Surrogate | Mistake::Pair | Mistake::TooLarge, _)) | None) => None,
    }
}

fn add_mark(charset: Charset, file: Option<&Path>) -> Option<String> {
    charset.carries(CodePoint::MARK).then(|| {
        format!(
            "to write one: placemat convert -f {charset} -t {charset}{} --bom add{}",
            in_place(file),
            escape::argument(file)
        )
    })
}

/// The encoding to convert from is the one that the mark announces: a rule for little-endian text may meet a big-endian mark.
fn remove_mark(finding: &Finding<'_>, file: Option<&Path>) -> Option<String> {
    let (to, (from, _)) = (finding.charset, bom::sniff(finding.bytes())?);
    to.carries(CodePoint::MARK).then(|| {
        format!(
            "to remove it: placemat convert -f {from} -t {to}{} --bom strip{}",
            in_place(file),
            escape::argument(file)
        )
    })
}

/// The command that undoes mojibake.
///
/// ```
/// use placemat_text::faults::advice;
///
/// let expected = "to undo it: placemat repair --in-place --mojibake a.txt";
/// assert_eq!(advice::of_mojibake(Some("a.txt".as_ref())), expected);
/// ```
#[must_use]
pub fn of_mojibake(file: Option<&Path>) -> String {
    let place = in_place(file);
    format!("to undo it: placemat repair{place} --mojibake{}", escape::argument(file))
}

/// The command that removes a character of this kind that is not shown.
///
/// ```
/// use placemat::invisible::Kind;
/// use placemat_text::faults::advice;
///
/// let expected = "to remove it: placemat repair --in-place --invisible a.txt";
/// assert_eq!(advice::of_hidden(Kind::ZeroWidth, Some("a.txt".as_ref())), expected);
/// ```
#[must_use]
pub fn of_hidden(kind: invisible::Kind, file: Option<&Path>) -> String {
    let kinds = if Kinds::DEFAULT.contains(kind) { String::new() } else { format!("={kind}") };
    format!("to remove it: placemat repair{} --invisible{kinds}{}", in_place(file), escape::argument(file))
}

/// The command that renames a file or folder. `mend` is the encoding of its name, if that is not UTF-8.
///
/// ```
/// use placemat_text::faults::advice;
///
/// let expected = "to rename it: placemat repair --names --mend koi8-r --in-place a.txt";
/// assert_eq!(advice::of_name(Some("koi8-r"), "a.txt".as_ref()), expected);
/// ```
#[must_use]
pub fn of_name(mend: Option<&str>, file: &Path) -> String {
    let mend = mend.map(|name| format!(" --mend {name}")).unwrap_or_default();
    format!("to rename it: placemat repair --names{mend} --in-place{}", escape::argument(Some(file)))
}

fn in_place(file: Option<&Path>) -> &'static str {
    if file.is_some() { " --in-place" } else { "" }
}
