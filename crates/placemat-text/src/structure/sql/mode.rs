//! The mode of a server of MySQL, as far as it decides whether a backslash escapes: `SET sql_mode = 'NO_BACKSLASH_ESCAPES'`.
//!
//! `mysqldump` sets the mode in which a trigger or routine was defined, and afterwards the one before
//! (`SET @saved_sql_mode = @@sql_mode`, `SET sql_mode = @saved_sql_mode`).

const PLAIN: &[u8] = b"NO_BACKSLASH_ESCAPES";

const COMPUTED: &str = "sql_mode is computed: write its value as a string";

/// The position in a statement.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Stage {
    #[default]
    Start,
    /// SET: the name of a variable comes next.
    Item,
    /// The value of the mode comes next.
    Mode,
    /// The same for another variable.
    Variable,
    Other,
}

#[derive(Default)]
pub(super) struct Mode {
    stage: Stage,
    /// The number of `@` before the next word.
    signs: u8,
    /// The value of the mode so far, and whether it is computed.
    value: Option<bool>,
    is_computed: bool,
    /// Whether a backslash is a character like any other, and whether it was in the mode that was saved last.
    is_plain: bool,
    saved: bool,
}

impl Mode {
    pub(super) fn escapes(&self) -> bool {
        !self.is_plain
    }

    /// Whether a quoted text at this point matters.
    pub(super) fn is_awaited(&self) -> bool {
        self.stage == Stage::Mode
    }

    /// Reads a word, or text in quotes.
    ///
    /// # Errors
    /// The mode cannot be known.
    pub(super) fn word(&mut self, word: &[u8]) -> Result<(), (usize, &'static str)> {
        let is = |name: &str| word.eq_ignore_ascii_case(name.as_bytes());
        let signs = std::mem::take(&mut self.signs);
        match self.stage {
            Stage::Start => self.stage = if is("set") { Stage::Item } else { Stage::Other },
            Stage::Item | Stage::Mode if is("session") || is("local") => self.signs = signs,
            Stage::Item => {
                self.stage = if is("sql_mode") && signs != 1 { Stage::Mode } else { Stage::Variable }
            }
            Stage::Variable if signs == 2 && is("sql_mode") => self.saved = self.is_plain,
            Stage::Mode => {
                let is_plain = word.windows(PLAIN.len()).any(|part| part.eq_ignore_ascii_case(PLAIN));
                if self.is_computed && is_plain {
                    return Err((0, COMPUTED));
                }
                self.value = Some(match signs {
                    0 => is_plain,
                    1 => self.saved,
                    _ => self.is_plain,
                });
            }
            Stage::Variable | Stage::Other => {}
        }
        Ok(())
    }

    /// Reads another character. `depth` is the number of open parentheses.
    pub(super) fn sign(&mut self, byte: u8, depth: u64) {
        match byte {
            b'@' => self.signs = self.signs.saturating_add(1),
            b'(' => self.is_computed = true,
            b',' if depth == 0 && matches!(self.stage, Stage::Mode | Stage::Variable) => {
                self.end();
                self.stage = Stage::Item;
            }
            _ => {}
        }
    }

    /// Ends a statement, or a part of it.
    pub(super) fn end(&mut self) {
        if self.stage == Stage::Mode && !self.is_computed {
            self.is_plain = self.value.unwrap_or(self.is_plain);
        }
        (self.stage, self.signs, self.value, self.is_computed) = (Stage::Start, 0, None, false);
    }
}
