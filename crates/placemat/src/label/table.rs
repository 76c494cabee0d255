//! The tables of labels: text files with a line `name: label label …` for each encoding.

#![forbid(unsafe_code)]

use super::Label;
use super::index::{Hash, Index, Slot, slots_of};

/// The labels of one authority.
#[derive(Clone, Copy)]
pub(super) struct Table {
    text: &'static str,
    index: Index,
}

/// A table, with slots for at least a third more labels than it has.
macro_rules! table {
    ($file:literal, $slots:literal) => {
        Table::new(include_str!($file), &const { slots_of::<$slots>(include_str!($file)) })
    };
}

pub(super) static IANA: Table = table!("iana.txt", 512);
pub(super) static WHATWG: Table = table!("whatwg.txt", 512);
pub(super) static UNOFFICIAL: Table = table!("unofficial.txt", 256);
pub(super) static ORACLE: Table = table!("oracle.txt", 128);
pub(super) static MYSQL: Table = table!("mysql.txt", 64);

impl Table {
    const fn new(text: &'static str, slots: &'static [Slot]) -> Table {
        Table { text, index: Index::new(text, slots) }
    }

    #[cfg(test)]
    pub(super) const fn index(&self) -> Index {
        self.index
    }

    /// Each line: a canonical name, and its labels.
    fn lines(self) -> impl Iterator<Item = (&'static str, core::str::SplitAsciiWhitespace<'static>)> {
        self.text
            .lines()
            .filter(|line| !line.starts_with('#'))
            .filter_map(|line| line.split_once(": "))
            .map(|(name, labels)| (name, labels.split_ascii_whitespace()))
    }

    /// The labels of the encoding with this canonical name.
    pub(super) fn labels_of(self, name: &str) -> impl Iterator<Item = &'static str> {
        self.lines().filter(move |(head, _)| *head == name).flat_map(|(_, labels)| labels)
    }

    /// What the first label with this hash that `is_label` accepts means.
    pub(super) fn find(self, hash: Hash, is_label: impl Fn(&str) -> bool) -> Option<Label> {
        self.index.find(hash, is_label)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static ALL: [&Table; 5] = [&IANA, &WHATWG, &UNOFFICIAL, &ORACLE, &MYSQL];

    #[test]
    fn every_line_is_well_formed() {
        for table in ALL {
            for line in table.text.lines().filter(|line| !line.starts_with('#')) {
                let (name, labels) = line.split_once(": ").expect(line);
                assert!(
                    name.bytes().all(|byte| byte.is_ascii_graphic() && !byte.is_ascii_uppercase()),
                    "{line}"
                );
                assert!(labels.split_ascii_whitespace().count() > 0 && labels.trim() == labels, "{line}");
            }
        }
    }

    #[test]
    fn no_table_has_a_label_twice() {
        for table in ALL {
            let labels = || table.lines().flat_map(|(_, labels)| labels);
            for (index, label) in labels().enumerate() {
                let earlier = labels().take(index).find(|other| other.eq_ignore_ascii_case(label));
                assert_eq!(earlier, None, "{label}");
            }
        }
    }

    /// A mistyped name would resolve to nothing, without an error.
    #[test]
    fn every_name_is_a_form_or_a_legacy_encoding() {
        for table in ALL {
            for (name, _) in table.lines() {
                assert!(Label::named(name).is_some(), "{name}");
            }
        }
    }

    #[test]
    fn the_web_has_228_labels() {
        assert_eq!(WHATWG.lines().flat_map(|(_, labels)| labels).count(), 228);
    }
}
