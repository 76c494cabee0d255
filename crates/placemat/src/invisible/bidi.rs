//! The bidirectional controls of a line: which are open, what closes them, and whether a delimiter stands inside (UAX #9, Trojan
//! Source).

/// The greatest depth of UAX #9 (`max_depth`). A control that is deeper counts as not closed.
const MOST: usize = 125;

/// What an opening control opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Opened {
    /// An embedding or override, which U+202C closes.
    Embedding,
    /// An isolate, which U+2069 closes with all embeddings inside.
    Isolate,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    offset: usize,
    opened: Opened,
    /// Whether a delimiter stands inside.
    is_finding: bool,
}

/// The effect of a control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// There is no finding, or not yet.
    Fine,
    /// The control itself is a finding: it closes nothing, or opens too deep.
    Itself,
    /// The control closes this many open controls, the innermost first. [`Open::take`] must be called for each.
    Closes(usize),
}

/// The controls that are open at a place in a line.
#[derive(Clone, Debug)]
pub(super) struct Open {
    entries: [Entry; MOST],
    count: usize,
}

impl Open {
    pub(super) const NONE: Open =
        Open { entries: [Entry { offset: 0, opened: Opened::Isolate, is_finding: false }; MOST], count: 0 };

    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// Notes a delimiter of strings or comments.
    pub(super) fn delimiter(&mut self) {
        // The controls around it are marked when this one is closed.
        if let Some(innermost) = self.count.checked_sub(1) {
            self.entries[innermost].is_finding = true;
        }
    }

    /// Handles a bidirectional control.
    pub(super) fn control(&mut self, offset: usize, c: char) -> Meaning {
        match c {
            '\u{202A}' | '\u{202B}' | '\u{202D}' | '\u{202E}' => self.open(offset, Opened::Embedding),
            '\u{2066}'..='\u{2068}' => self.open(offset, Opened::Isolate),
            '\u{202C}' => match self.count.checked_sub(1) {
                Some(last) if self.entries[last].opened == Opened::Embedding => Meaning::Closes(1),
                _ => Meaning::Itself,
            },
            '\u{2069}' => {
                let open = &self.entries[..self.count];
                match open.iter().rposition(|entry| entry.opened == Opened::Isolate) {
                    Some(index) => Meaning::Closes(self.count - index),
                    None => Meaning::Itself,
                }
            }
            _ => Meaning::Fine,
        }
    }

    fn open(&mut self, offset: usize, opened: Opened) -> Meaning {
        if self.count == MOST {
            return Meaning::Itself;
        }
        self.entries[self.count] = Entry { offset, opened, is_finding: false };
        self.count += 1;
        Meaning::Fine
    }

    /// Closes the innermost control. Returns its offset if a delimiter stands inside, or `always`.
    pub(super) fn take(&mut self, always: bool) -> Option<usize> {
        self.count -= 1;
        let taken = self.entries[self.count];
        if taken.is_finding {
            self.delimiter();
        }
        (taken.is_finding || always).then_some(taken.offset)
    }
}
