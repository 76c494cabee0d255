//! What ends a run which writes, where there are no signals: Ctrl-C and the like.

use std::process::ExitStatus;
use std::sync::atomic::{AtomicBool, Ordering};

use super::temp_file::remove_all;

/// Whether an interrupt is left to the command that we wait for.
static HELD: AtomicBool = AtomicBool::new(false);

/// Watch for interrupts from now on. Without that they leave a file behind, which is no reason not to work.
pub(super) fn watch() {
    let _ = ctrlc::set_handler(|| {
        if !HELD.load(Ordering::SeqCst) {
            let _none_appears = remove_all();
            std::process::exit(130);
        }
    });
}

/// There is no such limit.
pub(crate) fn heed_limits() {}

/// While this lives, interrupts are left to the command that runs.
pub(crate) struct Held(());

impl Held {
    pub(crate) fn new() -> Held {
        HELD.store(true, Ordering::SeqCst);
        Held(())
    }

    /// Take them again.
    pub(crate) fn release(self, _: Option<ExitStatus>, _: impl FnOnce(ExitStatus)) {}
}

impl Drop for Held {
    fn drop(&mut self) {
        HELD.store(false, Ordering::SeqCst);
    }
}
