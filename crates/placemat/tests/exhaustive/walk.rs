//! A walk in stripes: on all cores, resumable, or a sample of it.

use std::collections::HashMap;
use std::env;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

/// How to walk, as the environment says.
pub(crate) struct Walk {
    /// Take one case in so many.
    pub(crate) every: u32,
    /// Stripes that earlier runs finished, with the number of cases in each, and the milliseconds.
    done: HashMap<String, (u64, u64)>,
    /// Where to note those of this run.
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

    /// Do `work`, which says how many cases it tried, for each stripe below `stripes` that is not done yet.
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

    /// One in [`every`](Walk::every) of the numbers below `end`, and not only a few, from a start that depends on `seed`.
    pub(crate) fn some(&self, end: u32, seed: u32) -> impl Iterator<Item = u32> + use<> {
        let every = self.every.min(end / 64);
        (seed.wrapping_mul(2_654_435_761) % every..end).step_by(every as usize)
    }
}

/// For how long this thread has had a CPU, or nothing where the system does not say.
fn milliseconds() -> u64 {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds: u64 = text.split(' ').next().and_then(|field| field.parse().ok()).unwrap_or(0);
    nanoseconds / 1_000_000
}
