//! The fast way for short texts, character by character: setting up the way for longer ones would take most of the time. Where
//! nothing is faster than one load per character, texts of any length use it.

mod bytes;
mod sides;

use std::sync::Arc;

use placemat::Form;

use self::sides::{Bytes, EIGHT, Paired, Sink, Source, Spelled, Utf8, Utf16, Utf32};
use super::names::Encoding;
use super::pairs::read_plain;
use super::reader::WIDTH;
use super::table::Table;

/// The longest text, in bytes, that most pairs convert this way.
pub(super) const LONGEST: usize = 64;

/// Converts the characters that are simple to convert, and returns the number of bytes read and written. Where it stops, other
/// code decides.
type Way = dyn Fn(&[u8], &mut [u8]) -> (usize, usize) + Send + Sync;

/// The fast way for short texts between two encodings.
#[derive(Clone)]
pub(super) struct Short {
    way: Arc<Way>,
    longest: usize,
}

#[derive(Clone, Copy)]
enum End {
    Utf8,
    Utf16 {
        is_big: bool,
    },
    Utf32 {
        is_big: bool,
    },
    /// Each byte is its code point, below this limit.
    Bytes(u32),
    Table(&'static Table),
}

impl Short {
    /// Creates the way from code points to `to`.
    pub(super) fn from_code_points(to: Encoding) -> Option<Short> {
        Some(Short { way: way(|| Utf32::<false>, End::of(to, true)?), longest: LONGEST })
    }

    pub(super) fn between(from: Encoding, to: Encoding) -> Option<Short> {
        let to = End::of(to, true)?;
        let (way, longest) = match (End::of(from, false)?, to) {
            (End::Utf8, _) => (way(|| Utf8, to), LONGEST),
            (End::Utf16 { is_big: false }, _) => (way(|| Utf16::<false>, to), LONGEST),
            (End::Utf16 { is_big: true }, _) => (way(|| Utf16::<true>, to), LONGEST),
            (End::Utf32 { is_big: false }, _) => (way(|| Utf32::<false>, to), LONGEST),
            (End::Utf32 { is_big: true }, _) => (way(|| Utf32::<true>, to), LONGEST),
            (End::Bytes(limit), _) => (way(move || Bytes(limit), to), LONGEST),
            (End::Table(table), _) if table.is_single() => (bytes::way(table, to), usize::MAX),
            (End::Table(table), End::Utf32 { is_big: false }) => (found(table), usize::MAX),
            (End::Table(table), _) => (way(move || Paired::of(table), to), LONGEST),
        };
        Some(Short { way, longest })
    }

    /// Whether a text of `len` bytes is converted this way.
    #[inline]
    pub(super) fn is_for(&self, len: usize) -> bool {
        len <= self.longest
    }

    /// Converts from the start, up to the first character that needs a decision. Returns the number of bytes read and written.
    #[inline]
    pub(super) fn run(&self, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        (self.way)(src, dst)
    }
}

/// Makes a loop for each pair. The tables of a source are computed by the first call that needs them.
fn way<S: Source>(source: impl Fn() -> S + Send + Sync + 'static, to: End) -> Arc<Way> {
    match to {
        End::Utf8 => Arc::new(move |src, dst| run(source(), Utf8, src, dst)),
        End::Utf16 { is_big: false } => Arc::new(move |src, dst| run(source(), Utf16::<false>, src, dst)),
        End::Utf16 { is_big: true } => Arc::new(move |src, dst| run(source(), Utf16::<true>, src, dst)),
        End::Utf32 { is_big: false } => Arc::new(move |src, dst| run(source(), Utf32::<false>, src, dst)),
        End::Utf32 { is_big: true } => Arc::new(move |src, dst| run(source(), Utf32::<true>, src, dst)),
        End::Bytes(limit) => Arc::new(move |src, dst| run(source(), Bytes(limit), src, dst)),
        End::Table(table) => Arc::new(move |src, dst| run(source(), Spelled::of(table), src, dst)),
    }
}

/// If the target is UTF-32 in native order, the code points of the table are the output.
fn found(table: &'static Table) -> Arc<Way> {
    Arc::new(move |src, dst| {
        let (read, len) = read_plain(table, src, dst.as_chunks_mut::<WIDTH>().0);
        let (last, written) = (src.get(read..).unwrap_or_default(), WIDTH * len);
        // The last byte, and characters that the table does not know yet.
        let (more, bytes) = run(Paired::of(table), Utf32::<false>, last, &mut dst[written..]);
        (read + more, written + bytes)
    })
}

impl End {
    fn of(encoding: Encoding, is_target: bool) -> Option<End> {
        let form = match encoding {
            Encoding::Form(form) => form,
            // The target is written in the byte order of this machine. For a source, a byte order mark decides, which is not known yet.
            Encoding::Marked { little, big } if is_target => {
                if cfg!(target_endian = "little") {
                    little
                } else {
                    big
                }
            }
            Encoding::Table(charset, subset) => return Some(End::Table(Table::of(charset, subset))),
            Encoding::Marked { .. } | Encoding::Iso2022Jp => return None,
        };
        Some(match form {
            Form::Utf8 => End::Utf8,
            Form::Utf16Le => End::Utf16 { is_big: false },
            Form::Utf16Be => End::Utf16 { is_big: true },
            Form::Utf32Le => End::Utf32 { is_big: false },
            Form::Utf32Be => End::Utf32 { is_big: true },
            Form::UsAscii => End::Bytes(0x80),
            Form::Iso8859_1 => End::Bytes(0x100),
            _ => return None,
        })
    }
}

#[inline(always)]
fn run(source: impl Source, sink: impl Sink, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while let Some(eight) = src.get(read..).and_then(|rest| source.eight(rest)) {
        let Some(put) = dst.get_mut(written..).and_then(|rest| sink.put_eight(eight, rest)) else { break };
        (read, written) = (read + EIGHT, written + put);
    }
    while let Some((c, taken)) = src.get(read..).and_then(|rest| source.next(rest)) {
        let Some(rest) = dst.get_mut(written..) else { break };
        let put = match rest.first_chunk_mut() {
            Some(room) => sink.put(c, room),
            None => put_last(sink, c, rest),
        };
        let Some(put) = put else { break };
        (read, written) = (read + taken, written + put);
    }
    (read, written)
}

/// For the end of the room, where it is less than four bytes.
#[cold]
fn put_last(sink: impl Sink, c: u32, rest: &mut [u8]) -> Option<usize> {
    let mut room = [0; 4];
    let put = sink.put(c, &mut room)?;
    rest.get_mut(..put)?.copy_from_slice(&room[..put]);
    Some(put)
}
