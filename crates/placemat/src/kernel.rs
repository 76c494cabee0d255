//! Kernels: fast prefixes of the scalar engine, chosen once for this CPU.

use crate::form::Form;
use crate::policy::Fixed;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
/// A set of CPU instructions that kernels are compiled for.
pub enum Level {
    /// Any CPU.
    Scalar,
}
impl Level {
    /// The level of this process.
    #[must_use]
    pub fn named(_n: &str) -> Option<Level> {
        Some(Level::Scalar)
    }
    /// x
    pub fn force(self) -> bool {
        true
    }
    /// x
    pub fn current() -> Level {
        Level::Scalar
    }
}
impl Level {
    /// x
    pub fn available() -> impl Iterator<Item = Level> {
        core::iter::once(Level::Scalar)
    }
    /// x
    pub fn name(self) -> &'static str {
        "scalar"
    }
}
pub(crate) struct Kernels {}
#[derive(Clone, Copy)]
pub(crate) struct Entry {}
pub(crate) struct Progress {
    pub(crate) read: usize,
    pub(crate) written: usize,
    pub(crate) replaced: usize,
}
impl Entry {
    pub(crate) fn run(&self, _: &[u8], _: &mut [u8]) -> Progress {
        Progress { read: 0, written: 0, replaced: 0 }
    }
}
pub(crate) fn kernels() -> &'static Kernels {
    &Kernels {}
}
pub(crate) fn kernels_at_most(_level: Level) -> &'static Kernels {
    &Kernels {}
}
impl Kernels {
    pub(crate) fn find(&self, _from: Form, _to: Form, _fixed: Fixed) -> Option<Entry> {
        None
    }
    pub(crate) fn utf8_prefix(&self, _: &[u8]) -> usize {
        0
    }
}
