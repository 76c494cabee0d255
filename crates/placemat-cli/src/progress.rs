//! The progress line: on standard error, only on a terminal, and only for work that takes over a second.

use std::fmt::Write;
use std::io::{self, IsTerminal as _, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use indicatif::{BinaryBytes, HumanCount, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

/// What was done so far; workers add to it.
#[derive(Debug, Default)]
pub(crate) struct Done {
    files: AtomicU64,
    bytes: AtomicU64,
}

impl Done {
    pub(crate) fn add_file(&self) {
        self.files.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn add_bytes(&self, bytes: u64) {
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    /// A reader of the same bytes that counts them.
    pub(crate) fn watch<R: Read>(self: &Arc<Done>, reader: R) -> Watched<R> {
        Watched { reader, done: Arc::clone(self) }
    }
}

/// A reader that counts.
#[derive(Debug)]
pub(crate) struct Watched<R> {
    reader: R,
    done: Arc<Done>,
}

impl<R: Read> Read for Watched<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        self.done.add_bytes(read as u64);
        Ok(read)
    }
}

/// A line that shows what was done, and disappears when dropped.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    /// Dropped when the work is over, which ends the thread that draws the line.
    _working: Option<Sender<()>>,
}

impl Progress {
    /// Shows what is done, if it takes over a second and standard error is a terminal.
    pub(crate) fn start(done: &Arc<Done>) -> Progress {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        if !io::stderr().is_terminal() {
            return Progress { bar, _working: None };
        }
        bar.set_style(style(Arc::clone(done)));
        let (working, over) = mpsc::channel();
        let late = bar.clone();
        // Without a thread nothing is shown.
        let _ = thread::Builder::new().spawn(move || {
            let waits =
                |millis| over.recv_timeout(Duration::from_millis(millis)) == Err(RecvTimeoutError::Timeout);
            if waits(1000) {
                late.set_draw_target(ProgressDrawTarget::stderr());
                while waits(100) {
                    late.tick();
                }
            }
        });
        Progress { bar, _working: Some(working) }
    }

    /// Like [`Progress::start`], for results that are written as they come: shows nothing if they go to a terminal.
    pub(crate) fn beside_results(done: &Arc<Done>) -> Progress {
        if io::stdout().is_terminal() {
            return Progress { bar: ProgressBar::hidden(), _working: None };
        }
        Progress::start(done)
    }

    /// Hides the line while `write` runs.
    pub(crate) fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }
}

fn style(done: Arc<Done>) -> ProgressStyle {
    let text = move |state: &ProgressState, out: &mut dyn Write| {
        let (files, bytes) = (done.files.load(Ordering::Relaxed), done.bytes.load(Ordering::Relaxed));
        let rate = bytes as f64 / state.elapsed().as_secs_f64().max(0.001);
        let (bytes, rate) = (BinaryBytes(bytes), BinaryBytes(rate as u64));
        // If it cannot be written, there is nowhere to report that.
        let _ = write!(out, "{} files, {bytes}, {rate}/s", HumanCount(files));
    };
    let style = ProgressStyle::with_template("{spinner} {done}");
    style.unwrap_or_else(|_| ProgressStyle::default_spinner()).with_key("done", text)
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
