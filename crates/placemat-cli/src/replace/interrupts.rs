//! Interrupts that end a run while it writes, on systems without signals: Ctrl-C and the like.

use std::process::ExitStatus;
use std::sync::atomic::{AtomicBool, Ordering};

use super::temp_file::remove_all;

/// Whether an interrupt is left to the command that we wait for.
static HELD: AtomicBool = AtomicBool::new(false);

/// Watches for interrupts from now on. If that fails the run goes on: an interrupt then leaves a temporary file behind.
pub(super) fn watch() {
    let _ = ctrlc::set_handler(|| {
        if !HELD.load(Ordering::SeqCst) {
            let _none_appears = remove_all();
            std::process::exit(130);
        }
    });
}

/// There is no signal for a limit on the length of files.
pub(crate) fn heed_limits() {}

/// While this lives, interrupts are left to the command that runs.
pub(crate) struct Held(());

impl Held {
    pub(crate) fn new() -> Held {
        HELD.store(true, Ordering::SeqCst);
        Held(())
    }

    /// Handles interrupts again.
    pub(crate) fn release(self, _: Option<ExitStatus>, _: impl FnOnce(ExitStatus)) {}
}

impl Drop for Held {
    fn drop(&mut self) {
        HELD.store(false, Ordering::SeqCst);
    }
}
