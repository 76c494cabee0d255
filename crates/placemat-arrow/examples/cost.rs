//! Measures functions for columns and, for comparison, one validation of all bytes and a loop over the rows.
//!
//! `cargo run --release --manifest-path crates/placemat-arrow/Cargo.toml --example cost [TEXT]`, where TEXT selects the lines whose names contain it.
#![forbid(unsafe_code)]

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use arrow_array::{Array, ArrayRef, BinaryArray, BinaryViewArray};
use placemat::{Form, Policy};
use placemat_arrow::{Unit, convert, is_valid, lengths, repair};

const BYTES: usize = 16 << 20;

/// Rows of about `len` bytes, every `bad`th with an error.
fn rows(text: &str, len: usize, bad: usize) -> Vec<Vec<u8>> {
    let row = text.chars().cycle().scan(0, |sum, c| {
        *sum += c.len_utf8();
        (*sum <= len).then_some(c)
    });
    let row: String = row.collect();
    (0..BYTES / len)
        .map(|at| {
            let mut row = row.clone().into_bytes();
            if at % bad == bad / 2 {
                let place = at * 7 % row.len();
                row[place] = 0xFF;
            }
            row
        })
        .collect()
}

/// The median speed of some runs, in gigabytes per second.
fn speed(bytes: usize, mut run: impl FnMut()) -> f64 {
    let mut seconds: Vec<f64> = (0..9)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed().as_secs_f64()
        })
        .collect();
    seconds.sort_by(f64::total_cmp);
    bytes as f64 / seconds[seconds.len() / 2] / 1e9
}

fn main() {
    let wanted = std::env::args().nth(1).unwrap_or_default();
    println!(
        "GB/s; rows of bytes in `Binary` | in `BinaryView`; whole: every error of all bytes at once; loop: row by row"
    );
    println!(
        "{:28} {:>7} {:>7} | {:>15} | {:>15} | {:>15} | {:>15}",
        "", "whole", "loop", "is_valid", "repair", "length", "utf-16le"
    );
    let texts = [
        ("ASCII", "plain ASCII text, "),
        ("mixed", "Mixed: naïve café, 東京 😀. "),
        ("Russian", "Привет, мир! "),
    ];
    for (name, text) in texts {
        for len in [8, 30, 100, 1000] {
            for bad in [usize::MAX, 100, 10] {
                let of_bad = if bad == usize::MAX { String::new() } else { format!(", 1/{bad} bad") };
                let name = format!("{name}, {len} bytes{of_bad}");
                if !name.contains(&wanted) {
                    continue;
                }
                let rows = rows(text, len, bad);
                let concatenated = rows.concat();
                let n = concatenated.len();
                let columns: [ArrayRef; 2] = [
                    Arc::new(BinaryArray::from_iter_values(&rows)),
                    Arc::new(BinaryViewArray::from_iter_values(&rows)),
                ];
                let whole = speed(n, || {
                    black_box(placemat::errors(Form::Utf8, black_box(&concatenated)).count());
                });
                let each = speed(n, || {
                    black_box(rows.iter().filter(|row| placemat::is_valid(row)).count());
                });
                let both = |run: &dyn Fn(&dyn Array)| {
                    let [spans, views] = columns.each_ref().map(|column| speed(n, || run(column)));
                    format!("{spans:7.2} {views:7.2}")
                };
                println!(
                    "{:28} {whole:7.2} {each:7.2} | {} | {} | {} | {}",
                    name,
                    both(&|column| drop(black_box(is_valid(column, Form::Utf8)))),
                    both(&|column| drop(black_box(repair(column, Policy::Replace)))),
                    both(&|column| drop(black_box(lengths(column, Form::Utf8, Unit::CodePoint)))),
                    both(&|column| drop(black_box(convert(
                        column,
                        Form::Utf8,
                        Form::Utf16Le,
                        Policy::Replace
                    )))),
                );
            }
        }
    }
}
