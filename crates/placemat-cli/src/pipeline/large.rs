//! One large file, converted by several threads.
//!
//! Each takes a block of the file, cut at boundaries, converts it, and waits for its turn to write. Only forms whose
//! sequences stand alone can be cut; everything else runs on one thread.

use std::fs::File;
use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use placemat::{ErrorSize, Form, Transcoder, boundary};

use super::{Halt, Pipeline, Settings, Stopped};
use crate::charset::Charset;
use crate::crew::{self, Crew};
use crate::scan::spans::read_fully;

/// Bytes that a thread takes at a time; a multiple of every code unit.
const BLOCK: u64 = 256 << 10;
/// A file of fewer blocks is not worth a thread.
const MIN_BLOCKS: u64 = 8;
/// More than any sequence, on either side of a cut.
const MARGIN: u64 = 16;

/// A file that can be converted in blocks.
pub(crate) struct Large<'a> {
    file: &'a File,
    /// Where the text begins, and how long it is.
    start: u64,
    len: u64,
    from: Form,
    /// What `from` proved to be by its mark.
    concrete: Form,
    settings: Settings,
}

impl<'a> Large<'a> {
    /// The part of `file` behind `start`, if it is large and can be cut.
    pub(crate) fn of(file: &'a File, start: u64, from: Charset, settings: Settings) -> Option<Large<'a>> {
        let (Charset::Form(from), Charset::Form(to)) = (from, settings.to) else { return None };
        let len = file.metadata().ok()?.len().saturating_sub(start);
        // A cut stands behind a maximal subpart, and such errors reach further.
        let may_reach_over = matches!(settings.policy.size, ErrorSize::Sequence | ErrorSize::Run);
        if len < MIN_BLOCKS * BLOCK || may_reach_over || !stands_alone(to) {
            return None;
        }
        let mut head = [0; MARGIN as usize];
        let read = read_fully(file, &mut head, start).ok()?;
        let mut probe = Transcoder::new(from, Form::Utf8);
        let _ = probe.push(&head[..read], &mut [0; 4 * MARGIN as usize]);
        let concrete = probe.source_form();
        stands_alone(concrete).then_some(Large { file, start, len, from, concrete, settings })
    }

    /// Convert all of it, with as many of the crew as are free, and say how many errors the policy replaced.
    ///
    /// # Errors
    /// When the policy stops (what precedes it is written), and those of reading and writing.
    pub(crate) fn convert(&self, crew: &Crew, out: &mut (dyn Write + Send)) -> Result<u64, Halt> {
        let queue = Queue::new(out);
        let next = AtomicU64::new(0);
        let blocks = self.len.div_ceil(BLOCK);
        // `goes_on` is asked before each block.
        let work = |goes_on: &dyn Fn() -> bool| {
            let _leaving = Leaving(&queue);
            let mut bytes = Vec::new();
            let mut text = Vec::new();
            while goes_on() {
                let block = next.fetch_add(1, Ordering::Relaxed);
                if block >= blocks {
                    return;
                }
                text.clear();
                let converted = self.block(block, &mut bytes, &mut text);
                if !queue.deliver(block, &text, converted) {
                    return;
                }
                crew.done.add_bytes(bytes.len() as u64);
            }
        };
        thread::scope(|scope| {
            work(&|| {
                // As many as are of use and to be had.
                let others = next.load(Ordering::Relaxed) + 1..blocks;
                let help = |_| {
                    let seat = crew.free_seat()?;
                    crew::start(scope, move || work(&|| !seat.is_wanted()))
                };
                others.map_while(help).for_each(drop);
                true
            });
        });
        queue.result()
    }

    /// Convert one block, appending to `text`.
    fn block(&self, block: u64, bytes: &mut Vec<u8>, text: &mut Vec<u8>) -> Result<u64, Halt> {
        let start = self.boundary(block * BLOCK).map_err(Halt::Input)?;
        let end = self.boundary((block + 1) * BLOCK).map_err(Halt::Input)?;
        bytes.resize((end - start) as usize, 0);
        let read = read_fully(self.file, bytes, self.start + start).map_err(Halt::Input)?;
        let mut pipeline = match block {
            0 => Pipeline::new(Charset::Form(self.from), self.settings),
            _ => Pipeline::new(Charset::Form(self.concrete), self.settings).midway(),
        };
        let pushed = pipeline.push(&bytes[..read], text);
        match pushed.and_then(|()| pipeline.finish_input(text)) {
            Ok(()) => Ok(pipeline.errors()),
            Err(Halt::Stopped(stopped)) => Err(self.judge(start, *stopped)),
            Err(halt) => Err(halt),
        }
    }

    /// The boundary at or before `at`.
    fn boundary(&self, at: u64) -> io::Result<u64> {
        if at == 0 || at >= self.len {
            return Ok(at.min(self.len));
        }
        let from = at - MARGIN;
        let mut window = [0; 2 * MARGIN as usize];
        let read = read_fully(self.file, &mut window, self.start + from)?;
        let boundaries = boundary::of(self.concrete, &window[..read]);
        Ok(boundaries.map_or(at, |boundaries| from + boundaries.floor(MARGIN as usize) as u64))
    }

    /// Look again at an error in the block at `start`: where the block ends, a sequence seems to be cut off that really is
    /// broken off by what follows.
    fn judge(&self, start: u64, stopped: Stopped) -> Halt {
        let at = start + stopped.error.offset();
        let mut window = [0; MARGIN as usize];
        let read = read_fully(self.file, &mut window, self.start + at).unwrap_or(0);
        let mut pipeline = Pipeline::new(Charset::Form(self.concrete), self.settings);
        if at > 0 {
            pipeline = pipeline.midway();
        }
        let pushed = pipeline.push(&window[..read], &mut io::sink());
        match pushed.and_then(|()| pipeline.finish_input(&mut io::sink())) {
            Err(Halt::Stopped(again)) if again.error.offset() == 0 => Halt::Stopped(again.moved(at)),
            _ => Halt::Stopped(Box::new(stopped).moved(start)),
        }
    }
}

/// Whether neither reader nor writer of the form keeps anything from one sequence to the next.
fn stands_alone(form: Form) -> bool {
    use Form as F;
    let is_utf16 = matches!(form, F::Utf16 | F::Utf16Le | F::Utf16Be | F::Utf16Web)
        || matches!(form, F::Utf16Surrogates | F::Utf16LeSurrogates | F::Utf16BeSurrogates);
    let is_ucs2 = matches!(form, F::Ucs2 | F::Ucs2Le | F::Ucs2Be)
        || matches!(form, F::Ucs2Pairs | F::Ucs2LePairs | F::Ucs2BePairs);
    let is_wide = matches!(form, F::Utf32 | F::Utf32Le | F::Utf32Be | F::Ucs4 | F::Ucs4Le | F::Ucs4Be);
    let is_byte = matches!(form, F::UsAscii | F::Iso8859_1 | F::Windows1252);
    matches!(form, F::Utf8 | F::Utf8Surrogates | F::Utf8Bom) || is_utf16 || is_ucs2 || is_wide || is_byte
}

/// Where converted blocks wait for their turn.
struct Queue<'a> {
    turn: Mutex<Turn<'a>>,
    moved: Condvar,
}

