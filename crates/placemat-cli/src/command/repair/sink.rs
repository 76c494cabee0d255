//! Writes the blocks of a repaired text, counts the changes, and collects what stays as it is.

use std::io::Write;

use anyhow::Result;

use super::report::Record;
use crate::report::hex;
use placemat_text::repair::mend::{Change, Rule};
use placemat_text::repair::wording::{self, Counts};

pub(super) struct Sink<'a> {
    out: &'a mut dyn Write,
    pub(super) record: Option<Record>,
    pub(super) counts: Counts,
}

impl<'a> Sink<'a> {
    pub(super) fn new(out: &'a mut dyn Write, record: Option<Record>) -> Sink<'a> {
        Sink { out, record, counts: Counts::new() }
    }

    pub(super) fn block(&mut self, block: &[u8], changes: &[Change], offset: u64) -> Result<()> {
        let mut text = Vec::with_capacity(block.len() + changes.len() * 2);
        let mut at = 0;
        for change in changes {
            let range = (change.range.start - offset) as usize..(change.range.end - offset) as usize;
            text.extend_from_slice(&block[at..range.start]);
            text.extend_from_slice(change.text.as_bytes());
            at = range.end;
            *self.counts.entry(change.rule.clone()).or_default() += 1;
            if let Some(record) = &mut self.record {
                record.change(change, &block[range])?;
            }
        }
        text.extend_from_slice(&block[at..]);
        if let Some(record) = &mut self.record {
            record.before(block);
            record.after(&text);
        }
        Ok(self.out.write_all(&text)?)
    }
}

/// Sequences that stay as they are, because they could only become U+FFFD.
#[derive(Default)]
pub(super) struct Left {
    counts: Counts,
    /// The line of the first one, from 1, and its bytes.
    first: Option<(u64, Vec<u8>)>,
    /// Lines that ended before the next block.
    lines: u64,
}

impl Left {
    pub(super) fn is_empty(&self) -> bool {
        self.first.is_none()
    }

    /// The changes of a block, without those that would only lose information: these are counted.
    pub(super) fn without(&mut self, block: &[u8], changes: Vec<Change>, offset: u64) -> Vec<Change> {
        let (lost, kept): (Vec<Change>, _) = changes.into_iter().partition(Change::is_loss);
        for change in lost {
            let range = (change.range.start - offset) as usize..(change.range.end - offset) as usize;
            if self.first.is_none() {
                let line = self.lines + 1 + newlines(&block[..range.start]);
                self.first = Some((line, block[range].to_vec()));
            }
            if let Rule::Policy(..) = change.rule {
                *self.counts.entry(change.rule).or_default() += 1;
            }
        }
        self.lines += newlines(block);
        kept
    }

    /// The message about them.
    pub(super) fn sentence(&self) -> String {
        let Some((line, bytes)) = &self.first else { return String::new() };
        let count: u64 = self.counts.values().sum();
        let (place, stay, them) = match count {
            0 | 1 => ("in", "stays as it is", "it"),
            _ => ("the first in", "stay as they are", "them"),
        };
        let what = match count {
            0 => "mojibake with damage in it".to_owned(),
            _ => wording::sequences(&self.counts),
        };
        format!("{what} ({place} line {line}: {}) {stay}; --lossy writes U+FFFD for {them}", hex(bytes))
    }
}

fn newlines(bytes: &[u8]) -> u64 {
    bytes.iter().filter(|&&byte| byte == b'\n').count() as u64
}
