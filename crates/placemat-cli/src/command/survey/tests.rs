//! Compares a file in parts with the whole file.

use std::io::{Seek as _, Write as _};

use super::*;

const PIECES: [&[u8]; 16] = [
    b"plain text ",
    b"\n",
    "déjà vu ".as_bytes(),
    "слово ".as_bytes(),
    "日本語、".as_bytes(),
    b"\r\n",
    "ไทย 😀 ".as_bytes(),
    b"\r",
    "می‌خواهم ".as_bytes(),
    "\u{200B}".as_bytes(),
    "\u{200E}".as_bytes(),
    "\u{202E}".as_bytes(),
    b"caf\xE9 ",
    b"\xE2\x82",
    b"\xED\xA0\xBD\xED\xB8\x80",
    b"\x80\x93",
];

/// Text of the first `kinds` of [`PIECES`].
fn lines(seed: u64, kinds: usize, len: usize) -> Vec<u8> {
    let mut state = seed;
    let mut bytes = Vec::new();
    while bytes.len() < len {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        // The rare pieces are the last ones.
        let rarely = (state >> 60) as usize == 0;
        let piece = (state >> 33) as usize % if rarely { kinds } else { kinds.min(8) };
        bytes.extend_from_slice(PIECES[piece]);
    }
    bytes
}

fn json(text: &placemat_text::survey::Text) -> serde_json::Value {
    let mut survey = Survey::default();
    survey.add(text);
    serde_json::to_value(&survey).unwrap()
}

#[test]
fn parts_add_up_to_the_whole() {
    let pool = Pool::new(3);
    let mut known = 0;
    for (seed, kinds) in (0..40).flat_map(|seed| [1, 4, 8, 9, 12, 13, 16].map(|kinds| (seed, kinds))) {
        let mut bytes = lines(seed, kinds, 20_000);
        match seed % 4 {
            0 => drop(bytes.splice(..0, *b"\xEF\xBB\xBF")),
            1 => drop(bytes.splice(..0, *b"\x80\x93 \n")),
            2 => bytes.retain(|&byte| byte != b'\n'),
            _ => {}
        }
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&bytes).unwrap();
        file.rewind().unwrap();
        let whole = Reader::new().read(&mut &bytes[..]).unwrap();
        for (span, block, longest) in
            [(1 << 13, 4096, 1 << 12), (4 << 20, 1 << 10, 1 << 20), (1 << 14, 1 << 13, 1 << 11)]
        {
            let cut = Cut { span, block, longest };
            let parts = &mut || parts(&file, &pool, cut);
            let text = Reader::new().read_parts(&mut &bytes[..], &mut |_| Ok(()), parts).unwrap();
            if let Some(text) = text {
                known += 1;
                assert_eq!(json(&text), json(&whole), "{seed} {kinds} {cut:?}");
            }
        }
    }
    assert!(known > 300, "{known}");
}
