//! Finds the parts of a line that are in another encoding: the line, fields of it, or words.
#![forbid(unsafe_code)]

use core::ops::Range;

use super::Mixed;
use super::fields::fields;
use super::weight::is_cut_off;

impl Mixed {
    /// If lines have a column in another encoding, learns from the other columns which characters the text has.
    pub(super) fn learn_from_fields(&mut self) {
        let (mut good, mut all, by_bars) = (String::new(), 0, self.bars.part_columns());
        for field in self.bad.iter().flat_map(|line| fields(line, by_bars).map(|field| &line[field])) {
            all += u64::from(!field.is_ascii());
            if let Some(text) = str::from_utf8(field).ok().filter(|text| !text.is_ascii()) {
                good.extend([text, "\n"]);
                self.vouching_fields += 1;
            }
        }
        let beyond_ascii = || good.chars().filter(|c| !c.is_ascii());
        let len = beyond_ascii().count() as u64;
        // UTF-8 by accident is rare, and has a character or two.
        let is_likely = self.vouching_fields >= 3 && len >= 9 && self.vouching_fields * 4 >= all;
        if is_likely || self.vouching == 0 && len >= 4 * (all - self.vouching_fields) {
            beyond_ascii().for_each(|c| self.learn(c));
            self.good.push_str(&good);
        }
        self.vouching_fields = if is_likely { self.vouching_fields } else { 0 };
    }

    /// Whether enough fields of the malformed lines are well-formed and not ASCII that it is no accident. Then one or more other
    /// columns are in another encoding.
    ///
    /// ```
    /// let mut mixed = placemat_detect::Mixed::new();
    /// for name in [&b"Bo\xBFena"[..], b"J\xF3zef", b"Micha\xB3", b"\xA3ukasz", b"El\xBFbieta"] {
    ///     mixed.push(&[name, ";Świętokrzyskie\n".as_bytes()].concat());
    /// }
    /// assert!(mixed.finish().has_columns_of_utf8());
    /// ```
    #[must_use]
    pub fn has_columns_of_utf8(&self) -> bool {
        self.vouching_fields > 0
    }

    /// Whether a field or a word is in another encoding.
    fn is_foreign(&self, bytes: &[u8]) -> bool {
        let weight = self.weight(bytes);
        // If no letter is known, all of them count as known, even those that are well-formed by accident.
        let is_malformed = !self.has_letters && weight.is_mostly_malformed();
        (weight.is_foreign() || is_malformed) && !is_cut_off(bytes)
    }

    /// Whether a word is UTF-8 in the script of the well-formed lines. No word of another encoding is so by accident.
    fn has_word_at_home(&self, bytes: &[u8]) -> bool {
        let mut words = bytes.split(u8::is_ascii_whitespace);
        !self.alphabet.is_empty() && words.any(|word| self.weight_by(word, |c| self.has(c)).is_at_home())
    }

    /// The parts of a line that are in another encoding, as ranges of bytes: all of the line, or fields and words of it. Empty for a line
    /// that is well-formed, or in which UTF-8 is merely damaged.
    ///
    /// ```
    /// let mixed = placemat_detect::Mixed::new().finish();
    /// assert_eq!(mixed.runs(b"caf\xE9"), [0..4]);
    /// assert!(mixed.runs("café".as_bytes()).is_empty());
    /// ```
    #[must_use]
    pub fn runs(&self, line: &[u8]) -> Vec<Range<usize>> {
        let end = line.iter().rposition(|byte| !matches!(byte, b'\r' | b'\n')).map_or(0, |at| at + 1);
        let line = &line[..end];
        let mut runs = Vec::new();
        let fields = || fields(line, self.bars.part_columns());
        let is_mixed = fields().any(|field| self.has_word_at_home(&line[field]));
        if !is_mixed && self.weight(line).is_foreign() && !self.is_cut(line) {
            runs.push(0..end);
            return runs;
        }
        for field in fields() {
            let bytes = &line[field.clone()];
            if is_mixed && self.is_foreign(bytes) && !self.has_word_at_home(bytes) {
                runs.push(field);
                continue;
            }
            let mut start = field.start;
            for word in bytes.split(u8::is_ascii_whitespace) {
                if self.is_foreign(word) {
                    runs.push(start..start + word.len());
                }
                start += word.len() + 1;
            }
        }
        runs
    }
}
