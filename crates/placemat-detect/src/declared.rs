//! Finds the encoding that a text names as its own.
#![forbid(unsafe_code)]

mod comment;
mod header;
mod markup;
mod setting;

use core::fmt;
use core::ops::Range;

use placemat::label::{Label, Labels};
use placemat::{Form, bom};

use crate::look::places;

/// Where a declaration stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Place {
    /// `<?xml version="1.0" encoding="koi8-r"?>` at the very start.
    Xml,
    /// `<meta charset=koi8-r>`, or the longer form, in the first 1024 bytes of HTML.
    Html,
    /// `@charset "koi8-r";` at the very start.
    Css,
    /// `# -*- coding: koi8-r -*-` or `# coding: koi8-r` in the first two lines (PEP 263, Emacs, Vim, Ruby, editors of TeX).
    Comment,
    /// `charset=koi8-r` in the header of a catalogue of messages (`.po`).
    Catalogue,
    /// `charset=koi8-r` in the header of a mail of one part that is not encoded otherwise.
    Mail,
    /// `SET NAMES koi8r` or `SET client_encoding = 'KOI8R'` of an SQL dump, `SET KOI8-R` of a dictionary of Hunspell.
    Set,
    /// `\usepackage[koi8-r]{inputenc}` of LaTeX.
    Latex,
    /// `scriptencoding koi8-r` of a script of Vim.
    Vim,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Xml => "XML declaration",
            Self::Html => "meta element",
            Self::Css => "@charset rule",
            Self::Comment => "coding comment",
            Self::Catalogue => "catalogue header",
            Self::Mail => "mail header",
            Self::Set => "SET statement",
            Self::Latex => "inputenc package",
            Self::Vim => "scriptencoding command",
        })
    }
}

/// An encoding that a text names as its own.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Declared {
    /// The name, as it is written.
    pub label: String,
    /// Where it stands in the text, in bytes.
    pub range: Range<usize>,
    /// Where it was found.
    pub place: Place,
}

/// Bytes at the start of a text in which a declaration may stand; each format has its own, narrower bound.
pub const REACH: usize = 8 << 10;

/// Returns the encoding that a text beginning with `head` names as its own, at a place where the rules of a format look for it. At most
/// the first [`REACH`] bytes are read. Names that are in no list of labels, such as placeholders of templates, are ignored.
///
/// ```
/// use placemat_detect::{Place, declared};
/// let said = declared(b"<?xml version='1.0' encoding='ISO-8859-2'?><a/>").unwrap();
/// assert_eq!((&*said.label, said.range, said.place), ("ISO-8859-2", 30..40, Place::Xml));
/// assert_eq!(declared(b"In XML, write <?xml encoding='ISO-8859-2'?>."), None);
/// ```
#[must_use]
pub fn declared(head: &[u8]) -> Option<Declared> {
    let head = &head[..head.len().min(REACH)];
    let start = bom::sniff(head).filter(|(form, _)| *form == Form::Utf8).map_or(0, |(_, len)| len);
    let text = &head[start..];
    let found = markup::xml(text)
        .map(|at| (at, Place::Xml))
        .or_else(|| markup::css(text).map(|at| (at, Place::Css)))
        .or_else(|| markup::html(text).map(|at| (at, Place::Html)))
        .or_else(|| header::catalogue(text).map(|at| (at, Place::Catalogue)))
        .or_else(|| header::mail(text).map(|at| (at, Place::Mail)))
        .or_else(|| comment::coding(text).map(|at| (at, Place::Comment)))
        .or_else(|| setting::set(text).map(|at| (at, Place::Set)))
        .or_else(|| setting::script(text).map(|at| (at, Place::Vim)))
        .or_else(|| setting::inputenc(text).map(|at| (at, Place::Latex)));
    let (at, place) = found?;
    let label = str::from_utf8(&text[at.clone()]).ok()?.to_owned();
    let declared = Declared { label, range: at.start + start..at.end + start, place };
    declared.resolved().is_some().then_some(declared)
}

