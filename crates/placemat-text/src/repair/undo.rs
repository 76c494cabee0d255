//! Reads a report, and restores the original content of its files.
//!
//! A report may come from anywhere. All of it is read, and every statement in it is checked.

use std::collections::HashMap;
use std::collections::hash_map::Entry as Place;
use std::hash::{BuildHasher as _, RandomState};
use std::io::{self, BufRead as _, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Component, PathBuf};

use super::record::{Hashing, Line, State, VERSION};
use crate::error::{ensure, refuse};
use crate::{Error, escape};

use crate::notation::{path_of, read_line, unhex};

type Result<T> = std::result::Result<T, Error>;

/// The most bytes of a line of a report.
const LONGEST_LINE: u64 = 4 << 20;

/// A file in the report.
pub struct Entry {
    /// The path relative to the folder of the report, without `.` and `..`.
    pub path: PathBuf,
    /// The original file.
    pub before: State,
    /// The file after the changes.
    pub after: State,
    /// The number of its changes in the report.
    pub changes: u64,
    /// The offset of its changes in the report.
    position: u64,
}

impl Entry {
    /// Writes the original. Returns `false` if the changes of the report do not lead to it.
    ///
    /// # Errors
    /// Those of reading and writing; or the report was changed meanwhile.
    ///
    /// ```
    /// use std::io::Cursor;
    /// use placemat_text::repair::undo::{Lines, entries};
    ///
    /// let report = r#"{"type":"report","version":1}
    /// {"type":"file","path":"a.txt","before":{"bytes":4,"sha256":"dafd66c0b98965e688be1fc12942c09f0350e6be0685017c3f234e97d0adc92e"},"after":{"bytes":5,"sha256":"850f7dc43910ff890f8879c0ed26fe697c93a067ad93a7d50f466a7028a9bf4e"},"changes":1}
    /// {"type":"change","offset":3,"bytes":"E9","text":"é","rule":"windows-1252"}
    /// {"type":"summary","files":1,"changes":1}
    /// "#;
    /// let mut lines = Lines::new(Cursor::new(report.as_bytes()));
    /// let entry = &entries(&mut lines).unwrap()[0];
    /// let mut original = Vec::new();
    /// assert!(entry.put_back(&mut lines, "café".as_bytes(), &mut original).unwrap());
    /// assert_eq!(original, b"caf\xE9");
    /// ```
    pub fn put_back(
        &self,
        lines: &mut Lines<impl Read + Seek>,
        source: impl Read,
        target: impl Write,
    ) -> Result<bool> {
        let mut source = Hashed { inner: BufReader::new(source), hash: Hashing::default() };
        let mut target = Hashed { inner: target, hash: Hashing::default() };
        lines.seek(self.position)?;
        let fits = put_back(self.changes, lines, &mut source, &mut target)?;
        Ok(fits && source.hash.finish() == self.after && target.hash.finish() == self.before)
    }
}

/// Writes the original. Returns `false` if the file does not have a change where the report says.
fn put_back(
    changes: u64,
    lines: &mut Lines<impl Read + Seek>,
    source: &mut impl Read,
    target: &mut impl Write,
) -> Result<bool> {
    let mut at = 0;
    for _ in 0..changes {
        let (offset, bytes, text) = lines.change()?;
        let Some(same) = offset.checked_sub(at) else { return Ok(false) };
        if io::copy(&mut source.take(same), target)? < same {
            return Ok(false);
        }
        let mut here = vec![0; text.len()];
        match source.read_exact(&mut here) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(false),
            read => read?,
        }
        if here != text {
            return Ok(false);
        }
        target.write_all(&bytes)?;
        at = offset + bytes.len() as u64;
    }
    io::copy(source, target)?;
    Ok(true)
}

