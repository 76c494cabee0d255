//! What every CPU can do: words of eight bytes, and the standard library.

#![forbid(unsafe_code)]

const HIGH: u64 = 0x8080_8080_8080_8080;

/// The length of the ASCII prefix.
pub(crate) fn ascii_prefix(src: &[u8]) -> usize {
    let (words, rest) = src.as_chunks();
    for (i, word) in words.iter().enumerate() {
        let high = u64::from_le_bytes(*word) & HIGH;
        if high != 0 {
            return 8 * i + high.trailing_zeros() as usize / 8;
        }
    }
    8 * words.len() + rest.iter().take_while(|byte| byte.is_ascii()).count()
}

/// The length of the well-formed prefix, exactly.
pub(crate) fn utf8_prefix(src: &[u8]) -> usize {
    match core::str::from_utf8(src) {
        Ok(text) => text.len(),
        Err(error) => error.valid_up_to(),
    }
}
