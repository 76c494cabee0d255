//! Finds the lines that a unified diff adds, with their position in the new file.
//!
//! Reads the formats of `diff -u` and of git: renames, combined diffs (`diff --cc`) and binary parts. Text before and between the
//! diffs, such as that of a mail, is skipped.

mod header;

use std::io::{self, BufRead};
use std::path::PathBuf;

use crate::Error;
use crate::io::without_end;

use self::header::{Hunk, path};

/// Consecutive lines of a new file that a diff adds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Added {
    /// The path of the new file, without the `b/` of git.
    pub path: PathBuf,
    /// The number of the first line in the new file, from 1.
    pub line: u64,
    /// The lines, with their line ends.
    pub text: Vec<u8>,
    /// The offset of the first line in the diff, after its sign, in bytes.
    pub offset: u64,
    /// The number of signs before each line: one, or the number of old files.
    pub signs: u64,
}

impl Added {
    /// Returns the offset in the diff of the byte at `offset` of the text. `lines` is the number of line ends before that byte.
    ///
    /// ```
    /// use placemat_text::patch::Added;
    /// let added = Added { path: "a".into(), line: 1, text: b"one\ntwo\n".to_vec(), offset: 30, signs: 1 };
    /// assert_eq!(added.in_diff(4, 1), 35);
    /// ```
    #[must_use]
    pub fn in_diff(&self, offset: u64, lines: u64) -> u64 {
        self.offset + offset + lines * self.signs
    }
}

/// A run of added lines is handed over at the first line end after this many bytes.
const ENOUGH: usize = 1 << 20;

/// Gives each run of added lines to `take`, in order. Returns the number of files in the diff. The time is linear; the memory is
/// a line and one mebibyte.
///
/// # Errors
/// The input is no diff, or a hunk is not as long as it says; the error names the line. Also those of reading and of `take`.
///
/// ```
/// use placemat_text::patch::added;
///
/// let diff = "--- a/x.txt\n+++ b/x.txt\n@@ -7 +7,2 @@\n same\n+new\n";
/// let mut lines = Vec::new();
/// let files = added(&mut diff.as_bytes(), &mut |added| {
///     lines.push((added.path.to_owned(), added.line, added.text.clone()));
///     Ok::<_, placemat_text::Error>(())
/// });
/// assert_eq!(files.unwrap(), 1);
/// assert_eq!(lines, [("x.txt".into(), 8, b"new\n".to_vec())]);
/// assert!(added(&mut "no diff\n".as_bytes(), &mut |_| Ok::<_, placemat_text::Error>(())).is_err());
/// ```
pub fn added<E: From<Error> + From<io::Error>>(
    input: &mut dyn BufRead,
    take: &mut dyn FnMut(&Added) -> Result<(), E>,
) -> Result<u64, E> {
    let mut reader = Reader { input, line: Vec::new(), number: 0, offset: 0 };
    let (mut files, mut is_diff, mut old, mut new) = (0, false, None, None);
    while reader.next()? {
        let line = without_end(&reader.line);
        if is_git(line) || line == b"GIT binary patch" || line.starts_with(b"Binary files ") {
            files += u64::from(is_git(line));
            (is_diff, old, new) = (true, None, None);
        } else if let Some(name) = line.strip_prefix(b"--- ") {
            files += u64::from(!is_diff || new.is_some());
            (old, new) = (Some(path(name)), None);
        } else if let Some(name) = line.strip_prefix(b"+++ ").filter(|_| old.is_some()) {
            (is_diff, new) = (true, Some(header::new_name(&old.take().unwrap_or_default(), &path(name))));
        } else if let Some(hunk) = Hunk::parse(line) {
            match &new {
                Some(path) => reader.hunk(hunk, path, take)?,
                None if is_diff => return Err(reader.wrong("a hunk without the name of its file").into()),
                None => {}
            }
        }
    }
    if !is_diff && reader.number > 0 {
        return Err(
            Error::refused("this is not a unified diff: no line begins with `diff --git` or `+++`").into()
        );
    }
    Ok(files)
}

fn is_git(line: &[u8]) -> bool {
    [&b"diff --git "[..], b"diff --cc ", b"diff --combined "].iter().any(|start| line.starts_with(start))
}

struct Reader<'a> {
    input: &'a mut dyn BufRead,
    line: Vec<u8>,
    /// The number of the line, from 1.
    number: u64,
    /// The offset of the line.
    offset: u64,
}

impl Reader<'_> {
    /// Reads the next line, if there is one.
    fn next(&mut self) -> io::Result<bool> {
        self.offset += self.line.len() as u64;
        self.line.clear();
        self.number += 1;
        let read = self.input.read_until(b'\n', &mut self.line)?;
        self.number -= u64::from(read == 0);
        Ok(read > 0)
    }

    fn wrong(&self, what: &str) -> Error {
        Error::refused(format!("line {} of the diff: {what}", self.number))
    }

    /// Reads the lines of a hunk.
    fn hunk<E: From<Error> + From<io::Error>>(
        &mut self,
        mut hunk: Hunk,
        path: &std::path::Path,
        take: &mut dyn FnMut(&Added) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut added = Added { path: path.to_owned(), line: 0, text: Vec::new(), offset: 0, signs: 0 };
        while !hunk.is_over() {
            if !self.next()? {
                return Err(self.wrong("it ends inside a hunk").into());
            }
            let Some((is_added, signs)) = hunk.pass(without_end(&self.line)) else {
                return Err(self.wrong("a hunk is shorter than its header says").into());
            };
            if is_added {
                if added.text.is_empty() {
                    added.line = hunk.line - 1;
                    (added.offset, added.signs) = (self.offset + signs as u64, signs as u64);
                }
                added.text.extend_from_slice(&self.line[signs..]);
            }
            if !added.text.is_empty() && (!is_added || added.text.len() >= ENOUGH) {
                take(&added)?;
                added.text.clear();
            }
        }
        if added.text.is_empty() { Ok(()) } else { take(&added) }
    }
}