/// Reads the whole report, and returns its files.
///
/// # Errors
/// What is wrong with the report, in line [`Lines::number`].
///
/// ```
/// use std::io::Cursor;
/// use placemat_text::repair::undo::{Lines, entries};
///
/// let report = r#"{"type":"report","version":1}
/// {"type":"file","path":"a.txt","before":{"bytes":4,"sha256":"dafd66c0b98965e688be1fc12942c09f0350e6be0685017c3f234e97d0adc92e"},"after":{"bytes":5,"sha256":"850f7dc43910ff890f8879c0ed26fe697c93a067ad93a7d50f466a7028a9bf4e"},"changes":1}
/// {"type":"change","offset":3,"bytes":"E9","text":"é","rule":"windows-1252"}
/// {"type":"summary","files":1,"changes":1}
/// "#;
/// let mut lines = Lines::new(Cursor::new(report.as_bytes()));
/// assert_eq!(entries(&mut lines).unwrap()[0].path, std::path::Path::new("a.txt"));
/// ```
pub fn entries(lines: &mut Lines<impl Read + Seek>) -> Result<Vec<Entry>> {
    match lines.line()? {
        Some(Line::Report { version: VERSION }) => {}
        Some(Line::Report { version }) => refuse!("unknown report version {version}"),
        _ => refuse!("{NO_REPORT}"),
    }
    let mut entries = Vec::new();
    // Their hashes, as for keys of JSON: a set of paths would be a kilobyte more in browsers.
    let (hasher, mut paths) = (RandomState::new(), HashMap::<u64, u64>::new());
    loop {
        match lines.line()? {
            Some(Line::File { path, path_bytes, before, after, changes }) => {
                let path = checked(&path, path_bytes.as_deref())?;
                let hash = hasher.hash_one(path.as_os_str().as_encoded_bytes());
                let Place::Vacant(place) = paths.entry(hash) else {
                    refuse!("{} is listed twice", escape::path(&path));
                };
                place.insert(0);
                let position = lines.position;
                let mut end = 0;
                for _ in 0..changes {
                    let (offset, bytes, _) = lines.change()?;
                    ensure!(offset >= end, "the changes are not in order");
                    end = offset.saturating_add(bytes.len() as u64);
                    ensure!(end <= before.bytes, "a change is beyond the end of the file");
                }
                entries.push(Entry { path, before, after, changes, position });
            }
            Some(Line::Summary { files, .. }) => {
                ensure!(files == entries.len() as u64, "files are missing from the report");
                ensure!(lines.line()?.is_none(), "something follows the end of the report");
                return Ok(entries);
            }
            // The run was killed after it had replaced the last file of the report.
            None => return Ok(entries),
            Some(_) => refuse!("a file or the end of the report is expected"),
        }
    }
}

/// Checks that the path leads down from the folder of the report, with plain names only.
fn checked(text: &str, bytes: Option<&str>) -> Result<PathBuf> {
    let path = match bytes {
        None => PathBuf::from(text),
        Some(bytes) => path_of(unhex(bytes)?)?,
    };
    let is_plain = !path.as_os_str().as_encoded_bytes().contains(&0);
    let is_below = path.components().all(|part| matches!(part, Component::Normal(_)));
    // A correct report never has `a/./b`, `a//b` or `a/`.
    let is_canonical = path.components().collect::<PathBuf>().as_os_str() == path.as_os_str();
    ensure!(
        is_plain && is_below && is_canonical && path.file_name().is_some(),
        "{} does not lead to a file below the folder of the report",
        escape::path(&path)
    );
    Ok(path)
}

const NO_REPORT: &str = "is not a report of `placemat repair` or `placemat convert`";

/// Reads the lines of a report.
pub struct Lines<R> {
    reader: BufReader<R>,
    /// The number of the last line that was read, from 1.
    pub number: u64,
    /// The offset of the next line.
    position: u64,
}

impl<R: Read + Seek> Lines<R> {
    /// Reads the lines of `reader`.
    ///
    /// ```
    /// use std::io::Cursor;
    /// use placemat_text::repair::undo::{Lines, entries};
    ///
    /// let mut lines = Lines::new(Cursor::new("no report\n"));
    /// assert!(entries(&mut lines).is_err());
    /// assert_eq!(lines.number, 1);
    /// ```
    pub fn new(reader: R) -> Lines<R> {
        Lines { reader: BufReader::new(reader), number: 0, position: 0 }
    }

    fn seek(&mut self, position: u64) -> io::Result<()> {
        self.position = position;
        self.reader.seek(SeekFrom::Start(position)).map(drop)
    }

    /// Returns the next line, if there is one.
    fn line(&mut self) -> Result<Option<Line>> {
        let mut line = Vec::new();
        let read = (&mut self.reader).take(LONGEST_LINE).read_until(b'\n', &mut line)?;
        if read == 0 {
            return Ok(None);
        }
        self.number += 1;
        self.position += read as u64;
        ensure!(self.number > 1 || line.starts_with(b"{"), "{NO_REPORT}");
        ensure!(
            line.ends_with(b"\n"),
            "the report is cut off in this line; without the unfinished entry it can be undone"
        );
        match read_line(&line) {
            Err(_) if self.number == 1 => refuse!("{NO_REPORT}"),
            line => line.map(Some),
        }
    }

    /// Reads the next line, which must be a change: its offset, the original bytes, and the bytes that replaced them.
    fn change(&mut self) -> Result<(u64, Vec<u8>, Vec<u8>)> {
        match self.line()? {
            Some(Line::Change { offset, bytes, text, text_bytes, .. }) => {
                let text = text_bytes.map_or_else(|| Ok(text.into_bytes()), |bytes| unhex(&bytes))?;
                Ok((offset, unhex(&bytes)?, text))
            }
            Some(_) => refuse!("a change is expected"),
            None => refuse!("the report is cut off: a change is missing"),
        }
    }
}

/// Hashes what is read or written.
struct Hashed<T> {
    inner: T,
    hash: Hashing,
}

impl<T: Read> Read for Hashed<T> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(bytes)?;
        self.hash.add(&bytes[..read]);
        Ok(read)
    }
}

impl<T: Write> Write for Hashed<T> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.hash.add(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}
