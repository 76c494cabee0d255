//! How far it is: on standard error, only on a terminal, and only for work over a second.

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

    /// The same bytes, counted as they are read.
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

/// A line that tells what was done; gone when dropped.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    /// Closed when the work is over, which the thread that waits for the first second hears.
    _working: Option<Sender<()>>,
}

impl Progress {
    /// Show what is done, if it takes long enough and somebody looks.
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

    /// The same beside results that are written as they come: not where these go to a terminal.
    pub(crate) fn beside_results(done: &Arc<Done>) -> Progress {
        if io::stdout().is_terminal() {
            return Progress { bar: ProgressBar::hidden(), _working: None };
        }
        Progress::start(done)
    }

    /// Write something without the line in its way.
    pub(crate) fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }
}

fn style(done: Arc<Done>) -> ProgressStyle {
    let text = move |state: &ProgressState, out: &mut dyn Write| {
        let (files, bytes) = (done.files.load(Ordering::Relaxed), done.bytes.load(Ordering::Relaxed));
        let rate = bytes as f64 / state.elapsed().as_secs_f64().max(0.001);
        let (bytes, rate) = (BinaryBytes(bytes), BinaryBytes(rate as u64));
        // There is nobody to tell that it could not be told.
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
