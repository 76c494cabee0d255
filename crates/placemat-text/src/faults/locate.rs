//! Finds the errors of a stream one by one, with line, column and the text around each.

use std::io::{self, Read};
use std::ops::Range;

use placemat::{Bom, Error, ErrorKind, Form, Status, Transcoder, bom, errors};

use super::{Finding, Kind, Totals, unfinished};
use crate::charset::{Charset, ErrorReader, Part};
use crate::feed::utf8_for;
use crate::io::read_some;
use crate::place::Position;

/// The number of bytes of the input that are kept before and after an error.
pub const CONTEXT: usize = 1024;

const BLOCK: usize = 128 << 10;

/// The number of bytes that a reader of legacy encodings gets at once; its output may be three times as long.
const PIECE: usize = 16 << 10;

/// What to search for.
#[derive(Clone, Copy, Debug)]
pub struct Search {
    /// The encoding of the input.
    pub charset: Charset,
    /// Whether a byte order mark of UTF-16 or UTF-32 at the start is reported as the only error.
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
    let mut window = Window::new(search.block);
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

/// The part of the input that is in memory.
struct Window {
    bytes: Vec<u8>,
    filled: usize,
    /// The number of bytes that were read for errors.
    done: usize,
    /// The offset of the first byte from the start of the input.
    offset: u64,
    at_end: bool,
    /// Whether the last byte is a line feed that ends what can be searched.
    ends_line: bool,
}

impl Window {
    fn new(block: usize) -> Window {
        Window {
            bytes: vec![0; 2 * CONTEXT + block],
            filled: 0,
            done: 0,
            offset: 0,
            at_end: false,
            ends_line: false,
        }
    }

    /// Reads until some bytes have their context, or the input ends. In UTF-8 the context of an error ends at a line feed, so
    /// slow input is searched line by line.
    fn fill(&mut self, input: &mut dyn Read, is_utf8: bool) -> io::Result<()> {
        loop {
            let read = read_some(input, &mut self.bytes[self.filled..])?;
            self.filled += read;
            self.at_end = read == 0;
            self.ends_line = is_utf8 && self.bytes[..self.filled].last() == Some(&b'\n');
            if self.at_end || self.ends_line || self.filled > self.done + CONTEXT {
                return Ok(());
            }
        }
    }

    /// The end of what can be searched. If reading failed, a sequence that may continue is not an error.
    fn ready(&self, is_utf8: bool, is_broken: bool) -> usize {
        if self.at_end {
            return self.filled;
        }
        let end = if is_broken || self.ends_line { self.filled } else { self.filled - CONTEXT };
        end - if is_utf8 { unfinished(&self.bytes[self.done..end]) } else { 0 }
    }

    /// Drops what was searched, except its context.
    fn slide(&mut self) {
        let start = self.done.saturating_sub(CONTEXT);
        self.bytes.copy_within(start..self.filled, 0);
        self.offset += start as u64;
        self.filled -= start;
        self.done -= start;
    }

    /// The bytes of an error. It may start in the previous window, of which the context is kept.
    fn range_of(&self, error: Error) -> Range<usize> {
        let start = error.offset().saturating_sub(self.offset) as usize;
        let end = self.filled.min(start + usize::from(error.length()));
        start.min(end)..end
    }

    /// The form that a byte order mark of UTF-16 or UTF-32 announces.
    fn announced(&self) -> Option<(Form, usize)> {
        bom::sniff(&self.bytes[..self.filled]).filter(|&(form, _)| form != Form::Utf8)
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

/// Separates text from errors.
enum Engine {
    /// UTF-8: the fast one, which needs input that ends at boundaries.
    Utf8,
    /// Any other form, converted to generalised UTF-8 without a byte order mark, to count lines and columns.
    Other {
        transcoder: Box<Transcoder>,
        text: Vec<u8>,
    },
    Legacy(Box<ErrorReader>),
}

impl Engine {
    fn new(charset: Charset) -> Engine {
        match charset {
            Charset::Form(Form::Utf8) => Engine::Utf8,
            Charset::Form(form) => {
                let transcoder = Transcoder::new(form, utf8_for(form)).bom(Bom::Strip);
                Engine::Other { transcoder: Box::new(transcoder), text: vec![0; 64 << 10] }
            }
            Charset::Legacy(legacy) => Engine::Legacy(Box::new(ErrorReader::new(legacy))),
        }
    }

    /// Searches the window up to `end`.
    fn read<E>(&mut self, window: &Window, end: usize, found: &mut Located<'_, E>) -> Result<(), E> {
        match self {
            Engine::Utf8 => read_utf8(window, end, found),
            Engine::Other { transcoder, text } => read_other(transcoder, text, window, end, found),
            Engine::Legacy(reader) => read_legacy(reader, window, end, found),
        }
    }
}

fn read_utf8<E>(window: &Window, end: usize, found: &mut Located<'_, E>) -> Result<(), E> {
    let mut at = window.done;
    for error in errors(Form::Utf8, &window.bytes[at..end]) {
        if found.is_content() {
            return Ok(());
        }
        // Offsets within the window fit a `usize`.
        let start = window.done + error.offset() as usize;
        found.text(&window.bytes[at..start]);
        at = start + usize::from(error.length());
        // At a cut between `E2 82` and `F0` a sequence seems to be truncated, but the next byte shows that a continuation is missing.
        let kind = match error.kind() {
            ErrorKind::Truncated if !window.at_end => ErrorKind::MissingContinuation,
            kind => kind,
        };
        found.error(window, kind, Form::Utf8.into(), start..at)?;
    }
    found.text(&window.bytes[at..end]);
    Ok(())
}

fn read_other<E>(
    transcoder: &mut Transcoder,
    text: &mut [u8],
    window: &Window,
    end: usize,
    found: &mut Located<'_, E>,
) -> Result<(), E> {
    let mut at = window.done;
    while !found.is_content() {
        let is_over = at == end;
        let step = match is_over {
            true if window.at_end => transcoder.finish(text),
            true => return Ok(()),
            false => transcoder.push(&window.bytes[at..end], text),
        };
        at += step.read;
        found.text(&text[..step.written]);
        match step.status {
            Status::Failed(error) => {
                let form = transcoder.source_form();
                found.error(window, error.kind(), form.into(), window.range_of(error))?;
            }
            Status::Done => return Ok(()),
            Status::NeedInput | Status::NeedOutput => {}
        }
    }
    Ok(())
}

fn read_legacy<E>(
    reader: &mut ErrorReader,
    window: &Window,
    end: usize,
    found: &mut Located<'_, E>,
) -> Result<(), E> {
    let pieces = window.bytes[window.done..end].chunks(PIECE);
    // An empty piece means the end of the input.
    let last = window.at_end.then_some(&[][..]);
    for piece in pieces.chain(last) {
        for part in reader.read(piece) {
            match part {
                _ if found.is_content() => return Ok(()),
                Part::Text(text) => found.text(text),
                Part::Error(error) => {
                    found.error(window, error.kind(), found.search.charset, window.range_of(error))?;
                }
            }
        }
    }
    Ok(())
}
