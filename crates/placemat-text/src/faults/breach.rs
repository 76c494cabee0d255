//! Finds what breaks the rules of `placemat.toml` in a file that may be well-formed: its byte order mark and its line endings.

use std::io::{self, Read};

use memchr::{memchr_iter, memchr2_iter};
use placemat::{Form, bom, sequences};
use placemat_detect::announced;

use super::locate::{CONTEXT, Search};
use super::{Finding, Kind, announces_other_form};
use crate::charset::Charset;
use crate::io::{HEAD, fill};
use crate::place::Place;
use crate::rules::{Demand, LineEnding, Mark};

/// The bytes of one read: a multiple of every code unit.
const BLOCK: usize = 128 << 10;

/// One breach of a rule. Only the first wrong line ending is a breach, since one repair corrects the whole file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Breach {
    /// The kind of the breach.
    pub kind: Kind,
    /// Bytes from the start of the input.
    pub offset: u64,
    /// The length in bytes; 0 for something that is missing.
    pub length: usize,
}

/// A breach with the text around it.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The breach.
    pub breach: Breach,
    charset: Charset,
    place: (u64, u64),
    window: Vec<u8>,
    start: usize,
    at_end: bool,
}

/// Finds everything in `input` that breaks the rules, in the order of the offsets.
///
/// # Errors
/// Those of reading.
///
/// ```
/// use placemat::Form;
/// use placemat_text::faults::breach::breaches;
/// use placemat_text::faults::locate::Search;
/// use placemat_text::rules::{Demand, LineEnding};
///
/// let demand = Demand { line_ending: LineEnding::Lf, ..Demand::default() };
/// let text = b"one\ntwo\r\n";
/// let found = breaches(&mut &text[..], Search::new(Form::Utf8.into()), &demand).unwrap();
/// assert_eq!(found[0].offset, 7);
/// ```
pub fn breaches(input: &mut dyn Read, search: Search, demand: &Demand) -> io::Result<Vec<Breach>> {
    let charset = search.charset;
    let mut block = vec![0; BLOCK];
    let mut filled = fill(input, &mut block)?;
    if search.heeds_marks && announces_other_form(&block[..filled]) {
        // The mark is the only error of such a file.
        return Ok(Vec::new());
    }
    let mut found: Vec<_> = mark(&block[..filled], charset, demand.mark).into_iter().collect();
    if demand.line_ending == LineEnding::Any {
        return Ok(found);
    }
    let mut lines = Lines::new(&block[..filled], charset, demand.line_ending);
    while filled > 0 && lines.found.is_none() {
        lines.pass(&block[..filled]);
        filled = fill(input, &mut block)?;
    }
    found.extend(lines.finish());
    Ok(found)
}

fn mark(head: &[u8], charset: Charset, wanted: Mark) -> Option<Breach> {
    let is_wide = charset.unit() > 1;
    let seen = if is_wide { bom::sniff(head) } else { announced(&head[..head.len().min(HEAD as usize)]) };
    let fits = seen.is_some_and(|(form, _)| Charset::from(form).unit() == charset.unit());
    match (wanted, seen) {
        (Mark::Forbidden, Some((_, length))) => Some(Breach { kind: Kind::MarkForbidden, offset: 0, length }),
        // An empty file needs no mark.
        (Mark::Required, _) if !fits && !head.is_empty() => {
            Some(Breach { kind: Kind::MarkRequired, offset: 0, length: 0 })
        }
        (Mark::Any | Mark::Forbidden | Mark::Required, _) => None,
    }
}

/// Searches for the first wrong line ending, code unit by code unit.
struct Lines {
    wanted: LineEnding,
    carriage_return: Vec<u8>,
    line_feed: Vec<u8>,
    /// The number of bytes before this block.
    offset: u64,
    /// The position of a carriage return that no line feed has followed yet.
    open: Option<u64>,
    found: Option<u64>,
}

impl Lines {
    fn new(head: &[u8], charset: Charset, wanted: LineEnding) -> Lines {
        let form = resolve(charset, head).form();
        let unit = |c: u8| {
            let written =
                form.and_then(|form| placemat::convert(Form::Utf8, form, &[c]).ok()).unwrap_or(vec![c]);
            written[written.len() - charset.unit()..].to_vec()
        };
        let (carriage_return, line_feed) = (unit(b'\r'), unit(b'\n'));
        Lines { wanted, carriage_return, line_feed, offset: 0, open: None, found: None }
    }

    fn pass(&mut self, block: &[u8]) {
        let size = self.line_feed.len();
        let starts = |unit: &[u8], at: usize| block[at - at % size..].starts_with(unit);
        if self.wanted == LineEnding::Lf {
            let mut returns = memchr_iter(b'\r', block).filter(|&at| starts(&self.carriage_return, at));
            self.found = returns.next().map(|at| self.offset + (at - at % size) as u64);
        } else {
            for at in memchr2_iter(b'\r', b'\n', block) {
                let is_return = starts(&self.carriage_return, at);
                if !is_return && !starts(&self.line_feed, at) {
                    continue;
                }
                let place = self.offset + (at - at % size) as u64;
                match self.open.take() {
                    Some(open) if is_return || open + size as u64 != place => self.found = Some(open),
                    None if !is_return => self.found = Some(place),
                    None => self.open = Some(place),
                    Some(_) => {}
                }
                if self.found.is_some() {
                    return;
                }
            }
        }
        self.offset += block.len() as u64;
    }

    fn finish(self) -> Option<Breach> {
        let (kind, length) = (Kind::LineEnding(self.wanted), self.line_feed.len());
        self.found.or(self.open).map(|offset| Breach { kind, offset, length })
    }
}

