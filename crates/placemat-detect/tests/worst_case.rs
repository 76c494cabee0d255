//! Compares the time that the worst input we can think of takes with that of clean text: `cargo xtask release bounds` prints the table.
#![forbid(unsafe_code)]

#[path = "../../placemat/tests/worst_case/worst.rs"]
mod worst;

use std::hint::black_box;

use placemat_detect::{detect, mojibake};
use worst::{LEN, TEXT, line};

#[test]
#[ignore = "times: cargo xtask release bounds"]
fn table() {
    let clean = TEXT.repeat(LEN / TEXT.len());
    println!("\nguesses");
    line("detect", clean.as_bytes(), |bytes| _ = black_box(detect(bytes, true)));
    let twice: String = clean.bytes().map(char::from).collect();
    for (name, text) in [("mojibake::undo", &clean), ("mojibake::undo, on text decoded twice", &twice)] {
        line(name, text.as_bytes(), |bytes| {
            _ = black_box(mojibake::undo(&String::from_utf8_lossy(bytes)));
        });
    }
}
