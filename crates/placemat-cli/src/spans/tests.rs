//! Compares parts of any size with one pass.

use std::io::{Seek as _, Write as _};

use super::*;
use placemat::invisible::Kinds;
use placemat::{Form, errors};
use placemat_text::faults::locate::{Search, search};
use placemat_text::faults::run::{self, Sought};
use placemat_text::faults::{Kind, Totals, hidden};

/// Bytes that are mostly pieces of UTF-8, well-formed or not, from a fixed seed.
fn sample(seed: u64, len: usize) -> Vec<u8> {
    const PIECES: [&[u8]; 14] = [
        b"a",
        b"text\n",
        b"\xC3\xA9",
        b"\xE2\x82\xAC",
        b"\xF0\x9F\x98\x80",
        b"\xE2\x82",
        b"\xF0\x9F\x98",
        b"\xC3",
        b"\x80",
        b"\xED\xA0\x80",
        b"\xC0\xAF",
        b"\xF4\x90\x80\x80",
        b"\xFF",
        b"\xEF\xBB\xBF",
    ];
    let mut state = seed;
    let mut bytes = Vec::new();
    while bytes.len() < len {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        bytes.extend_from_slice(PIECES[(state >> 33) as usize % PIECES.len()]);
    }
    bytes.truncate(len);
    bytes
}

fn counted(file: &File, pool: &Pool, cut: Cut, hidden: Kinds) -> (Totals, u64) {
    let counts = count(file, pool, cut, Sought { hidden, ..Sought::NONE }).unwrap();
    (counts.totals, counts.hidden)
}

fn file_of(bytes: &[u8]) -> File {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    file.rewind().unwrap();
    file
}

#[test]
fn spans_and_blocks_of_any_size_count_what_one_pass_counts() {
    let pool = Pool::new(3);
    for len in (0..40).chain([100, 1000, 5000]) {
        let bytes = sample(len as u64, len);
        let expected = Totals { bytes: len as u64, errors: errors(Form::Utf8, &bytes).count() as u64 };
        let file = file_of(&bytes);
        for block in [1, 2, 3, 4, 5, 8, 61] {
            for blocks in [4, 5, 9] {
                let cut = Cut { span: (block * blocks) as u64, block, longest: 1 };
                let counts = counted(&file, &pool, cut, Kinds::NONE);
                assert_eq!(counts, (expected, 0), "{len} bytes, {cut:?}");
            }
        }
    }
}

/// Lines with characters that are not shown, some of them long.
fn lines(seed: u64, len: usize) -> Vec<u8> {
    const PIECES: [&str; 16] = [
        "a",
        "\n",
        " \u{202E}",
        "\u{2066}",
        "\u{2069}",
        "\"",
        "\u{200E}",
        "\u{5D0}",
        "\u{200C}",
        "\u{627}",
        "\u{E0041}",
        "\u{FE00}\u{FE01}",
        "\u{FEFF}",
        "\r\n",
        "\u{1}",
        "\u{1F3F4}",
    ];
    let mut random = sample(seed, 2 * len).into_iter().map(usize::from);
    let mut bytes = Vec::new();
    while bytes.len() < len {
        let (Some(which), Some(count)) = (random.next(), random.next()) else { break };
        let count = if which % 16 == 0 && count > 200 { 900 } else { 1 };
        bytes.extend(PIECES[(which ^ count) % 16].repeat(count).bytes());
        if which == 0xFF {
            bytes.push(0xE2);
        }
    }
    bytes
}

#[test]
fn spans_and_blocks_find_what_is_not_shown_as_the_whole_text_does() {
    let pool = Pool::new(3);
    for seed in 0..40 {
        let mut bytes = lines(seed, 20_000);
        // What explains a directional mark may be far away.
        bytes.splice(9000..9000, vec![b'-'; 300 * seed as usize]);
        let file = file_of(&bytes);
        // No line is as long as a mebibyte.
        let expected = placemat::invisible::findings(&bytes).count() as u64;
        assert!(expected > 1000);
        let errors = errors(Form::Utf8, &bytes).count() as u64;
        for (span, block) in [(1 << 20, 1000), (1 << 12, 512), (4096, 4096)] {
            let whole = Cut { span, block, longest: 1 << 20 };
            let (totals, found) = counted(&file, &pool, whole, Kinds::DEFAULT);
            assert_eq!((totals.bytes, totals.errors), (bytes.len() as u64, errors), "{seed} {whole:?}");
            assert_eq!(found, expected, "{seed} {whole:?}");
        }
        // With lines that are too long, the size of blocks makes no difference.
        let cut = |span, block| Cut { span, block, longest: 256 };
        let one = counted(&file, &pool, cut(1 << 20, 1 << 20), Kinds::DEFAULT);
        for (span, block) in [(256, 64), (512, 256), (768, 768), (1 << 13, 1 << 10), (1 << 15, 100)] {
            let cut = cut(span, block);
            assert_eq!(counted(&file, &pool, cut, Kinds::DEFAULT), one, "{seed} {cut:?}");
        }
    }
}

