//! Short rows that are joined into one text, to be repaired many at a time.
#![forbid(unsafe_code)]

/// Bytes that may end a row in such a text. They are ASCII, so what is before them ends as at the end of a text, and hardly any text
/// has them.
const STOPS: [u8; 3] = [0, 0x1F, 0x7F];

/// A byte that is not in the text, and may end the rows in it.
pub(crate) fn stop(text: &[u8]) -> Option<u8> {
    STOPS.into_iter().find(|stop| !text.contains(stop))
}

/// The index of the first byte of this value, or the length of the text.
pub(crate) fn until(value: u8, text: &[u8]) -> usize {
    let mut blocks = text.chunks(32);
    // All of a block is read, so that the compiler can use wide registers.
    let has = |block: &[u8]| block.iter().fold(false, |found, &byte| found | (byte == value));
    let Some(at) = blocks.position(has) else { return text.len() };
    let rest = &text[32 * at..];
    32 * at + rest.iter().position(|&byte| byte == value).unwrap_or(rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_is_found() {
        for length in 0..100 {
            let mut text = vec![1; length];
            assert_eq!(until(0, &text), length);
            text.extend([0, 5, 0]);
            assert_eq!(until(0, &text), length);
        }
    }
}
