//! An explanation before it is rendered: blocks of text, in which each span has an ink.
//!
//! Text gets in only through [`Line`], which escapes dangerous characters, so that no renderer has to.

use serde::Serialize;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use super::{page, screen};
use crate::escape;

/// The role of a span of text. Each renderer has its own colours; the words alone say everything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Ink {
    #[default]
    Plain,
    Strong,
    Faint,
    /// A byte that is a character by itself.
    Ascii,
    /// A continuation byte.
    Continuation,
    /// A lead byte that any continuation byte may follow.
    Lead,
    /// A lead byte that not every continuation byte may follow.
    Limited,
    /// A byte that no well-formed sequence contains.
    Never,
    Good,
    Bad,
}

/// Text of one ink.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Span {
    pub(crate) ink: Ink,
    pub(crate) text: String,
}

/// One line of inked text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Line(pub(crate) Vec<Span>);

impl Line {
    pub(crate) fn new() -> Line {
        Line::default()
    }

    pub(crate) fn plain(text: impl AsRef<str>) -> Line {
        Line::new().with(Ink::Plain, text)
    }

    pub(crate) fn inked(ink: Ink, text: impl AsRef<str>) -> Line {
        Line::new().with(ink, text)
    }

    #[must_use]
    pub(crate) fn with(mut self, ink: Ink, text: impl AsRef<str>) -> Line {
        let text = escape::text(text.as_ref()).to_string();
        if !text.is_empty() {
            self.0.push(Span { ink, text });
        }
        self
    }

    #[must_use]
    pub(crate) fn and(mut self, more: Line) -> Line {
        self.0.extend(more.0);
        self
    }

    /// The number of columns on a terminal.
    pub(crate) fn width(&self) -> usize {
        self.0.iter().map(|span| span.text.width()).sum()
    }

    /// The text without its ink.
    pub(crate) fn text(&self) -> String {
        self.0.iter().map(|span| span.text.as_str()).collect()
    }

    /// Returns the text in at most `width` columns, with an ellipsis if it is cut.
    pub(crate) fn cut(&self, width: usize) -> Line {
        if self.width() <= width {
            return self.clone();
        }
        let mut line = Line::new();
        let mut used = 1;
        for span in &self.0 {
            for c in span.text.chars() {
                used += c.width().unwrap_or(0);
                if used > width {
                    line.append(span.ink, "…");
                    return line;
                }
                line.append(span.ink, c.encode_utf8(&mut [0; 4]));
            }
        }
        line
    }

    /// Returns the text in lines of at most `width` columns, broken at spaces if there are any.
    pub(crate) fn wrapped(&self, width: usize) -> Vec<Line> {
        let mut lines = vec![Line::new()];
        let mut used = 0;
        for word in self.words() {
            let needed = word.text().trim_end().width();
            if used > 0 && used + needed > width {
                lines.push(Line::new());
                used = 0;
            }
            let is_long = needed > width;
            for span in &word.0 {
                for c in span.text.chars() {
                    let columns = c.width().unwrap_or(0);
                    if is_long && used + columns > width {
                        lines.push(Line::new());
                        used = 0;
                    }
                    used += columns;
                    if let Some(line) = lines.last_mut() {
                        line.append(span.ink, c.encode_utf8(&mut [0; 4]));
                    }
                }
            }
        }
        lines
    }

    /// The parts between which a line may break: each ends with a space, and may have several inks.
    fn words(&self) -> Vec<Line> {
        let mut words = vec![Line::new()];
        for span in &self.0 {
            for piece in span.text.split_inclusive(' ') {
                if let Some(word) = words.last_mut() {
                    word.append(span.ink, piece);
                }
                if piece.ends_with(' ') {
                    words.push(Line::new());
                }
            }
        }
        words
    }

    fn append(&mut self, ink: Ink, text: &str) {
        match self.0.last_mut() {
            Some(last) if last.ink == ink => last.text.push_str(text),
            _ => self.0.push(Span { ink, text: text.to_owned() }),
        }
    }
}

