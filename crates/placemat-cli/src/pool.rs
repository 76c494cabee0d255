//! A pool of threads for many files: jobs run in parallel, and their results are taken in the order of the jobs.

mod queue;

use std::sync::atomic::{AtomicBool, AtomicIsize, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread::{self, Scope, ScopedJoinHandle};

use anyhow::Result;

use self::queue::{Closing, Queue};
use crate::progress::Done;

/// How many jobs the producer may be ahead of the consumer, where results are small: limits memory in trees of any size.
const WINDOW: usize = 4096;

/// With so much free address space, in bytes, threads are started without waiting for each other.
const PLENTY: usize = 1 << 30;
/// With less, what must be free to start a thread, and in addition for each that runs already, in bytes.
const SPARE: usize = 40 << 20;
const EACH: usize = 4 << 20;

/// The number of threads that were started and have not ended.
static ALIVE: AtomicUsize = AtomicUsize::new(0);

/// The threads that a command may use.
///
/// A thread that works holds a permit. One large file takes the permits that no other file needs, and gives them back when one does.
#[derive(Debug)]
pub(crate) struct Pool {
    size: usize,
    /// Permits that are free. Below 0 while threads that help with a large file are still to give theirs back.
    spare: AtomicIsize,
    window: usize,
    stopped: AtomicBool,
    /// What was done so far.
    pub(crate) done: Arc<Done>,
}

/// One of the threads counted in [`ALIVE`].
struct Alive;

impl Drop for Alive {
    fn drop(&mut self) {
        ALIVE.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Starts a thread in `scope`. Returns `None`, and drops `work`, where the system has no room for another thread.
pub(crate) fn start<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Option<ScopedJoinHandle<'scope, T>> {
    let others = ALIVE.fetch_add(1, Ordering::Relaxed);
    let alive = Alive;
    let is_plenty = has_room(PLENTY);
    if !is_plenty && !has_room(SPARE + EACH * others) {
        return None;
    }
    let (begun, begins) = mpsc::channel();
    let working = move || {
        let _alive = alive;
        let _ = begun.send(());
        work()
    };
    let handle = thread::Builder::new().spawn_scoped(scope, working).ok()?;
    if !is_plenty {
        // A thread that finds no room for its signal stack aborts the run: each gets what it begins with before the next is started.
        let _ = begins.recv();
    }
    Some(handle)
}

/// Whether so many bytes could be allocated. That costs nothing: they are not touched, and an allocator keeps no block
/// of this size.
fn has_room(bytes: usize) -> bool {
    // Without `black_box` the compiler could leave out the allocation.
    std::hint::black_box(&mut Vec::<u8>::new()).try_reserve_exact(bytes).is_ok()
}

/// The right to keep one core busy; free again when dropped.
#[derive(Debug)]
pub(crate) struct Permit<'a>(&'a Pool);

impl Pool {
    pub(crate) fn new(size: usize) -> Pool {
        let spare = AtomicIsize::new(size.cast_signed());
        Pool { size, spare, window: WINDOW, stopped: AtomicBool::new(false), done: Arc::default() }
    }

    /// The same pool for large results: at most two for each thread wait for their turn.
    pub(crate) fn holding_few(self) -> Pool {
        Pool { window: 2 * self.size, ..self }
    }

    /// The number of threads that may work.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// A permit for the work on a file.
    pub(crate) fn permit(&self) -> Permit<'_> {
        self.spare.fetch_sub(1, Ordering::Relaxed);
        Permit(self)
    }

    /// A permit to help with a large file, if one is free.
    pub(crate) fn free_permit(&self) -> Option<Permit<'_>> {
        let less = |spare: isize| (spare > 0).then(|| spare - 1);
        self.spare.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).ok().map(|_| Permit(self))
    }

    /// Says that nobody waits for results any more.
    pub(crate) fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Does `work` on every job that `produce` hands out, and gives the results to `consume` in that order.
    ///
    /// `produce` gets a function that takes a job and answers whether more are wanted.
    ///
    /// # Errors
    /// The first of `consume`; nothing new is begun after it.
    pub(crate) fn in_order<J: Send, R: Send>(
        &self,
        produce: impl FnOnce(&mut dyn FnMut(J) -> bool) + Send,
        work: impl Fn(J) -> R + Sync,
        mut consume: impl FnMut(R) -> Result<()>,
    ) -> Result<()> {
        let queue = Queue::new(self.window);
        let produce = Mutex::new(Some(produce));
        let producing = || produce.lock().unwrap_or_else(PoisonError::into_inner).take();
        let work = |job| {
            let _permit = self.permit();
            work(job)
        };
        thread::scope(|scope| {
            let worker = || {
                // A worker that panics must not leave the others waiting.
                let _closing = Closing(&queue, true);
                while let Some((index, job)) = queue.take() {
                    queue.deliver(index, work(job));
                }
            };
            let workers = (0..self.size).map_while(|_| start(scope, worker)).count();
            let producer = || {
                let _closing = Closing(&queue, false);
                if let Some(produce) = producing() {
                    produce(&mut |job| queue.put(job));
                }
            };
            if workers == 0 || start(scope, producer).is_none() {
                queue.close();
                return self.alone(producing(), work, consume);
            }
            // Nor must a consumer that panics.
            let _closing = Closing(&queue, true);
            let mut outcome = Ok(());
            while let Some(result) = queue.next() {
                outcome = consume(result);
                if outcome.is_err() {
                    self.stop();
                    break;
                }
            }
            queue.close();
            outcome
        })
    }

    /// Does all the work on this thread, where the system gives no other.
    fn alone<J, R>(
        &self,
        produce: Option<impl FnOnce(&mut dyn FnMut(J) -> bool)>,
        work: impl Fn(J) -> R,
        mut consume: impl FnMut(R) -> Result<()>,
    ) -> Result<()> {
        let mut outcome = Ok(());
        if let Some(produce) = produce {
            produce(&mut |job| {
                outcome = consume(work(job));
                outcome.is_ok()
            });
        }
        if outcome.is_err() {
            self.stop();
        }
        outcome
    }
}