struct Turn<'a> {
    out: &'a mut (dyn Write + Send),
    /// Whose turn it is.
    next: u64,
    result: Result<u64, Halt>,
    over: bool,
}

impl<'a> Queue<'a> {
    fn new(out: &'a mut (dyn Write + Send)) -> Queue<'a> {
        Queue { turn: Mutex::new(Turn { out, next: 0, result: Ok(0), over: false }), moved: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, Turn<'a>> {
        self.turn.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Write a block when its turn comes. Whether it is worth going on.
    fn deliver(&self, block: u64, text: &[u8], converted: Result<u64, Halt>) -> bool {
        let turn = self.lock();
        let waiting = |turn: &mut Turn<'_>| turn.next != block && !turn.over;
        let mut turn = self.moved.wait_while(turn, waiting).unwrap_or_else(PoisonError::into_inner);
        if turn.over {
            return false;
        }
        let written = turn.out.write_all(text).map_err(Halt::Output);
        let total = match &turn.result {
            Ok(total) => *total,
            Err(_) => 0,
        };
        turn.result = written.and(converted).map(|errors| total + errors);
        turn.over = turn.result.is_err();
        turn.next += 1;
        self.moved.notify_all();
        !turn.over
    }

    fn result(&self) -> Result<u64, Halt> {
        std::mem::replace(&mut self.lock().result, Ok(0))
    }
}

/// A worker that panics must not leave the others waiting for its turn.
struct Leaving<'a>(&'a Queue<'a>);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.lock().over = true;
            self.0.moved.notify_all();
        }
    }
}
