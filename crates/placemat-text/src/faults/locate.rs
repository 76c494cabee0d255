//! Finds the errors of a stream one by one, with line, column and the text around each.

mod engine;
mod window;

use std::io::{self, Read};
use std::ops::Range;

use placemat::{ErrorKind, Form};

use self::engine::Engine;
use self::window::Window;
use super::{Finding, Kind, Totals};
use crate::charset::Charset;
use crate::place::Position;

/// The number of bytes of the input that are kept before and after an error.
pub const CONTEXT: usize = 1024;

const BLOCK: usize = 128 << 10;

/// What to search for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Search {
    /// The encoding of the input.
    pub charset: Charset,
    /// Whether a byte order mark of UTF-16 or UTF-32 at the start is reported as the only error, unless the text contradicts it.
    pub heeds_marks: bool,
    /// The most findings to report.
    pub limit: u64,
    /// Whether to stop after the last finding, without counting the other errors.
    pub only_findings: bool,
    /// The number of bytes of one read.
    pub block: usize,
}

impl Search {
    /// Counts the errors of text in `charset`, and reports none of them.
    ///
    /// ```
    /// use placemat::Form;
    /// use placemat_text::faults::locate::Search;
    ///
    /// let all_of_them = Search { limit: u64::MAX, ..Search::new(Form::Utf8.into()) };
    /// assert!(!all_of_them.heeds_marks && !all_of_them.only_findings);
    /// ```
    pub fn new(charset: Charset) -> Search {
        Search { charset, heeds_marks: false, limit: 0, only_findings: false, block: BLOCK }
    }
}

/// Reads `input` to its end (or to the last finding wanted), reports the findings and counts all errors. If reading fails, also
/// returns that error, with the totals up to there.
///
/// The memory is constant, the time linear.
///
/// # Errors
/// Those of `report`.
///
/// ```
/// use placemat::Form;
/// use placemat_text::faults::locate::{Search, search};
///
/// let search_for = Search { limit: 10, ..Search::new(Form::Utf8.into()) };
/// search(&mut &b"na\xC3\xAFve\ncaf\xE9!"[..], search_for, &mut |finding| {
///     assert_eq!((finding.line, finding.column, finding.offset), (2, 4, 10));
///     Ok::<_, ()>(())
/// })
/// .unwrap();
/// ```
pub fn search<E>(
    input: &mut dyn Read,
    search: Search,
    report: &mut dyn FnMut(&Finding<'_>) -> Result<(), E>,
) -> Result<(Totals, Option<io::Error>), E> {
    let mut window = Window::new(search.block, search.heeds_marks);
    let mut errors = Located::new(search, report);
    let mut reader = Engine::new(search.charset);
    loop {
        let broken = window.fill(input, matches!(reader, Engine::Utf8)).err();
        if window.offset == 0
            && window.done == 0
            && search.heeds_marks
            && let Some(announced) = window.announced()
        {
            errors.mark(&window, announced)?;
            let rest = broken.map_or_else(|| io::copy(input, &mut io::sink()), Err);
            let bytes = window.filled as u64 + *rest.as_ref().unwrap_or(&0);
            return Ok((Totals { bytes, errors: 1 }, rest.err()));
        }
        let end = window.ready(matches!(reader, Engine::Utf8), broken.is_some());
        reader.read(&window, end, &mut errors)?;
        window.done = end;
        if window.at_end || broken.is_some() || errors.is_content() {
            let bytes = window.offset + window.filled as u64;
            return Ok((Totals { bytes, errors: errors.seen }, broken));
        }
        window.slide();
    }
}

/// The errors on their way to `report`.
struct Located<'a, E> {
    search: Search,
    report: &'a mut dyn FnMut(&Finding<'_>) -> Result<(), E>,
    position: Position,
    seen: u64,
}

impl<'a, E> Located<'a, E> {
    fn new(search: Search, report: &'a mut dyn FnMut(&Finding<'_>) -> Result<(), E>) -> Located<'a, E> {
        let is_stripped = matches!(search.charset, Charset::Form(form) if form != Form::Utf8);
        let position = if is_stripped { Position::behind_mark() } else { Position::start() };
        Located { search, report, position, seen: 0 }
    }

    /// Whether the search can stop.
    fn is_content(&self) -> bool {
        self.search.only_findings && self.is_full()
    }

    /// Whether no more findings are wanted, so that lines need not be counted.
    fn is_full(&self) -> bool {
        self.seen >= self.search.limit
    }

    fn text(&mut self, text: &[u8]) {
        if !self.is_full() {
            self.position.advance(text);
        }
    }

    fn error(
        &mut self,
        window: &Window,
        kind: ErrorKind,
        charset: Charset,
        range: Range<usize>,
    ) -> Result<(), E> {
        if !self.is_full() {
            let finding = self.finding(window, kind, charset, range);
            (self.report)(&finding)?;
            self.position.advance_error();
        }
        self.seen += 1;
        Ok(())
    }

    fn mark(&mut self, window: &Window, (announced, len): (Form, usize)) -> Result<(), E> {
        if !self.is_full() {
            let finding = self.finding(window, ErrorKind::InvalidByte, self.search.charset, 0..len);
            (self.report)(&Finding { announced: Some(announced), ..finding })?;
        }
        self.seen += 1;
        Ok(())
    }

    fn finding<'w>(
        &self,
        window: &'w Window,
        kind: ErrorKind,
        charset: Charset,
        range: Range<usize>,
    ) -> Finding<'w> {
        let start = range.start.saturating_sub(CONTEXT);
        let end = window.filled.min(range.end + CONTEXT);
        Finding {
            kind: Kind::Malformed(kind),
            offset: window.offset + range.start as u64,
            line: self.position.line,
            column: self.position.column,
            charset,
            announced: None,
            window: &window.bytes[start..end],
            range: range.start - start..range.end - start,
            at_end: window.at_end && end == window.filled,
        }
    }
}