impl Declared {
    /// The encoding, by the name that this crate gives it: `windows-1252` for `latin1`, as browsers read it.
    ///
    /// ```
    /// let said = placemat_detect::declared(b"# coding: latin1\n").unwrap();
    /// assert_eq!(said.encoding(), "windows-1252");
    /// let said = placemat_detect::declared(b"# coding: Latin-1\n").unwrap();
    /// assert_eq!(said.encoding(), "windows-1252");
    /// ```
    #[must_use]
    pub fn encoding(&self) -> &'static str {
        match self.resolved().map(Label::name) {
            Some("gbk") => "gb18030",
            Some(name) => name,
            None => "unknown",
        }
    }

    fn resolved(&self) -> Option<Label> {
        let lenient = Labels::Lenient.resolve(&self.label)?;
        // The WHATWG labels have the wider encodings that detection returns too, but lack some spellings, such as `latin-1`.
        let by_web = |label| Labels::Whatwg.resolve(label);
        Some(by_web(&self.label).or_else(|| by_web(lenient.name())).unwrap_or(lenient))
    }

    /// Whether text in UTF-8 with characters beyond ASCII contradicts what is declared. It does not contradict UTF-8 and its relatives,
    /// nor UTF-16 and UTF-32: no reader can follow a declaration of these that was itself read as ASCII.
    ///
    /// ```
    /// use placemat_detect::declared;
    /// assert!(declared(b"# coding: koi8-r\n").unwrap().contradicts_utf8());
    /// assert!(!declared(b"# coding: utf8\n").unwrap().contradicts_utf8());
    /// ```
    #[must_use]
    pub fn contradicts_utf8(&self) -> bool {
        let Some(label) = Labels::Lenient.resolve(&self.label) else { return false };
        match label {
            Label::Form(Form::UsAscii | Form::Iso8859_1 | Form::Windows1252) => true,
            Label::Form(_) => false,
            _ => true,
        }
    }
}

/// Whether a byte may be part of a label.
fn is_label(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b':' | b'+')
}

/// The label that begins at `at`.
fn label(text: &[u8], at: usize) -> Option<Range<usize>> {
    let len = text.get(at..)?.iter().take_while(|byte| is_label(**byte)).count();
    (len > 0).then_some(at..at + len)
}

/// The lines of a text, with their line ends.
fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut ends = places(text, b'\n').map(|at| at + 1);
    let mut start = 0;
    core::iter::from_fn(move || {
        let line = &text[start..ends.next().unwrap_or(text.len())];
        start += line.len();
        (!line.is_empty()).then_some(line)
    })
}

/// The index of the first `needle` (in lower case) in `text`, ignoring case.
fn find(text: &[u8], needle: &[u8]) -> Option<usize> {
    text.windows(needle.len()).position(|window| window.eq_ignore_ascii_case(needle))
}

