//! Files and folders under a passing name, which go when they are dropped, and when the run is interrupted.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::sync::Arc;
#[cfg(unix)]
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
#[cfg(unix)]
use std::thread;
#[cfg(unix)]
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};

/// What an interrupt removes.
static PASSING: LazyLock<Mutex<BTreeSet<PathBuf>>> = LazyLock::new(|| {
    // Without a handler an interrupt leaves a file behind; that is no reason not to work.
    let _ = ctrlc::set_handler(|| {
        // Held to the end, so that no new one appears.
        let passing = passing();
        if HELD.load(Ordering::SeqCst) {
            LEFT.store(true, Ordering::SeqCst);
            return;
        }
        passing.iter().for_each(|path| remove(path));
        std::process::exit(130);
    });
    Mutex::default()
});

/// Whether an interrupt is another's business: a terminal sends it to the command that we wait for, too.
static HELD: AtomicBool = AtomicBool::new(false);

/// Whether one was left to it.
static LEFT: AtomicBool = AtomicBool::new(false);

/// Leave interrupts to the command that runs while this lives, and put off every other signal that is to end the run.
pub(crate) struct Held(());

impl Held {
    pub(crate) fn new() -> Held {
        #[cfg(unix)]
        SIGNALS.interrupted.store(false, Ordering::SeqCst);
        LEFT.store(false, Ordering::SeqCst);
        HELD.store(true, Ordering::SeqCst);
        Held(())
    }
}

impl Drop for Held {
    /// Take signals again. One that was put off ends the run here.
    fn drop(&mut self) {
        #[cfg(unix)]
        SIGNALS.settle();
        HELD.store(false, Ordering::SeqCst);
    }
}

/// What has come, noted at once; the handler above runs in a thread of its own, and may be late.
#[cfg(unix)]
struct Signals {
    /// The terminal sends it to all that run there, and some commands live by it.
    interrupted: Arc<AtomicBool>,
    /// The number of one that is for this run alone; 0 for none.
    told: Arc<AtomicUsize>,
}

#[cfg(unix)]
static SIGNALS: LazyLock<Signals> = LazyLock::new(|| {
    let (interrupted, told) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
    // As above: without them an edit can go on.
    let _ = signal_hook::flag::register(libc::SIGINT, Arc::clone(&interrupted));
    for signal in [libc::SIGTERM, libc::SIGHUP] {
        let _ = signal_hook::flag::register_usize(signal, Arc::clone(&told), signal as usize);
    }
    Signals { interrupted, told }
});

#[cfg(unix)]
impl Signals {
    fn settle(&self) {
        if let signal @ 1.. = self.told.load(Ordering::SeqCst) {
            // Held to the end, so that no new one appears.
            let passing = passing();
            passing.iter().for_each(|path| remove(path));
            let signal = signal as i32;
            let _ = signal_hook::low_level::emulate_default_handler(signal);
            std::process::exit(128 + signal);
        }
        // The handler has yet to see that an interrupt was none of its business.
        let begun = Instant::now();
        while self.interrupted.load(Ordering::SeqCst)
            && !LEFT.load(Ordering::SeqCst)
            && begun.elapsed() < Duration::from_secs(1)
        {
            thread::sleep(Duration::from_millis(1));
        }
    }
}

fn remove(path: &Path) {
    let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
}

fn passing() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    PASSING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file in the folder of another, to take its place; or a folder for private use.
pub(crate) struct Passing {
    path: PathBuf,
}

impl Passing {
    /// Create one beside `place`. A `private` one can be read by its owner only, until it is given other permissions.
    pub(super) fn create(place: &Path, private: bool) -> Result<(Passing, File)> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let name = place.file_name().context("is not the name of a file")?;
        let mut passing = passing();
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let mut new = OsString::from(".");
            // Names have an end: 255 bytes on most file systems.
            new.push(if name.len() < 200 { name } else { "file".as_ref() });
            new.push(format!(".placemat-{}-{number}", std::process::id()));
            match Passing::create_new(place.with_file_name(new), private, &mut passing) {
                Ok(created) => return Ok(created),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error).context("no file can be created beside it"),
            }
        }
    }

    /// Create one, which its owner alone can read, under the name that it may keep.
    ///
    /// # Errors
    /// Those of creating it; that the name is taken among them.
    pub(super) fn at(path: &Path) -> io::Result<(Passing, File)> {
        Passing::create_new(path.to_path_buf(), true, &mut passing())
    }

    fn create_new(
        path: PathBuf,
        private: bool,
        passing: &mut BTreeSet<PathBuf>,
    ) -> io::Result<(Passing, File)> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, if private { 0o600 } else { 0o666 });
        let file = options.open(&path)?;
        passing.insert(path.clone());
        Ok((Passing { path }, file))
    }

    /// Create a folder that nobody else may enter, among the temporary files.
    pub(crate) fn folder() -> Result<Passing> {
        let mut passing = passing();
        for number in 0.. {
            let path = std::env::temp_dir().join(format!("placemat-{}-{number}", std::process::id()));
            let mut builder = fs::DirBuilder::new();
            #[cfg(unix)]
            std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
            match builder.create(&path) {
                Ok(()) => {
                    passing.insert(path.clone());
                    return Ok(Passing { path });
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error).context("no temporary folder can be created"),
            }
        }
        bail!("no temporary folder has a free name");
    }

    /// Let it stay, and say where.
    pub(crate) fn keep(self) -> PathBuf {
        passing().remove(&self.path);
        let path = self.path.clone();
        std::mem::forget(self);
        path
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Move it to `place`, at once.
    pub(super) fn rename(&self, place: &Path) -> Result<()> {
        Ok(fs::rename(&self.path, place)?)
    }
}

impl Drop for Passing {
    fn drop(&mut self) {
        let mut passing = passing();
        // Gone already, if it was renamed: its name is ours alone.
        remove(&self.path);
        passing.remove(&self.path);
    }
}
