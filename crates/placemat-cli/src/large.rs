//! Converts one large file with several threads.
//!
//! Each thread takes a block of the file, cut at boundaries, converts it, and waits for its turn to write. Only
//! stateless forms, whose sequences do not depend on each other, can be cut; everything else runs on one thread.

use std::fs::File;
use std::io::{self, Seek as _, SeekFrom, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use placemat::{ErrorSize, Form, StandIn, Transcoder, Unencodable, boundary};

use crate::pool::{self, Pool};
use crate::portion::read_fully;
use placemat_text::charset::Charset;
use placemat_text::convert::{Halt, Pipeline, Settings, Stopped};

/// Bytes that a thread takes at a time; a multiple of every code unit.
const BLOCK: u64 = 256 << 10;
/// A file of fewer blocks is not worth a thread.
const MIN_BLOCKS: u64 = 8;
/// Bytes that are read on either side of a cut: more than any sequence has.
const MARGIN: u64 = 16;

/// A file that can be converted in blocks.
pub(crate) struct Large<'a> {
    file: &'a File,
    /// Where the text begins, and its length, in bytes.
    start: u64,
    len: u64,
    from: Form,
    /// `from`, with the byte order of its byte order mark.
    concrete: Form,
    settings: Settings,
}

impl<'a> Large<'a> {
    /// The part of `file` behind `start`, if it is large and can be cut.
    pub(crate) fn of(file: &'a File, start: u64, from: Charset, settings: Settings) -> Option<Large<'a>> {
        let (Charset::Form(from), Charset::Form(to)) = (from, settings.to) else { return None };
        let len = file.metadata().ok()?.len().saturating_sub(start);
        // A cut comes after a maximal subpart, and errors of these sizes may reach over it.
        let may_reach_over = matches!(settings.policy.size, ErrorSize::Sequence | ErrorSize::Run);
        if len < MIN_BLOCKS * BLOCK || may_reach_over || !stands_alone(to) {
            return None;
        }
        let mut head = [0; MARGIN as usize];
        let read = read_fully(file, &mut head, start).ok()?;
        let mut probe = Transcoder::new(from, Form::Utf8);
        let _ = probe.push(&head[..read], &mut [0; 4 * MARGIN as usize]);
        let concrete = probe.source_form();
        let large = Large { file, start, len, from, concrete, settings };
        // On Windows reading at a position moves the file pointer, and a sequential reader would begin after it.
        large.leave_at(start).ok()?;
        stands_alone(concrete).then_some(large)
    }

    /// Converts all of it with the free threads of the pool. Returns how many errors the policy replaced.
    ///
    /// # Errors
    /// When the policy stops (what precedes the error is written), and those of reading and writing.
    pub(crate) fn convert(&self, pool: &Pool, out: &mut (dyn Write + Send)) -> Result<u64, Halt> {
        let (opened, errors) = self.open(pool, out)?;
        let queue = Queue::new(out, opened, errors);
        let next = AtomicU64::new(opened);
        let blocks = self.blocks();
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
                pool.done.add_bytes(bytes.len() as u64);
            }
        };
        thread::scope(|scope| {
            work(&|| {
                // As many helpers as there are blocks left and free permits.
                let others = next.load(Ordering::Relaxed) + 1..blocks;
                let help = |_| {
                    let permit = pool.free_permit()?;
                    pool::start(scope, move || work(&|| !permit.is_wanted()))
                };
                others.map_while(help).for_each(drop);
                true
            });
        });
        // As if the file had been read sequentially.
        self.leave_at(self.start + self.len).map_err(Halt::Input)?;
        queue.result()
    }

    fn blocks(&self) -> u64 {
        self.len.div_ceil(BLOCK)
    }

    /// Lets sequential reading go on at `offset`.
    fn leave_at(&self, offset: u64) -> io::Result<()> {
        let mut file = self.file;
        file.seek(SeekFrom::Start(offset)).map(drop)
    }

    /// Converts the blocks up to the first one with output on this thread, since a byte order mark may have to precede that
    /// output. Returns how many these are, and their errors: none where no policy skips, since block 0 then has output.
    fn open(&self, pool: &Pool, out: &mut dyn Write) -> Result<(u64, u64), Halt> {
        let policy = self.settings.policy;
        let may_skip = policy.stand_in == StandIn::Skip || policy.unencodable == Unencodable::Skip;
        let mut pipeline = Pipeline::new(Charset::Form(self.from), self.settings);
        let (mut bytes, mut text, mut block) = (Vec::new(), Vec::new(), 0);
        while may_skip && text.is_empty() && block < self.blocks() {
            self.read(block, &mut bytes).map_err(Halt::Input)?;
            let mut converted = pipeline.push(&bytes, &mut text);
            block += 1;
            if !text.is_empty() || block == self.blocks() {
                converted = converted.and_then(|()| pipeline.finish_input(&mut text));
            }
            out.write_all(&text).map_err(Halt::Output)?;
            self.judged(0, converted)?;
            pool.done.add_bytes(bytes.len() as u64);
        }
        Ok((block, pipeline.errors()))
    }

    /// Converts one block, appending to `text`.
    fn block(&self, block: u64, bytes: &mut Vec<u8>, text: &mut Vec<u8>) -> Result<u64, Halt> {
        let start = self.read(block, bytes).map_err(Halt::Input)?;
        let mut pipeline = match block {
            0 => Pipeline::new(Charset::Form(self.from), self.settings),
            _ => Pipeline::new(Charset::Form(self.concrete), self.settings).from_middle(),
        };
        let pushed = pipeline.push(bytes, text);
        self.judged(start, pushed.and_then(|()| pipeline.finish_input(text)))?;
        Ok(pipeline.errors())
    }

    /// Reads one block. Returns where it starts.
    fn read(&self, block: u64, bytes: &mut Vec<u8>) -> io::Result<u64> {
        let start = self.boundary(block * BLOCK)?;
        let end = self.boundary((block + 1) * BLOCK)?;
        bytes.resize((end - start) as usize, 0);
        let read = read_fully(self.file, bytes, self.start + start)?;
        bytes.truncate(read);
        Ok(start)
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

    /// The result of the block at `start`, with offsets in the whole text.
    fn judged(&self, start: u64, converted: Result<(), Halt>) -> Result<(), Halt> {
        converted.map_err(|halt| match halt {
            Halt::Stopped(stopped) => self.judge(start, *stopped),
            halt @ (Halt::Input(_) | Halt::Output(_)) => halt,
        })
    }

    /// Decides again about an error in the block at `start`: at the end of a block a sequence seems to be cut off that
    /// is really broken off by the bytes behind it.
    fn judge(&self, start: u64, stopped: Stopped) -> Halt {
        let at = start + stopped.error.offset();
        let mut window = [0; MARGIN as usize];
        let read = read_fully(self.file, &mut window, self.start + at).unwrap_or(0);
        let mut pipeline = Pipeline::new(Charset::Form(self.concrete), self.settings);
        if at > 0 {
            pipeline = pipeline.from_middle();
        }
        let pushed = pipeline.push(&window[..read], &mut io::sink());
        match pushed.and_then(|()| pipeline.finish_input(&mut io::sink())) {
            Err(Halt::Stopped(again)) if again.error.offset() == 0 => Halt::Stopped(again.moved(at)),
            _ => Halt::Stopped(Box::new(stopped).moved(start)),
        }
    }
}

/// Whether the form is stateless: neither reading nor writing keeps anything from one sequence to the next.
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
    /// The block whose turn it is.
    next: u64,
    result: Result<u64, Halt>,
    over: bool,
}

impl<'a> Queue<'a> {
    /// A queue in which it is the turn of block `next`, after so many errors.
    fn new(out: &'a mut (dyn Write + Send), next: u64, errors: u64) -> Queue<'a> {
        let turn = Turn { out, next, result: Ok(errors), over: false };
        Queue { turn: Mutex::new(turn), moved: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, Turn<'a>> {
        self.turn.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes a block when its turn comes. Returns whether it is worth going on.
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
