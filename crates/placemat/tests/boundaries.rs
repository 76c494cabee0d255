//! Compares boundaries with the vectors, and with those found by reading everything from the start.

mod common;

use common::Random;
use placemat::{Form, boundary, sequences};

/// The fields of each line of a vector file.
fn lines(file: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    file.lines().filter(|line| !line.starts_with('#')).map(|line| line.split(" | ").collect())
}

fn hex(text: &str) -> Vec<u8> {
    text.split(' ').map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect()
}

fn numbers(text: &str) -> Vec<usize> {
    text.split(' ').map(|number| number.parse().unwrap()).collect()
}

#[test]
fn boundaries_of_the_vectors() {
    for line in lines(include_str!("vectors/boundaries.txt")) {
        let (bytes, boundaries, floors) = (hex(line[0]), numbers(line[1]), numbers(line[2]));
        assert_eq!(floors.len(), bytes.len() + 1);
        for (index, &floor) in floors.iter().enumerate() {
            assert_eq!(boundary::floor(&bytes, index), floor, "{line:?} at {index}");
            assert_eq!(
                boundary::is_boundary(&bytes, index),
                boundaries.contains(&index),
                "{line:?} at {index}"
            );
        }
    }
}

#[test]
fn truncations_of_the_vectors() {
    for line in lines(include_str!("vectors/truncation.txt")) {
        let (bytes, limit, kept): (_, usize, usize) =
            (hex(line[0]), line[1].parse().unwrap(), line[2].parse().unwrap());
        assert_eq!(boundary::truncate(&bytes, limit), &bytes[..kept], "{line:?}");
        assert_eq!(boundary::of(Form::Utf8, &bytes).unwrap().truncate(limit), &bytes[..kept], "{line:?}");
    }
}

/// All boundaries, found by reading from the start.
fn by_reading(form: Form, bytes: &[u8]) -> Vec<usize> {
    let mut all: Vec<_> = [0].into_iter().chain(sequences(form, bytes).map(|s| s.range().start)).collect();
    all.push(bytes.len());
    all.dedup();
    all
}

fn assert_agrees_with_reading(form: Form, bytes: &[u8]) {
    let Some(boundaries) = boundary::of(form, bytes) else { return };
    let all = by_reading(form, bytes);
    for index in 0..=bytes.len() + 2 {
        let floor = *all.iter().rfind(|&&at| at <= index).unwrap();
        let ceil = *all.iter().find(|&&at| at >= index).unwrap_or(&bytes.len());
        assert_eq!(boundaries.floor(index), floor, "floor({index}) in {form}: {bytes:02X?}");
        assert_eq!(boundaries.ceil(index), ceil, "ceil({index}) in {form}: {bytes:02X?}");
        assert_eq!(boundaries.is_boundary(index), floor == index, "is({index}) in {form}: {bytes:02X?}");
        if form == Form::Utf8 {
            assert_eq!((boundary::floor(bytes, index), boundary::ceil(bytes, index)), (floor, ceil));
            assert_eq!(boundary::is_boundary(bytes, index), floor == index);
        }
    }
}

#[test]
fn random_bytes_of_every_form_agree_with_reading_from_the_start() {
    let mut random = Random::new(15);
    for &form in Form::ALL {
        for _ in 0..4000 {
            let len = random.below(24);
            let bytes = random.bytes(len);
            assert_agrees_with_reading(form, &bytes);
        }
    }
}

/// Strings of nine bytes, drawn at random: bytes of surrogate pairs, continuation bytes, and bytes that cut a sequence short.
#[test]
fn telling_bytes_agree_with_reading_from_the_start() {
    const TELLING: [u8; 6] = [0xED, 0xA0, 0xB0, 0x80, 0xF0, 0x41];
    for &form in Form::ALL.iter().filter(|form| form.facts().width.0 == 1) {
        for number in (0..6_usize.pow(9)).step_by(431) {
            let mut rest = number;
            let bytes = [(); 9].map(|()| {
                let byte = TELLING[rest % 6];
                rest /= 6;
                byte
            });
            assert_agrees_with_reading(form, &bytes);
        }
    }
}

#[test]
fn utf8_agrees_with_the_standard_library() {
    let mut random = Random::new(8);
    for _ in 0..40_000 {
        let len = random.below(20);
        let bytes = random.bytes(len);
        let mut all = vec![0];
        for chunk in bytes.utf8_chunks() {
            all.extend(chunk.valid().chars().scan(all[all.len() - 1], |at, c| {
                *at += c.len_utf8();
                Some(*at)
            }));
            if !chunk.invalid().is_empty() {
                all.push(all[all.len() - 1] + chunk.invalid().len());
            }
        }
        assert_eq!(by_reading(Form::Utf8, &bytes), all);
        for index in 0..=bytes.len() {
            assert_eq!(boundary::floor(&bytes, index), *all.iter().rfind(|&&at| at <= index).unwrap());
        }
    }
}

#[test]
fn forms_that_cannot_be_entered_midway_say_so() {
    for &form in Form::ALL {
        let name = form.name();
        let cannot = name.starts_with("utf-7") || matches!(name, "utf-1" | "fss-utf-1992-07");
        assert_eq!(boundary::of(form, b"").is_none(), cannot, "{form}");
    }
}

#[test]
fn pieces_are_the_whole_and_read_the_same() {
    let mut random = Random::new(2);
    for &form in Form::ALL {
        for _ in 0..400 {
            let len = random.below(60);
            let bytes = random.bytes(len);
            // A byte order mark decides the form of the whole text; later pieces do not have it.
            let form = sequences(form, &bytes).form();
            let Some(boundaries) = boundary::of(form, &bytes) else { continue };
            let n = 1 + random.below(9);
            let pieces: Vec<_> = boundaries.split(n).collect();
            assert_eq!(pieces.len(), n);
            assert_eq!(pieces.concat(), bytes);
            let in_pieces = pieces.iter().flat_map(|piece| sequences(form, piece));
            let is_same = in_pieces
                .map(|s| s.code_point().map_err(|e| e.length()))
                .eq(sequences(form, &bytes).map(|s| s.code_point().map_err(|e| e.length())));
            assert!(is_same, "{form} in {n} pieces: {bytes:02X?}");
        }
    }
    assert_eq!(boundary::split(b"", 3).collect::<Vec<_>>(), [b"", b"", b""]);
    assert_eq!(boundary::split(b"ab", 0).collect::<Vec<_>>(), [b"ab"]);
    assert_eq!(boundary::split(b"ab", usize::MAX).len(), usize::MAX);
}

/// On hostile input too, a search for a boundary reads only a few bytes.
#[test]
fn stray_tails_are_boundaries_all() {
    let tails = vec![0x80; 100_000];
    let walked: usize = (0..tails.len()).map(|index| index - boundary::floor(&tails, index)).sum();
    assert_eq!(walked, 0);
}

#[test]
fn pieces_are_of_about_the_same_length_and_counted() {
    let text = "aé日😀".repeat(100);
    for n in [1, 2, 3, 7, 1_000] {
        let mut pieces = boundary::of(Form::Utf8, text.as_bytes()).unwrap().split(n);
        for left in (0..n).rev() {
            let piece = pieces.next().unwrap();
            assert!(piece.len().abs_diff(text.len() / n) <= 4, "{} of {n}: {}", n - left, piece.len());
            assert_eq!((pieces.len(), pieces.size_hint()), (left, (left, Some(left))));
        }
        assert_eq!(pieces.next(), None);
    }
}
