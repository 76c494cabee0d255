//! Functions of the standard library in less code before optimization: they are copied into every kernel of every level, and
//! compile time grows with that code.

#![forbid(unsafe_code)]

use core::ops::Range;

/// Every `step`th number of a range, like `step_by`.
pub(crate) struct Steps {
    at: usize,
    end: usize,
    step: usize,
}

#[inline(always)]
pub(crate) fn steps(range: Range<usize>, step: usize) -> Steps {
    Steps { at: range.start, end: range.end, step }
}

impl Iterator for Steps {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.at >= self.end {
            return None;
        }
        let at = self.at;
        self.at += self.step;
        Some(at)
    }
}

/// The lesser of two numbers, like `min`.
#[inline(always)]
pub(crate) fn lesser(a: usize, b: usize) -> usize {
    if b < a { b } else { a }
}
