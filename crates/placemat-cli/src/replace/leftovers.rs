//! Temporary files of runs that were killed, which could not remove them. They are reported, not removed.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::console;
use placemat_text::escape;

/// The part of a temporary name between the name of the file and the numbers of the run.
pub(super) const MARK: &str = ".placemat-";

/// Reports what earlier runs left in this folder. Each folder is read once.
pub(super) fn tell(folder: &Path) {
    static TOLD: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    let mut told = TOLD.lock().unwrap_or_else(PoisonError::into_inner);
    if !told.insert(folder.to_path_buf()) {
        return;
    }
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        if run_of(&entry.file_name()).is_some_and(|run| !is_running(run)) {
            let path = entry.path();
            let shown = escape::path(&path);
            console::say(&format!(
                "{shown} is left over from a run that was killed: rm {}",
                escape::word(&path)
            ));
        }
    }
}

/// The process whose temporary file has this name, if it is such a name.
fn run_of(name: &OsStr) -> Option<i32> {
    let (name, numbers) = name.to_str()?.rsplit_once(MARK)?;
    let (process, number) = numbers.split_once('-')?;
    number.parse::<u32>().ok()?;
    process.parse().ok().filter(|_| name.starts_with('.'))
}

/// Whether there is a process with that number; `true` where that cannot be found out.
#[cfg(unix)]
fn is_running(process: i32) -> bool {
    use rustix::io::Errno;
    use rustix::process::{Pid, test_kill_process};
    let Some(process) = Pid::from_raw(process) else { return true };
    test_kill_process(process) != Err(Errno::SRCH)
}

#[cfg(not(unix))]
fn is_running(_: i32) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::run_of;

    #[test]
    fn only_names_of_temporary_files_are_those() {
        assert_eq!(run_of(".a.txt.placemat-123-0".as_ref()), Some(123));
        assert_eq!(run_of(".file.placemat-9-17".as_ref()), Some(9));
        for name in [
            "a.txt.placemat-1-0",
            ".placemat-1",
            ".a.placemat-x-0",
            ".a.placemat-1-",
            ".a.txt",
            "placemat.toml",
        ] {
            assert_eq!(run_of(name.as_ref()), None, "{name}");
        }
    }
}