/// An explanation in words, for a terminal or a web page. Serialised, it is blocks of text with ink, for a renderer in another
/// language. The shape of that may change with any version.
#[derive(Clone, Debug, Serialize)]
pub struct Document(pub(crate) Vec<Block>);

impl Document {
    /// Renders the document for a terminal of `width` columns, with colours as ANSI escape sequences.
    ///
    /// ```
    /// use placemat::Form;
    /// use placemat_text::explain::{Detail, Input, tell};
    ///
    /// let input = Input::new("€".into(), Form::Utf8);
    /// let screen = tell(&input.view(), Detail::default()).screen(80);
    /// assert!(screen.contains("U+20AC"));
    /// ```
    pub fn screen(&self, width: usize) -> String {
        screen::render(&self.0, width)
    }

    /// Renders the document as a single web page: no script, no network, light and dark.
    ///
    /// ```
    /// use placemat::Form;
    /// use placemat_text::explain::{Detail, Input, tell};
    ///
    /// let input = Input::new(b"\xC0\xAF".to_vec(), Form::Utf8);
    /// let page = tell(&input.view(), Detail::default()).page();
    /// assert!(page.starts_with("<!DOCTYPE html>") && page.contains("overlong"));
    /// ```
    pub fn page(&self) -> String {
        page::render(&self.0)
    }
}

/// A part of an explanation.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "is", content = "of", rename_all = "lowercase")]
pub(crate) enum Block {
    Title(Line),
    /// The title of a part of the document.
    Section(&'static str),
    /// The title of a part of an item.
    Heading(&'static str),
    /// One character or one fault. The blocks after it belong to it.
    Item(Line),
    Text(Line),
    /// Labels with their texts, aligned.
    Facts(Vec<(String, Line)>),
    Numbered(Vec<Line>),
    Columns(Columns),
    Grid(Box<Grid>),
}

/// A table. The last column takes the width that is left.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Columns {
    /// For each column: name, least width, and whether it is aligned to the right.
    pub(crate) heads: &'static [(&'static str, usize, bool)],
    /// Whether the names are shown.
    pub(crate) headed: bool,
    pub(crate) rows: Vec<Vec<Line>>,
}

/// A table of all 256 bytes.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Grid {
    pub(crate) cells: Vec<Cell>,
    /// The length of the sequences that start in a row, shown at the head of the row.
    pub(crate) lengths: [String; 16],
}

/// One byte in a [`Grid`].
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Cell {
    pub(crate) ink: Ink,
    /// The two lines of the cell, at most six columns each.
    pub(crate) upper: String,
    pub(crate) lower: String,
    /// At most three columns, for narrow screens.
    pub(crate) brief: String,
    /// The whole description, in a sentence.
    pub(crate) title: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_at_spaces_and_keep_their_ink() {
        let line = Line::plain("one two ").with(Ink::Bad, "three four");
        let lines = line.wrapped(9);
        let texts: Vec<String> = lines.iter().map(Line::text).collect();
        assert_eq!(texts, ["one two ", "three ", "four"]);
        assert_eq!(lines[1].0[0].ink, Ink::Bad);
        let glued = Line::plain("one two").with(Ink::Bad, ": three");
        assert_eq!(glued.wrapped(7).iter().map(Line::text).collect::<Vec<_>>(), ["one ", "two: ", "three"]);
        assert_eq!(Line::plain("abcdefg").wrapped(3).len(), 3);
    }

    #[test]
    fn a_cut_line_says_so_and_counts_columns() {
        assert_eq!(Line::plain("abc").cut(3).text(), "abc");
        assert_eq!(Line::plain("abcd").cut(3).text(), "ab…");
        assert_eq!(Line::plain("漢字だ").cut(4).text(), "漢…");
    }

    #[test]
    fn no_line_holds_a_hostile_character() {
        assert_eq!(Line::plain("a\u{1B}[0m\u{202E}").0[0].text, "a\\u{1b}[0m\\u{202e}");
    }
}