/// Whether `text` begins with `start` (in lower case), ignoring case.
fn begins(text: &[u8], start: &[u8]) -> bool {
    text.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Option<(String, Place)> {
        let declared = declared(text.as_bytes())?;
        assert_eq!(text.as_bytes()[declared.range.clone()], *declared.label.as_bytes());
        Some((declared.label, declared.place))
    }

    #[test]
    fn each_format_has_its_place() {
        let mail = "From: a@b\nMIME-Version: 1.0\nContent-Type: text/plain;\n\tcharset=\"koi8-r\"\n\nbody";
        let po = "# Copyright\n\nmsgid \"\"\nmsgstr \"\"\n\"Language: ru\\n\"\n\"Content-Type: text/plain; charset=koi8-r\\n\"\n\nmsgid \"a\"\n";
        for (text, place) in [
            ("<?xml version=\"1.0\" encoding = 'koi8-r' ?>\n<a/>", Place::Xml),
            ("\u{FEFF}<?xml version=\"1.0\" encoding=\"koi8-r\"?>", Place::Xml),
            ("@charset \"koi8-r\";\na{}", Place::Css),
            ("<!DOCTYPE html>\n<html><head><META Charset=koi8-r>", Place::Html),
            ("<html><meta content='text/html; charset = \"koi8-r\"' http-equiv=Content-Type>", Place::Html),
            ("<!-- a --><head><meta name=x content=y><meta charset='koi8-r'>", Place::Html),
            ("# -*- coding: koi8-r -*-\n", Place::Comment),
            ("#!/bin/sh\n# -*- mode: x; coding: koi8-r-unix; -*-\n", Place::Comment),
            ("#!/usr/bin/env python3\n# This uses encoding=koi8-r, mostly\n", Place::Comment),
            ("# encoding: koi8-r\n", Place::Comment),
            ("% Encoding: koi8-r\n\n@book{a}\n", Place::Comment),
            ("% !TeX program = pdflatex\n% !TeX encoding = koi8-r\n", Place::Comment),
            ("\n# vim: set fileencoding=koi8-r :\n", Place::Comment),
            (";; a.el -*- lexical-binding: t; coding: koi8-r -*-\n", Place::Comment),
            (po, Place::Catalogue),
            (mail, Place::Mail),
            ("-- MySQL dump 10.13\n\n/*!40101 SET NAMES koi8-r */;\n", Place::Set),
            (
                "--\n-- PostgreSQL database dump\n--\nSET lock_timeout = 0;\nSET client_encoding = 'koi8-r';\n",
                Place::Set,
            ),
            ("# affixes\nSET koi8-r\r\nTRY abc\n", Place::Set),
            ("\" Menu\n\nif has('multi_byte')\n\tscriptencoding koi8-r\nendif\n", Place::Vim),
            ("% a\n\\documentclass{article}\n  \\usepackage[cp866,koi8-r]{inputenc}\n", Place::Latex),
        ] {
            let (label, found) = said(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!((label.strip_suffix("-unix").unwrap_or(&label), found), ("koi8-r", place), "{text}");
        }
    }

    /// Texts about encodings, templates, and declarations where no reader looks for them.
    #[test]
    fn other_texts_say_nothing() {
        let late = format!("<!doctype html>{}<meta charset=koi8-r>", " ".repeat(1024));
        for text in [
            "",
            "plain",
            "Write <?xml encoding='koi8-r'?> first.",
            " <?xml version='1.0' encoding='koi8-r'?>",
            "<?xml version='1.0'?><a encoding='koi8-r'/>",
            "<?xml-stylesheet encoding='koi8-r'?>",
            "<?xml version='1.0' encoding='{{ charset }}'?>",
            "<?xml version='1.0' encoding='nonsense'?>",
            "a{} @charset \"koi8-r\";",
            "/* */ @charset \"koi8-r\";",
            "@charset 'koi8-r';",
            "# Title\n\nUse `<meta charset=koi8-r>` in HTML.\n",
            "<html><!-- <meta charset=koi8-r> -->",
            "<html><meta name=a content='charset=koi8-r'>",
            "<html><metadata charset=koi8-r>",
            "<p>Use &lt;meta charset=koi8-r&gt;</p>",
            &late,
            "# The coding: koi8-r is used for mail.\n",
            "# one\n# two\n# coding: koi8-r\n",
            "import a\n# coding: koi8-r\n",
            "coding: koi8-r\n",
            "-- SET NAMES koi8-r\n",
            "Use\nSET NAMES koi8-r\n",
            "SET NAMES koi8-r and others\n",
            "SET koi8-r = 1;\n",
            "\\documentclass{article}\n% \\usepackage[koi8-r]{inputenc}\n",
            "\\usepackage[]{inputenc}\n",
            "\" scriptencoding koi8-r\nset encoding=utf-8\n",
            "print('coding: koi8-r')\n",
            "msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=CHARSET\\n\"\n",
            "msgid \"a\"\nmsgstr \"charset=koi8-r\"\n",
            "Content-Type: text/plain; charset=koi8-r\n\nno mail",
            "From: a\nMIME-Version: 1.0\nContent-Type: multipart/mixed; charset=koi8-r\n\n",
            "From: a\nMIME-Version: 1.0\nContent-Type: text/plain; charset=koi8-r\nContent-Transfer-Encoding: base64\n\n",
            "Some words: MIME-Version: 1.0\nand more text\nContent-Type: text/plain; charset=koi8-r\n\n",
        ] {
            assert_eq!(said(text), None, "{text}");
        }
    }

    #[test]
    fn what_contradicts_utf8() {
        let contradicts = |label: &str| {
            declared(format!("# coding: {label}\n").as_bytes()).is_some_and(|said| said.contradicts_utf8())
        };
        for label in ["koi8-r", "latin-1", "iso-8859-3", "ascii", "shift_jis", "cp1252", "gb18030"] {
            assert!(contradicts(label), "{label}");
        }
        for label in ["utf-8", "UTF8", "utf-8-sig", "cesu-8", "utf-16", "undecided", "no-conversion"] {
            assert!(!contradicts(label), "{label}");
        }
    }

    #[test]
    fn nothing_panics() {
        const PIECES: [&str; 28] = [
            "<?xml ",
            "encoding",
            "=",
            "'",
            "\"",
            "koi8-r",
            "?>",
            "<meta ",
            "charset",
            ">",
            "<!--",
            "-->",
            "<html",
            "@charset \"",
            "\";",
            "# ",
            "-*-",
            "coding:",
            "\n",
            "msgid \"\"\n",
            "msgstr \"",
            "Content-Type:",
            "MIME-Version:",
            " text/",
            "SET ",
            "NAMES ",
            "\\usepackage[",
            "]{inputenc}",
        ];
        let mut state = 7_u64;
        for _ in 0..20_000 {
            let mut text = String::new();
            for _ in 0..state % 12 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                text.push_str(PIECES[(state >> 33) as usize % PIECES.len()]);
            }
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            state ^= state >> 29;
            said(&text);
        }
    }
}
