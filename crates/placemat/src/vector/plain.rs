//! What the standard library has too, in less code before that is optimized: it is copied into every kernel of every level, and the compiler
//! takes as long as there is code.

#![forbid(unsafe_code)]

use core::ops::Range;

/// Every so many numbers of a range, as by `step_by`.
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

/// The lesser of two numbers, as by `min`.
#[inline(always)]
pub(crate) fn lesser(a: usize, b: usize) -> usize {
    if b < a { b } else { a }
}
