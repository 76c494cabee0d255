//! Finds the columns that hold bytes in a dump of MySQL.
//!
//! MariaDB's `mysqldump` writes bytes like text, without `_binary`, unless `--hex-blob` is given. Only CREATE TABLE, which comes
//! before the rows, says which columns are bytes.

use std::collections::HashMap;

/// The types of columns that hold bytes. Geometry and bits are written as bytes, too.
const BYTES: [&str; 17] = [
    "binary",
    "varbinary",
    "tinyblob",
    "blob",
    "mediumblob",
    "longblob",
    "bit",
    "geometry",
    "point",
    "linestring",
    "polygon",
    "multipoint",
    "multilinestring",
    "multipolygon",
    "geometrycollection",
    "geomcollection",
    "vector",
];

/// The position in a statement.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Stage {
    #[default]
    Start,
    Create,
    /// CREATE TABLE: the name of the table, then its columns.
    Table,
    Insert,
    /// INSERT INTO: the name of the table, then possibly columns.
    Into,
    Values,
    /// Any other statement.
    Other,
}

/// The next part of the definition of a column.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Item {
    Name,
    Type,
    #[default]
    Rest,
}

struct Column {
    name: Vec<u8>,
    is_bytes: bool,
}

/// The tables defined so far, and the current statement.
#[derive(Default)]
pub(super) struct Tables {
    known: HashMap<Vec<u8>, Vec<Column>>,
    stage: Stage,
    item: Item,
    table: Vec<u8>,
    columns: Vec<Column>,
    /// For each value of a row, whether it is bytes.
    values: Vec<bool>,
    value: usize,
}

impl Tables {
    /// Whether a quoted text at this point is a name that must be remembered.
    pub(super) fn wants_name(&self, depth: u64) -> bool {
        match self.stage {
            Stage::Table => depth == 0 || depth == 1 && self.item == Item::Name,
            Stage::Into => depth < 2,
            _ => false,
        }
    }

    /// Whether a string at this point is bytes.
    pub(super) fn is_bytes(&self, depth: u64) -> bool {
        self.stage == Stage::Values && depth == 1 && self.values.get(self.value) == Some(&true)
    }

    /// Whether the values at this point belong to a table that was not defined.
    pub(super) fn is_unknown(&self) -> bool {
        self.stage == Stage::Values && self.values.is_empty()
    }

    pub(super) fn word(&mut self, word: &[u8], depth: u64) {
        let is = |name: &str| word.eq_ignore_ascii_case(name.as_bytes());
        self.stage = match self.stage {
            Stage::Start if is("create") => Stage::Create,
            Stage::Start if is("insert") || is("replace") => Stage::Insert,
            Stage::Start => Stage::Other,
            Stage::Create if is("table") => Stage::Table,
            Stage::Create if !is("temporary") => Stage::Other,
            Stage::Insert if is("into") => Stage::Into,
            Stage::Into if depth == 0 && (is("values") || is("value")) => {
                self.find_values();
                Stage::Values
            }
            Stage::Table if depth == 0 && (is("if") || is("not") || is("exists")) => Stage::Table,
            same => {
                self.name(word, depth);
                same
            }
        };
    }

    /// Records a name, quoted or not, or the type after it.
    pub(super) fn name(&mut self, name: &[u8], depth: u64) {
        match (self.stage, depth) {
            // Options follow the columns.
            (Stage::Table | Stage::Into, 0) if self.columns.is_empty() => self.table = name.to_vec(),
            (Stage::Table, 1) if self.item == Item::Name => {
                self.columns.push(Column { name: name.to_vec(), is_bytes: false });
                self.item = Item::Type;
            }
            (Stage::Table, 1) if self.item == Item::Type => {
                if let Some(column) = self.columns.last_mut() {
                    column.is_bytes = BYTES.iter().any(|bytes| name.eq_ignore_ascii_case(bytes.as_bytes()));
                }
                self.item = Item::Rest;
            }
            (Stage::Into, 1) => self.columns.push(Column { name: name.to_vec(), is_bytes: false }),
            _ => {}
        }
    }

    /// Records another character. `depth` is the number of open parentheses after it.
    pub(super) fn sign(&mut self, byte: u8, depth: u64) {
        if depth == 1 && matches!(byte, b'(' | b',') {
            self.item = Item::Name;
            self.value = if byte == b'(' { 0 } else { self.value + 1 };
        }
    }

    /// Ends a statement.
    pub(super) fn end(&mut self) {
        let (table, columns) = (std::mem::take(&mut self.table), std::mem::take(&mut self.columns));
        if self.stage == Stage::Table {
            // Another database in the dump may have had a table of that name.
            self.known.insert(table, columns);
        }
        self.values.clear();
        (self.stage, self.item) = (Stage::Start, Item::Rest);
    }

    fn find_values(&mut self) {
        let Some(known) = self.known.get(&self.table) else { return };
        self.values = if self.columns.is_empty() {
            known.iter().map(|column| column.is_bytes).collect()
        } else {
            let is_bytes = |name| known.iter().any(|column| column.is_bytes && column.name == name);
            self.columns.iter().map(|column| is_bytes(&*column.name)).collect()
        };
    }
}
