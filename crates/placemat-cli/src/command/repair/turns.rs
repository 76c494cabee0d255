//! Turns for jobs that run in parallel and must write in order.

use std::sync::{Condvar, Mutex, PoisonError};

/// Turns, given out in the order of jobs.
#[derive(Default)]
pub(in crate::command) struct Turns {
    current: Mutex<u64>,
    passed: Condvar,
}

/// The place of a job among the others; its turn is over when this is dropped.
pub(in crate::command) struct Turn<'a> {
    turns: &'a Turns,
    number: u64,
}

impl Turns {
    /// The turn of the job with this number. Every number from 0 must be used, and jobs must begin in this order.
    pub(in crate::command) fn of(&self, number: u64) -> Turn<'_> {
        Turn { turns: self, number }
    }
}

impl Turn<'_> {
    /// Waits until all jobs before this one are over.
    pub(in crate::command) fn wait(&self) {
        let current = self.turns.current.lock().unwrap_or_else(PoisonError::into_inner);
        let is_others = |current: &mut u64| *current != self.number;
        drop(self.turns.passed.wait_while(current, is_others).unwrap_or_else(PoisonError::into_inner));
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.wait();
        *self.turns.current.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.turns.passed.notify_all();
    }
}
