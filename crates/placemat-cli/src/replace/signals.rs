//! Signals that end a run while it writes. First the temporary files are removed, then the run ends by that signal, as its parent expects.

use std::fs;
use std::io::Read as _;
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt as _;
use std::process::ExitStatus;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::sync::{Arc, LazyLock};
use std::{io, thread};

use libc::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU, SIGXFSZ};
use signal_hook::low_level::{emulate_default_handler, pipe};

use super::temp_file::remove_all;

/// The signals that a terminal sends to all its processes. While we wait for a command, they are left to the command.
const TYPED: [i32; 2] = [SIGINT, SIGQUIT];

/// Signals that have come and are not handled yet. The signal handler itself sets the flag, so it is never late.
static COME: LazyLock<[(i32, Arc<AtomicBool>); 5]> =
    LazyLock::new(|| [SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGXCPU].map(|signal| (signal, Arc::default())));

/// Whether signals are left to [`Held`], while a command runs.
static HELD: AtomicBool = AtomicBool::new(false);

/// Watches for signals from now on. If that fails the run goes on: a signal then leaves a temporary file behind.
pub(super) fn watch() {
    let (registered, ready) = mpsc::channel();
    // The thread comes first: without it, a handler would swallow its signals.
    let watching = thread::Builder::new().spawn(move || {
        let woken = register();
        let _ = registered.send(());
        let Ok(mut woken) = woken else { return };
        while woken.read_exact(&mut [0]).is_ok() {
            if !HELD.load(Ordering::SeqCst) {
                settle();
            }
        }
    });
    if watching.is_ok() {
        let _ = ready.recv();
    }
}

/// Registers a handler for every signal that is not ignored. Ignoring a signal, as `nohup` does, protects the run from it.
fn register() -> io::Result<UnixStream> {
    let ignored = ignored();
    let (woken, wake) = UnixStream::pair()?;
    let all = COME.iter().filter(|(signal, _)| !ignored(*signal));
    let all = all.map(|(signal, come)| Ok((*signal, come, wake.try_clone()?)));
    // A signal that sets its flag must also wake the thread, or it could not end the run: so the pipes come first.
    for (signal, come, wake) in all.collect::<io::Result<Vec<_>>>()? {
        signal_hook::flag::register(signal, Arc::clone(come))?;
        pipe::register(signal, wake)?;
    }
    Ok(woken)
}

/// Returns which signals are ignored. Where that cannot be found out, SIGHUP counts as ignored: the run may be meant to
/// outlive the terminal.
fn ignored() -> impl Fn(i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    move |signal| mask.map_or(signal == SIGHUP, |mask| mask >> (signal - 1) & 1 == 1)
}

/// Ends the run by the first signal that has come, if one has.
fn settle() {
    if let Some((signal, _)) = COME.iter().find(|(_, come)| come.swap(false, Ordering::SeqCst)) {
        end(*signal);
    }
}

fn end(signal: i32) -> ! {
    let _none_appears = remove_all();
    let _ = emulate_default_handler(signal);
    std::process::exit(128 + signal);
}

/// Makes a write beyond the limit on the length of files fail, as on a full disk, instead of ending the run.
pub(crate) fn heed_limits() {
    // The handler does nothing. If it cannot be registered, the signal ends the run, as in other programs.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
}

/// While this lives, the signals in [`TYPED`] are left to the command that runs, and every other signal that would end the run is delayed.
pub(crate) struct Held(());

impl Held {
    pub(crate) fn new() -> Held {
        HELD.store(true, Ordering::SeqCst);
        // Signals that came before are not for the command.
        settle();
        Held(())
    }

    /// Handles signals again, after the command has ended. A delayed signal ends the run here. If the command failed
    /// and a signal in [`TYPED`] had come, that one ends the run, after `last_words`.
    pub(crate) fn release(self, ended: Option<ExitStatus>, last_words: impl FnOnce(ExitStatus)) {
        let mut typed = None;
        for (signal, come) in COME.iter().filter(|(signal, _)| TYPED.contains(signal)) {
            if come.swap(false, Ordering::SeqCst) {
                typed = Some(*signal);
            }
        }
        settle();
        let Some(status) = ended.filter(|status| !status.success()) else { return };
        if let Some(signal) = status.signal().filter(|signal| TYPED.contains(signal)).or(typed) {
            last_words(status);
            end(signal);
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        HELD.store(false, Ordering::SeqCst);
        // A signal that came in between is left to us.
        settle();
    }
}