impl Permit<'_> {
    /// Whether a file waits for this permit. A thread that only helps then gives it back.
    pub(crate) fn is_wanted(&self) -> bool {
        self.0.spare.load(Ordering::Relaxed) < 0
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.0.spare.fetch_add(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{self, AssertUnwindSafe};

    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_jobs() {
        let mut seen = Vec::new();
        let pool = Pool::new(4);
        let produce = |put: &mut dyn FnMut(u64) -> bool| {
            for job in 0..10_000 {
                assert!(put(job));
            }
        };
        let work = |job: u64| {
            if job.is_multiple_of(97) {
                thread::yield_now();
            }
            job * 2
        };
        let taken = pool.in_order(produce, work, |result| {
            seen.push(result);
            Ok(())
        });
        assert!(taken.is_ok());
        assert!(seen.iter().copied().eq((0..10_000).map(|job| job * 2)));
    }

    #[test]
    fn an_error_of_the_consumer_ends_the_work() {
        let pool = Pool::new(2);
        let produce = |put: &mut dyn FnMut(u64) -> bool| {
            let mut job = 0;
            while put(job) {
                job += 1;
            }
        };
        let taken = pool.in_order(
            produce,
            |job| job,
            |job| if job == 5000 { anyhow::bail!("enough") } else { Ok(()) },
        );
        assert!(taken.is_err());
        assert!(pool.is_stopped());
    }

    #[test]
    fn a_panic_of_the_consumer_ends_the_work() {
        let pool = Pool::new(2);
        let put_all = |put: &mut dyn FnMut(usize) -> bool| assert!(!(0..2 * WINDOW).all(put));
        let consume = |job| if job == 5 { panic!("on purpose") } else { Ok(()) };
        let taking = AssertUnwindSafe(|| pool.in_order(put_all, |job| job, consume));
        assert!(panic::catch_unwind(taking).is_err());
    }

    #[test]
    fn permits_are_given_back() {
        let pool = Pool::new(2);
        let file = pool.permit();
        let help = pool.free_permit().unwrap();
        assert!(pool.free_permit().is_none() && !help.is_wanted());
        let other = pool.permit();
        assert!(pool.free_permit().is_none() && help.is_wanted());
        drop(help);
        assert!(pool.free_permit().is_none() && !other.is_wanted());
        drop(file);
        assert!(pool.free_permit().is_some());
    }
}
