//! Forms with a byte order mark of their own: the mark decides which form follows.

#![forbid(unsafe_code)]

use super::Form;
use crate::codec::Facts;

/// The rule of a form with its own byte order mark: the mark is read and removed, and decides which form follows.
pub(crate) struct Marked {
    /// The byte order mark of the big-endian form. The little-endian one has its bytes reversed.
    pub(super) big: &'static [u8],
    pub(super) after_big: Form,
    pub(super) after_little: Form,
    /// The form if there is no mark, and the form that the writer writes.
    pub(crate) unmarked: Form,
    pub(crate) writes_mark: bool,
}

/// The result of reading the first bytes of a form with its own byte order mark.
pub(crate) enum Head {
    /// A byte order mark of `skip` bytes (or none), then this form.
    Known { form: Form, skip: usize },
    /// More bytes are needed to decide.
    Incomplete,
}

impl Marked {
    pub(super) const fn new(big: Form, little: Form) -> Marked {
        Marked { big: &[0xFE, 0xFF], after_big: big, after_little: little, unmarked: big, writes_mark: true }
    }

    /// Finds out which form the input has, from its first bytes.
    pub(crate) fn resolve(&self, bytes: &[u8], last: bool) -> Head {
        let skip = self.big.len();
        let n = skip.min(bytes.len());
        let is_big = bytes[..n] == self.big[..n];
        let is_little =
            self.after_little != self.after_big && bytes[..n].iter().eq(self.big.iter().rev().take(n));
        match (is_big, is_little) {
            (true, _) | (_, true) if n < skip && !last => Head::Incomplete,
            (true, _) if n == skip => Head::Known { form: self.after_big, skip },
            (_, true) if n == skip => Head::Known { form: self.after_little, skip },
            _ => Head::Known { form: self.unmarked, skip: 0 },
        }
    }

    /// The form behind a mark that differs from `unmarked`, if there is one.
    pub(crate) fn reversed(&self) -> Option<Form> {
        [self.after_big, self.after_little].into_iter().find(|&form| form != self.unmarked)
    }

    pub(super) fn facts(&self) -> Facts {
        let facts = self.unmarked.facts();
        Facts { ascii_transparent: false, order_preserving: false, ..facts }
    }
}
