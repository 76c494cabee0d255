//! The code pages of [`placemat_detect::code_page`], whose lower half is ASCII, with tables that are made when first asked for.

use std::sync::OnceLock;

use placemat_detect::code_page::{NAMES, upper_half};

use super::page::Page;

/// The code page of that name, if it is one of [`NAMES`].
pub(super) fn named(name: &str) -> Option<&'static Page> {
    // Boxed, since all of them would be 11 KB of the binary.
    static PAGES: [OnceLock<Box<Page>>; NAMES.len()] = [const { OnceLock::new() }; NAMES.len()];
    let at = NAMES.iter().position(|page| *page == name)?;
    Some(PAGES[at].get_or_init(|| {
        let upper = upper_half(name).unwrap_or([None; 128]);
        let character = |byte: usize| match byte.checked_sub(0x80) {
            None => Some(char::from(byte as u8)),
            Some(at) => upper[at],
        };
        Box::new(Page::of(std::array::from_fn(character)))
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for name in NAMES {
            let page = named(name).unwrap();
            for byte in 0..=u8::MAX {
                let c = page.character(byte);
                assert!(c.is_none_or(|c| page.byte(c) == Some(byte)), "{name}: {byte:02X} is {c:?}");
            }
            assert_eq!(page.byte('語'), None);
        }
        assert!(named("cp437").is_none());
    }
}
