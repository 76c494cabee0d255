//! Declarations in comments of the first two lines: PEP 263, Emacs, Vim, Ruby, editors of TeX.
#![forbid(unsafe_code)]

use core::ops::Range;

use super::{begins, find, label, lines};
use crate::look::places;

/// The label of a coding comment. In a Python script, any comment with `coding:` or `coding=` is one; elsewhere the comment must look
/// like nothing but a declaration.
pub(super) fn coding(text: &[u8]) -> Option<Range<usize>> {
    let mut is_python = false;
    let mut at = 0;
    for line in lines(text).take(2) {
        is_python |= line.starts_with(b"#!") && find(line, b"python").is_some();
        if let Some(found) = in_line(line, is_python) {
            return Some(at + found.start..at + found.end);
        }
        let shown = line.trim_ascii();
        if !matches!(shown.first(), None | Some(b'#' | b'%')) {
            return None;
        }
        at += line.len();
    }
    None
}

fn in_line(line: &[u8], is_python: bool) -> Option<Range<usize>> {
    if let Some(open) = find_mark(line) {
        let close = open + 3 + find_mark(&line[open + 3..])?;
        return without_line_ending(line, after_coding(&line[..close], open + 3)?);
    }
    let comment = line.iter().position(|byte| !matches!(byte, b' ' | b'\t' | 0x0C))?;
    // `%` begins a comment of TeX and BibTeX.
    if !matches!(line[comment], b'#' | b'%') {
        return None;
    }
    let found = after_coding(line, comment + 1)?;
    let is_alone = || {
        let before = line[comment + 1..found.start].trim_ascii_start();
        let before = if begins(before, b"!tex ") { before[5..].trim_ascii_start() } else { before };
        let names: [&[u8]; 3] = [b"coding", b"encoding", b"fileencoding"];
        let word = before.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        names.iter().any(|name| before[..word].eq_ignore_ascii_case(name))
            && line[found.end..].trim_ascii().is_empty()
    };
    let is_vim = || find(line, b"vim:").is_some_and(|vim| vim < found.start);
    (is_python || is_alone() || is_vim()).then_some(found)
}

/// The index of the first `-*-`.
fn find_mark(line: &[u8]) -> Option<usize> {
    places(line, b'*').filter_map(|at| at.checked_sub(1)).find(|&at| line[at..].starts_with(b"-*-"))
}

/// The label after the first `coding:` or `coding=`.
fn after_coding(line: &[u8], from: usize) -> Option<Range<usize>> {
    let mut at = from;
    loop {
        at += find(&line[at..], b"coding")? + b"coding".len();
        // TeX editors write a space before the colon. Python does not accept `coding :`.
        if line.starts_with(b"%") {
            at += line[at..].iter().take_while(|byte| **byte == b' ').count();
        }
        if matches!(line.get(at), Some(b':' | b'=')) {
            let space = line[at + 1..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
            return label(line, at + 1 + space);
        }
    }
}

/// Removes the line ending that Emacs writes after the name: `koi8-r-unix`.
fn without_line_ending(line: &[u8], found: Range<usize>) -> Option<Range<usize>> {
    let name = &line[found.clone()];
    let ending = [&b"-unix"[..], b"-dos", b"-mac"].into_iter().find(|ending| name.ends_with(ending));
    Some(found.start..found.end - ending.map_or(0, <[u8]>::len))
}
