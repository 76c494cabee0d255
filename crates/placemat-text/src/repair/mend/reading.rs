//! What the runs of a text are read as that are no UTF-8.

use std::ops::Range;

use placemat::Policy;
use placemat_detect::Mixed;

use crate::charset::{Legacy, LegacyReader};

/// What the runs that are no UTF-8 are read as.
#[derive(Clone, Debug, Default)]
pub enum Reading {
    /// Lone bytes that fit are windows-1252.
    #[default]
    Windows1252,
    /// Runs are in this encoding, where it reads all of a run; what was seen of the text says where they are.
    Legacy(Box<Mixed>, Legacy),
    /// Nothing is likely enough.
    Nothing,
}

impl Reading {
    /// The runs of whole lines that are in the second encoding, what each says, and the name of the encoding.
    pub(super) fn runs(&self, block: &[u8]) -> Vec<(Range<usize>, String, &'static str)> {
        let Reading::Legacy(mixed, legacy) = self else { return Vec::new() };
        let name = legacy.name();
        let mut runs = Vec::new();
        let mut start = 0;
        for line in block.split_inclusive(|&byte| byte == b'\n') {
            if str::from_utf8(line).is_err() {
                for run in mixed.runs(line) {
                    let bytes = &line[run.clone()];
                    if let Some(text) = decoded(*legacy, bytes) {
                        let (before, after) = alike(bytes, &text);
                        let range = start + run.start + before..start + run.end - after;
                        runs.push((range, text[before..text.len() - after].to_owned(), name));
                    }
                }
            }
            start += line.len();
        }
        runs
    }
}

/// The text, if every byte is part of a character.
fn decoded(legacy: Legacy, bytes: &[u8]) -> Option<String> {
    let mut reader = LegacyReader::new(legacy, Policy::Stop);
    let mut text = Vec::new();
    reader.push(bytes, &mut text).ok()?;
    reader.finish(&mut text).ok()?;
    String::from_utf8(text).ok()
}

/// How many bytes of ASCII both begin with, and how many they end with.
fn alike(bytes: &[u8], text: &str) -> (usize, usize) {
    let is_alike = |(a, b): &(&u8, &u8)| a == b && a.is_ascii();
    let before = bytes.iter().zip(text.as_bytes()).take_while(is_alike).count();
    let rest = bytes[before..].iter().rev().zip(text.as_bytes()[before..].iter().rev());
    (before, rest.take_while(is_alike).count())
}
