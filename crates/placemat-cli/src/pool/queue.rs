//! Hands jobs to workers, and their results to the consumer in the order of the jobs.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// Where jobs wait for workers, and results for their turn.
pub(super) struct Queue<J, R> {
    state: Mutex<State<J, R>>,
    /// How many jobs may be put before the first of them is consumed.
    window: usize,
    /// Signals that there is room for another job, or that no more are wanted.
    room: Condvar,
    /// Signals that there is a job, or that no more will come.
    jobs: Condvar,
    /// Signals that there is a result, or that no more will come.
    results: Condvar,
}

struct State<J, R> {
    waiting: VecDeque<(usize, J)>,
    done: BTreeMap<usize, R>,
    produced: usize,
    consumed: usize,
    /// No more jobs will be put.
    complete: bool,
    /// No more results are wanted.
    closed: bool,
}

impl<J, R> Queue<J, R> {
    pub(super) fn new(window: usize) -> Queue<J, R> {
        let state = State {
            waiting: VecDeque::new(),
            done: BTreeMap::new(),
            produced: 0,
            consumed: 0,
            complete: false,
            closed: false,
        };
        Queue {
            state: Mutex::new(state),
            window,
            room: Condvar::new(),
            jobs: Condvar::new(),
            results: Condvar::new(),
        }
    }

    /// A panic elsewhere leaves the state whole, since it is only ever changed in one step.
    fn lock(&self) -> MutexGuard<'_, State<J, R>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait_while(
        &self,
        on: &Condvar,
        condition: impl FnMut(&mut State<J, R>) -> bool,
    ) -> MutexGuard<'_, State<J, R>> {
        on.wait_while(self.lock(), condition).unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn put(&self, job: J) -> bool {
        let mut state = self.wait_while(&self.room, |s| !s.closed && s.produced - s.consumed >= self.window);
        if !state.closed {
            let index = state.produced;
            state.produced += 1;
            state.waiting.push_back((index, job));
            self.jobs.notify_one();
        }
        !state.closed
    }

    pub(super) fn take(&self) -> Option<(usize, J)> {
        let mut state = self.wait_while(&self.jobs, |s| !s.closed && !s.complete && s.waiting.is_empty());
        if state.closed { None } else { state.waiting.pop_front() }
    }

    pub(super) fn deliver(&self, index: usize, result: R) {
        let mut state = self.lock();
        state.done.insert(index, result);
        if state.consumed == index {
            self.results.notify_one();
        }
    }

    pub(super) fn next(&self) -> Option<R> {
        let mut state = self.wait_while(&self.results, |s| {
            let is_over = s.closed || s.complete && s.consumed == s.produced;
            !is_over && !s.done.contains_key(&s.consumed)
        });
        let index = state.consumed;
        let result = state.done.remove(&index)?;
        state.consumed += 1;
        self.room.notify_one();
        Some(result)
    }

    fn complete(&self) {
        self.lock().complete = true;
        self.jobs.notify_all();
        self.results.notify_all();
    }

    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.room.notify_all();
        self.jobs.notify_all();
        self.results.notify_all();
    }
}

/// Dropped when a thread ends. After a panic it closes the queue; otherwise, with `false`, it says that no more jobs will come.
pub(super) struct Closing<'a, J, R>(pub(super) &'a Queue<J, R>, pub(super) bool);

impl<J, R> Drop for Closing<'_, J, R> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.close();
        } else if !self.1 {
            self.0.complete();
        }
    }
}
