//! Width, fill, alignment and precision for text that is not a `str`.

#![forbid(unsafe_code)]

use core::fmt::{self, Alignment, Write as _};

/// Like [`fmt::Formatter::pad`], which takes only a `str`.
pub(crate) fn pad(f: &mut fmt::Formatter<'_>, chars: impl Iterator<Item = char> + Clone) -> fmt::Result {
    let chars = chars.take(f.precision().unwrap_or(usize::MAX));
    let missing = f.width().map_or(0, |width| width.saturating_sub(chars.clone().count()));
    let before = match f.align() {
        Some(Alignment::Right) => missing,
        Some(Alignment::Center) => missing / 2,
        Some(Alignment::Left) | None => 0,
    };
    let fill = f.fill();
    (0..before).try_for_each(|_| f.write_char(fill))?;
    chars.into_iter().try_for_each(|c| f.write_char(c))?;
    (before..missing).try_for_each(|_| f.write_char(fill))
}

/// The same for formatted text of at most `N` bytes.
pub(crate) fn pad_formatted<const N: usize>(
    f: &mut fmt::Formatter<'_>,
    text: fmt::Arguments<'_>,
) -> fmt::Result {
    let mut room = Room { bytes: [0; N], len: 0 };
    match room.write_fmt(text).map(|()| core::str::from_utf8(&room.bytes[..room.len])) {
        Ok(Ok(text)) => f.pad(text),
        // The text is longer than expected: write it without padding.
        _ => f.write_fmt(text),
    }
}

struct Room<const N: usize> {
    bytes: [u8; N],
    len: usize,
}

impl<const N: usize> fmt::Write for Room<N> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room =
            self.bytes.get_mut(self.len..).and_then(|rest| rest.get_mut(..text.len())).ok_or(fmt::Error)?;
        room.copy_from_slice(text.as_bytes());
        self.len += text.len();
        Ok(())
    }
}
