//! Stand-ins for errors that are decided on but not yet written.

#![forbid(unsafe_code)]

use crate::code_point::CodePoint;
use crate::error::{Error, ErrorKind};
use crate::policy::Text;

/// Stand-ins that are decided on but not yet written.
#[derive(Clone)]
pub(super) struct Queue {
    /// For the error in the source.
    pub(super) stand_in: Pending,
    /// For a code point of `stand_in` that the target lacks. Written first.
    pub(super) fallback: Pending,
    /// The error in the source that both stand for.
    pub(super) error: Error,
}

impl Queue {
    pub(super) const EMPTY: Queue = Queue {
        stand_in: Pending::EMPTY,
        fallback: Pending::EMPTY,
        error: Error::new(ErrorKind::Unencodable, 0, 0),
    };

    /// What is to be written next, and whether it is a fallback.
    #[inline]
    pub(super) fn front(&self) -> Option<(CodePoint, bool)> {
        match self.fallback.front() {
            Some(c) => Some((c, true)),
            None => self.stand_in.front().map(|c| (c, false)),
        }
    }

    pub(super) fn clear(&mut self) {
        self.stand_in.clear();
        self.fallback.clear();
    }

    pub(super) fn pending(&mut self, is_fallback: bool) -> &mut Pending {
        if is_fallback { &mut self.fallback } else { &mut self.stand_in }
    }
}

/// Code points, and how many of them are written.
#[derive(Clone)]
pub(super) struct Pending {
    pub(super) text: Text,
    /// The next code point to be written.
    pub(super) next: usize,
}

impl Pending {
    const EMPTY: Pending = Pending { text: Text::new(), next: 0 };

    pub(super) fn front(&self) -> Option<CodePoint> {
        self.rest().first().copied()
    }

    pub(super) fn rest(&self) -> &[CodePoint] {
        &self.text.code_points()[self.next..]
    }

    /// Replace the next code point by `c`.
    pub(super) fn substitute(&mut self, c: CodePoint) {
        self.text.replace(self.next, c);
    }

    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.next = 0;
    }
}
