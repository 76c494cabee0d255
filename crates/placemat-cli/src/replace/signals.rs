//! Signals that end a run which writes: first the temporary files go, then the run ends by that signal, as its parent expects.

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

/// What a terminal sends to all that run there: another's business while we wait for a command.
const TYPED: [i32; 2] = [SIGINT, SIGQUIT];

/// Signals that have come and were not looked at yet; noted by the handler itself, and so never late.
static COME: LazyLock<[(i32, Arc<AtomicBool>); 5]> =
    LazyLock::new(|| [SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGXCPU].map(|signal| (signal, Arc::default())));

/// Whether signals are left for whoever waits for a command.
static HELD: AtomicBool = AtomicBool::new(false);

/// Watch for signals from now on. Without that they leave a file behind, which is no reason not to work.
pub(super) fn watch() {
    let (registered, ready) = mpsc::channel();
    // The thread comes first: a handler without it would swallow what it catches.
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

/// Note and pass on every signal that is not ignored: who ignores one, as `nohup` does, protects the run from it.
fn register() -> io::Result<UnixStream> {
    let ignored = ignored();
    let (woken, wake) = UnixStream::pair()?;
    let all = COME.iter().filter(|(signal, _)| !ignored(*signal));
    let all = all.map(|(signal, come)| Ok((*signal, come, wake.try_clone()?)));
    // What is noted must be passed on, or it could not end the run: so the pipes come first.
    for (signal, come, wake) in all.collect::<io::Result<Vec<_>>>()? {
        signal_hook::flag::register(signal, Arc::clone(come))?;
        pipe::register(signal, wake)?;
    }
    Ok(woken)
}

/// Which signals are ignored. Where that cannot be told, SIGHUP is taken to be: the run may be meant to outlive the terminal.
fn ignored() -> impl Fn(i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    move |signal| mask.map_or(signal == SIGHUP, |mask| mask >> (signal - 1) & 1 == 1)
}

/// End the run by the first signal that has come, if one has.
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

/// Let writing behind the limit on the length of files fail, as on a full disk, instead of ending the run.
pub(crate) fn heed_limits() {
    // What catches it need not do anything. If it cannot be caught, the run ends, as other programs do.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
}

/// While this lives, what is typed is left to the command that runs, and every other signal that is to end the run is put off.
pub(crate) struct Held(());

impl Held {
    pub(crate) fn new() -> Held {
        HELD.store(true, Ordering::SeqCst);
        // What came before is no command's business.
        settle();
        Held(())
    }

    /// Take signals again, now that the command has ended. One that was put off ends the run here, and so does what was typed
    /// if the command failed of it, after `last_words`.
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
        // One that came in between was left to us.
        settle();
    }
}
