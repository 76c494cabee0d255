//! Standard input where no path is named. A user who redirects it wants it read, but a job of a build server or of cron
//! may have inherited a pipe that is empty or never ends.

#[cfg(unix)]
pub(super) use self::unix::{is_redirected, tell_of_nothing};

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::FileTypeExt as _;

    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    use crate::console;
    use crate::input::Input;

    /// Whether standard input is a file, a pipe or a socket: no terminal, null device or closed descriptor.
    pub(in crate::walk) fn is_redirected() -> bool {
        Input::Stdin.metadata().is_ok_and(|metadata| {
            let kind = metadata.file_type();
            kind.is_file() || kind.is_fifo() || kind.is_socket()
        })
    }

    /// Prints a hint if standard input is empty, or if nothing has come for a second.
    pub(in crate::walk) fn tell_of_nothing(command: &str) {
        let is_empty_file =
            || Input::Stdin.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() == 0);
        let stdin = std::io::stdin();
        let mut watched = [PollFd::new(&stdin, PollFlags::IN)];
        let second = Timespec { tv_sec: 1, tv_nsec: 0 };
        let what = match poll(&mut watched, Some(&second)) {
            Ok(0) => "nothing has come on standard input yet",
            Ok(_) if !watched[0].revents().contains(PollFlags::IN) || is_empty_file() => {
                "standard input is empty"
            }
            _ => return,
        };
        console::say(&format!("{what}; to read this directory: placemat {command} ."));
    }
}

/// Elsewhere the null device cannot be told from a pipe, and a job without input must not look like one that found nothing.
#[cfg(not(unix))]
pub(super) fn is_redirected() -> bool {
    false
}

#[cfg(not(unix))]
pub(super) fn tell_of_nothing(_: &str) {}
