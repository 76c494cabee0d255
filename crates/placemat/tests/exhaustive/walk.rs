//! An exhaustive run in stripes: on all cores, resumable, or only a sample.

use std::collections::HashMap;
use std::env;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

/// The settings of a run, from the environment.
pub(crate) struct Walk {
    /// Take one of this many cases.
    pub(crate) every: u32,
    /// Stripes that earlier runs finished, with the number of cases and the milliseconds of each.
    done: HashMap<String, (u64, u64)>,
    /// The file for the finished stripes of this run.
    notes: Option<Mutex<File>>,
}

impl Walk {
    /// `PLACEMAT_EVERY` is the sampling (1: everything), `PLACEMAT_NOTES` the file to resume from.
    pub(crate) fn new() -> Walk {
        let every = env::var("PLACEMAT_EVERY").map_or(1, |n| n.parse().expect("PLACEMAT_EVERY is a number"));
        let path = env::var_os("PLACEMAT_NOTES");
        let text = path.as_ref().and_then(|path| fs::read_to_string(path).ok()).unwrap_or_default();
        let done = text
            .lines()
            .filter_map(|line| {
                let mut fields = line.rsplitn(3, ' ');
                let (time, cases) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
                Some((fields.next()?.to_owned(), (cases, time)))
            })
            .collect();
        let notes = path.map(|path| {
            let file = OpenOptions::new().create(true).append(true).open(path);
            Mutex::new(file.expect("the notes can be written"))
        });
        Walk { every, done, notes }
    }

    /// Calls `work` for each stripe below `stripes` that is not done yet. It returns how many cases it tried.
    pub(crate) fn stripes(&self, what: &str, stripes: u32, work: impl Fn(u32) -> u64 + Sync) {
        let (next, sum) = (AtomicU32::new(0), Mutex::new((0, 0)));
        let one_after_another = || {
            loop {
                let stripe = next.fetch_add(1, Ordering::Relaxed);
                if stripe >= stripes {
                    return;
                }
                let name = format!("{what}/{stripe}");
                let (cases, time) = self.done.get(&name).copied().unwrap_or_else(|| {
                    let start = milliseconds();
                    let cases = work(stripe);
                    (cases, milliseconds() - start)
                });
                let mut sum = sum.lock().expect("no thread has failed");
                *sum = (sum.0 + cases, sum.1 + time);
                if let Some(notes) = self.notes.as_ref().filter(|_| !self.done.contains_key(&name)) {
                    let mut notes = notes.lock().expect("no thread has failed");
                    writeln!(notes, "{name} {cases} {time}").expect("the notes can be written");
                }
            }
        };
        thread::scope(|scope| {
            for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
                scope.spawn(one_after_another);
            }
        });
        let (cases, time) = sum.into_inner().expect("no thread has failed");
        println!("{what}: {cases} cases, {}.{} s of CPU", time / 1000, time / 100 % 10);
    }

    /// One of [`every`](Walk::every) numbers below `end`, but not too few, from a start that depends on `seed`.
    pub(crate) fn some(&self, end: u32, seed: u32) -> impl Iterator<Item = u32> + use<> {
        let every = self.every.min(end / 64);
        (seed.wrapping_mul(2_654_435_761) % every..end).step_by(every as usize)
    }
}

/// The CPU time of this thread, or 0 if the system does not report it.
fn milliseconds() -> u64 {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds: u64 = text.split(' ').next().and_then(|field| field.parse().ok()).unwrap_or(0);
    nanoseconds / 1_000_000
}