#[test]
fn a_stream_has_as_many_findings_as_spans_count() {
    // Lines longer than the mebibyte at which they are cut.
    let mut bytes = lines(7, 100_000);
    for (at, text) in [(50_000, "\u{2066}x"), (70_000, "\u{5D0}y"), (90_000, "z\u{200E}")] {
        bytes.splice(at..at, text.repeat(500_000).bytes());
    }
    let file = file_of(&bytes);
    let spans = counted(&file, &Pool::new(2), Cut::default(), Kinds::DEFAULT).1;
    for limit in [0, u64::MAX] {
        let (runs, _) =
            hidden::search(&mut &bytes[..], Kinds::DEFAULT, limit, &mut |_| anyhow::Ok(())).unwrap();
        assert_eq!(runs, spans);
    }
}

#[test]
fn a_stream_gives_the_errors_that_the_library_gives() {
    for seed in 0..20 {
        let bytes = sample(seed, 9000);
        let expected: Vec<_> = errors(Form::Utf8, &bytes)
            .map(|e| (Kind::Malformed(e.kind()), e.offset(), usize::from(e.length())))
            .collect();
        for block in [8, 9, 64, 1000] {
            let mut found = Vec::new();
            let wanted = Search { limit: u64::MAX, block, ..Search::new(Form::Utf8.into()) };
            let totals = search(&mut &bytes[..], wanted, &mut |finding| {
                found.push((finding.kind, finding.offset, finding.range.len()));
                assert_eq!(finding.bytes(), &bytes[finding.offset as usize..][..finding.range.len()]);
                anyhow::Ok(())
            });
            assert_eq!(totals.unwrap().0, Totals { bytes: 9000, errors: expected.len() as u64 });
            let difference = found.iter().zip(&expected).find(|(a, b)| a != b);
            assert_eq!(difference, None, "block {block}");
        }
    }
}

#[test]
fn lines_and_columns_are_those_of_the_whole_text() {
    for seed in 0..20 {
        let bytes = sample(seed, 3000);
        let mut expected = Vec::new();
        let (mut line, mut column) = (1, 1);
        for sequence in placemat::sequences(Form::Utf8, &bytes) {
            match sequence.code_point() {
                Err(_) => {
                    expected.push((line, column));
                    column += 1;
                }
                Ok(c) if c.value() == u32::from('\n') => (line, column) = (line + 1, 1),
                Ok(c) if c.value() == 0xFEFF && sequence.range().start == 0 => {}
                Ok(_) => column += 1,
            }
        }
        let mut found = Vec::new();
        let wanted = Search { limit: u64::MAX, block: 100, ..Search::new(Form::Utf8.into()) };
        search(&mut &bytes[..], wanted, &mut |finding| {
            found.push((finding.line, finding.column));
            anyhow::Ok(())
        })
        .unwrap();
        assert_eq!(found, expected);
    }
}

/// Lines in which mojibake is, may be, and is not, some malformed, some long.
fn misread_lines(seed: u64, len: usize) -> Vec<u8> {
    const PIECES: [&[u8]; 12] = [
        b"a ",
        "Ã©".as_bytes(),
        "cafÃ© ".as_bytes(),
        "l’été ".as_bytes(),
        "voilÃ ".as_bytes(),
        b"\n",
        "слово ёё ".as_bytes(),
        "日本語".as_bytes(),
        b"\xE9 ",
        "â€™".as_bytes(),
        b"\xC3",
        "ÐŸÑ€Ð¸ ".as_bytes(),
    ];
    let mut random = sample(seed, 3 * len).into_iter().map(usize::from);
    let mut bytes = Vec::new();
    while bytes.len() < len {
        let (Some(which), Some(count)) = (random.next(), random.next()) else { break };
        // Of some texts all lines are well-formed, and of some most are clean.
        let kinds = [6, 9, 12, 8][seed as usize % 4];
        let count = if which % 16 == 0 && count > 200 { 900 } else { 1 };
        bytes.extend(PIECES[(which ^ count) % kinds].repeat(count));
        if count.is_multiple_of(3) || seed.is_multiple_of(3) && which.is_multiple_of(2) {
            bytes.push(b'\n');
        }
    }
    bytes
}

#[test]
fn spans_and_blocks_find_the_mojibake_of_the_whole_text() {
    let (pool, sought) = (Pool::new(3), Sought { mojibake: true, ..Sought::NONE });
    let mut all = 0;
    for seed in 0..60 {
        let mut bytes = misread_lines(seed, 20_000);
        if seed.is_multiple_of(5) {
            // A line that is cut wherever it is read in parts.
            let long = ["cafÃ© ".as_bytes(), b"ab ", "l’été ".as_bytes()][seed as usize % 3].repeat(200_000);
            bytes.splice(9_000..9_000, long);
        }
        let file = file_of(&bytes);
        let expected = run::search(&mut &bytes[..], sought, 0, &mut |_| anyhow::Ok(())).unwrap().0;
        all += expected;
        let errors = errors(Form::Utf8, &bytes).count() as u64;
        for (span, block, longest) in
            [(4 << 20, 128 << 10, 1 << 20), (1 << 12, 512, 1 << 11), (768, 256, 256)]
        {
            let cut = Cut { span, block, longest };
            let counts = count(&file, &pool, cut, sought).unwrap();
            assert_eq!(
                (counts.totals.bytes, counts.totals.errors),
                (bytes.len() as u64, errors),
                "{seed} {cut:?}"
            );
            assert_eq!(count::runs(&file, &counts.suspects).unwrap(), expected, "{seed} {cut:?}");
        }
    }
    assert!(all > 1000, "{all}");
}