/// The form that a byte order mark selects, where one decides.
fn resolve(charset: Charset, head: &[u8]) -> Charset {
    charset.form().map_or(charset, |form| sequences(form, head).form().into())
}

impl Breach {
    /// Reads `input` again, up to the breach and a little further.
    ///
    /// # Errors
    /// Those of reading.
    ///
    /// ```
    /// use placemat::Form;
    /// use placemat_text::faults::breach::breaches;
    /// use placemat_text::faults::locate::Search;
    /// use placemat_text::rules::{Demand, LineEnding};
    ///
    /// let demand = Demand { line_ending: LineEnding::Lf, ..Demand::default() };
    /// let text = b"one\ntwo\r\n";
    /// let found = breaches(&mut &text[..], Search::new(Form::Utf8.into()), &demand).unwrap();
    /// let shown = found[0].show(&mut &text[..], Form::Utf8.into()).unwrap();
    /// assert_eq!(shown.finding().line, 2);
    /// ```
    pub fn show(self, input: &mut dyn Read, charset: Charset) -> io::Result<Shown> {
        let mut place = Place::new(charset);
        let mut window = Vec::new();
        let mut block = vec![0; BLOCK];
        let mut before = self.offset;
        let mut resolved = None;
        while before > 0 {
            let wanted = block.len().min(usize::try_from(before).unwrap_or(usize::MAX));
            let filled = fill(input, &mut block[..wanted])?;
            if filled == 0 {
                // The file became shorter since the first reading.
                break;
            }
            resolved.get_or_insert_with(|| resolve(charset, &block[..filled]));
            place.pass(&block[..filled]);
            before -= filled as u64;
            window.extend_from_slice(&block[..filled]);
            window.drain(..window.len().saturating_sub(CONTEXT));
        }
        let start = window.len();
        let wanted = self.length + CONTEXT;
        let filled = fill(input, &mut block[..wanted])?;
        window.extend_from_slice(&block[..filled]);
        let charset = resolved.unwrap_or_else(|| resolve(charset, &window));
        Ok(Shown {
            breach: self,
            charset,
            place: place.at(self.offset, &block[..filled]),
            window,
            start,
            at_end: filled < wanted,
        })
    }
}

impl Shown {
    /// Returns the breach as a finding, which is how errors are reported.
    ///
    /// ```
    /// use placemat::Form;
    /// use placemat_text::faults::breach::breaches;
    /// use placemat_text::faults::locate::Search;
    /// use placemat_text::rules::{Demand, LineEnding};
    ///
    /// let demand = Demand { line_ending: LineEnding::Lf, ..Demand::default() };
    /// let text = b"one\ntwo\r\n";
    /// let found = breaches(&mut &text[..], Search::new(Form::Utf8.into()), &demand).unwrap();
    /// let shown = found[0].show(&mut &text[..], Form::Utf8.into()).unwrap();
    /// assert_eq!(shown.finding().kind.name(), "line-ending");
    /// ```
    pub fn finding(&self) -> Finding<'_> {
        let end = self.window.len().min(self.start + self.breach.length);
        Finding {
            kind: self.breach.kind,
            offset: self.breach.offset,
            line: self.place.0,
            column: self.place.1,
            charset: self.charset,
            announced: None,
            window: &self.window,
            range: self.start.min(end)..end,
            at_end: self.at_end,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &[u8], name: &str, line_ending: LineEnding) -> Option<u64> {
        let charset = Charset::resolve(Default::default(), name).unwrap();
        let demand = Demand { line_ending, ..Demand::default() };
        breaches(&mut &*text, Search::new(charset), &demand).unwrap().first().map(|breach| breach.offset)
    }

    #[test]
    fn the_first_line_ending_that_is_wrong_is_found() {
        use LineEnding::{Crlf, Lf};
        let cases: [(&[u8], LineEnding, Option<u64>); 10] = [
            (b"", Lf, None),
            (b"a\nb\n", Lf, None),
            (b"a\nb\r\n", Lf, Some(3)),
            (b"a\rb\n", Lf, Some(1)),
            (b"a\r\nb\r\n", Crlf, None),
            (b"a\r\nb\n", Crlf, Some(4)),
            (b"a\r\r\n", Crlf, Some(1)),
            (b"a\rb\r\n", Crlf, Some(1)),
            (b"a\r", Crlf, Some(1)),
            (b"a", Crlf, None),
        ];
        for (text, wanted, expected) in cases {
            assert_eq!(found(text, "utf-8", wanted), expected, "{text:?}");
            let wide = text.iter().flat_map(|&byte| [byte, 0]).collect::<Vec<_>>();
            assert_eq!(found(&wide, "utf-16le", wanted), expected.map(|at| 2 * at), "{text:?}");
            let marked = [&[0xFF, 0xFE], &wide[..]].concat();
            assert_eq!(found(&marked, "utf-16", wanted), expected.map(|at| 2 * at + 2), "{text:?}");
        }
        // U+0D0A and U+0A0D are not line endings.
        assert_eq!(found(&[0x0D, 0x0A, 0x0A, 0x0D], "utf-16be", Lf), None);
        assert_eq!(found(&[0x0D, 0x0A, 0x0A, 0x0D], "utf-16be", Crlf), None);
    }

    #[test]
    fn a_pair_may_straddle_blocks() {
        let text = |n| [&vec![b'a'; n][..], b"\r\nb"].concat();
        for n in [BLOCK - 2, BLOCK - 1, BLOCK] {
            assert_eq!(found(&text(n), "utf-8", LineEnding::Crlf), None);
            assert_eq!(found(&text(n), "utf-8", LineEnding::Lf), Some(n as u64));
        }
    }
}
