//! Padding (`{:>30}`) for what is written in pieces, as `Formatter::pad` does it for one string.

#![forbid(unsafe_code)]

use core::fmt::{self, Alignment, Arguments, Formatter, Write};

/// Write `text` with the width, fill, alignment and precision of `f`. Where it has a width or a precision, `text` is
/// formatted twice: to count its characters, and to write them.
pub(crate) fn pad(f: &mut Formatter<'_>, text: Arguments<'_>) -> fmt::Result {
    if f.width().is_none() && f.precision().is_none() {
        return f.write_fmt(text);
    }
    let room = f.precision().unwrap_or(usize::MAX);
    let mut counter = Limited { out: None, left: room };
    counter.write_fmt(text)?;
    let fill = f.width().unwrap_or(0).saturating_sub(room - counter.left);
    let before = match f.align() {
        None | Some(Alignment::Left) => 0,
        Some(Alignment::Center) => fill / 2,
        Some(Alignment::Right) => fill,
    };
    let filler = f.fill();
    (0..before).try_for_each(|_| f.write_char(filler))?;
    Limited { out: Some(f), left: room }.write_fmt(text)?;
    (before..fill).try_for_each(|_| f.write_char(filler))
}

/// Passes on as many characters as are left, or counts them.
struct Limited<'a, 'f> {
    out: Option<&'a mut Formatter<'f>>,
    left: usize,
}

impl Write for Limited<'_, '_> {
    fn write_str(&mut self, string: &str) -> fmt::Result {
        let taken = match string.char_indices().nth(self.left) {
            Some((end, _)) => &string[..end],
            None => string,
        };
        self.left -= taken.chars().count();
        self.out.as_mut().map_or(Ok(()), |out| out.write_str(taken))
    }
}

#[cfg(test)]
mod tests {
    use crate::{CodePoint, Error, ErrorKind};
    use std::format;

    #[test]
    fn pads_as_strings_are_padded() {
        let error = Error::new(ErrorKind::Truncated, 7, 1);
        let text = format!("{error}");
        let c = CodePoint::of(0x20AC);
        assert_eq!(
            format!("{error:>40}|{error:*^41}|{error:-<40}"),
            format!("{text:>40}|{text:*^41}|{text:-<40}")
        );
        assert_eq!(format!("{error:4}|{error:.9}|{error:>12.9}"), format!("{text:4}|{text:.9}|{text:>12.9}"));
        assert_eq!(format!("{c:>8}|{c:8}|{c:.2}"), "  U+20AC|U+20AC  |U+");
    }
}
