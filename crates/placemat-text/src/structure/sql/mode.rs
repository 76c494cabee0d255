//! The mode of a server of MySQL, as far as it decides whether a backslash escapes: `SET sql_mode = 'NO_BACKSLASH_ESCAPES'`.
//!
//! `mysqldump` sets the mode in which a trigger or routine was defined, and afterwards the one before
//! (`SET @saved_sql_mode = @@sql_mode`, `SET sql_mode = @saved_sql_mode`).

use std::collections::HashMap;

use memchr::memmem;

const COMPUTED: &str = "sql_mode is computed with NO_BACKSLASH_ESCAPES, so what a backslash means in strings after it is not known: write its value as a string";

/// The position in a statement.
#[derive(Default)]
enum Stage {
    #[default]
    Start,
    /// The name of a variable comes next, after this many `@`.
    Item(u8),
    /// The value of this variable comes next, after this many `@`; without a name, that of the mode.
    Value(Option<Vec<u8>>, u8),
    /// The value of a variable, unless more follows.
    Set(Option<Vec<u8>>, bool),
    /// More than a value follows, which is computed.
    Computed,
    /// Another variable.
    Skip,
    Other,
}

#[derive(Default)]
pub(super) struct Mode {
    stage: Stage,
    /// Whether a backslash is a character like any other.
    is_plain: bool,
    /// The same in modes that variables hold.
    saved: HashMap<Vec<u8>, bool>,
}

impl Mode {
    pub(super) fn escapes(&self) -> bool {
        !self.is_plain
    }

    /// Whether a quoted text at this point matters.
    pub(super) fn is_awaited(&self) -> bool {
        matches!(self.stage, Stage::Item(_) | Stage::Value(..) | Stage::Computed)
    }

    /// Reads a word, or text in quotes.
    ///
    /// # Errors
    /// The mode cannot be known.
    pub(super) fn word(&mut self, word: &[u8]) -> Result<(), (usize, &'static str)> {
        let word = word.to_ascii_lowercase();
        let is_plain = || memmem::find(&word, b"no_backslash_escapes").is_some();
        self.stage = match std::mem::take(&mut self.stage) {
            Stage::Start if word == b"set" => Stage::Item(0),
            same @ (Stage::Item(_) | Stage::Value(..)) if word == b"session" || word == b"local" => same,
            Stage::Item(1) => Stage::Value(Some(word), 0),
            Stage::Item(_) if word == b"sql_mode" => Stage::Value(None, 0),
            Stage::Item(_) => Stage::Skip,
            Stage::Value(name, 1) => {
                Stage::Set(name, self.saved.get(&word).is_some_and(|&is_plain| is_plain))
            }
            Stage::Value(name, 2) if word == b"sql_mode" => Stage::Set(name, self.is_plain),
            // Only variables with a mode are remembered.
            Stage::Value(Some(_), _) => Stage::Skip,
            Stage::Value(None, _) => Stage::Set(None, is_plain()),
            Stage::Computed if is_plain() => return Err((0, COMPUTED)),
            Stage::Start => Stage::Other,
            same => same,
        };
        Ok(())
    }

    /// Reads another character. `depth` is the number of open parentheses.
    pub(super) fn sign(&mut self, byte: u8, depth: u64) {
        self.stage = match std::mem::take(&mut self.stage) {
            Stage::Other => Stage::Other,
            Stage::Start => Stage::Start,
            same if byte == b',' && depth == 0 => {
                self.set(same);
                Stage::Item(0)
            }
            Stage::Item(signs) if byte == b'@' => Stage::Item(signs + u8::from(signs < 2)),
            Stage::Value(name, signs) if byte == b'@' => Stage::Value(name, signs + u8::from(signs < 2)),
            same @ (Stage::Item(_) | Stage::Value(..)) if matches!(byte, b'.' | b'=' | b':') => same,
            Stage::Value(None, _) | Stage::Set(None, _) => Stage::Computed,
            Stage::Computed => Stage::Computed,
            _ => Stage::Skip,
        };
    }

    /// Ends a statement.
    pub(super) fn end(&mut self) {
        let stage = std::mem::take(&mut self.stage);
        self.set(stage);
    }

    fn set(&mut self, stage: Stage) {
        match stage {
            Stage::Set(None, is_plain) => self.is_plain = is_plain,
            Stage::Set(Some(name), is_plain) => _ = self.saved.insert(name, is_plain),
            _ => {}
        }
    }
}
