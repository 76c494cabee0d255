//! Time on the worst input that we know, compared with clean text. `cargo xtask release bounds` prints the table.
#![cfg(feature = "alloc")]
#![forbid(unsafe_code)]

#[path = "worst_case/worst.rs"]
mod worst;

use std::hint::black_box;

use placemat::offsets::Offsets;
use placemat::search::Finder;
use placemat::{
    Form, Handler, Level, Policy, Status, Transcoder, Unencodable, boundary, compare, convert_with, position,
};
use worst::{LEN, TEXT, line, time};

/// Ordinary text, as much of it as the form carries.
fn clean(form: Form) -> Vec<u8> {
    let text = TEXT.repeat(LEN / 100);
    let policy = Policy::Stop.unencodable(Unencodable::Skip);
    convert_with(Transcoder::new(Form::Utf8, form).on_error(policy), text.as_bytes())
        .expect("the rest is skipped")
}

/// Converts all of `bytes`, in outputs of a few pages, and continues behind every error.
fn pass<H: Handler>(mut transcoder: Transcoder<H>, bytes: &[u8]) {
    let (mut out, mut read) = ([0; 16 << 10], 0);
    loop {
        let step = match bytes.get(read..).filter(|rest| !rest.is_empty()) {
            Some(rest) => transcoder.push(rest, &mut out),
            None => transcoder.finish(&mut out),
        };
        black_box(&out);
        read += step.read;
        if step.status == Status::Done {
            return;
        }
    }
}

#[test]
#[ignore = "times: cargo xtask release bounds"]
fn table() {
    println!("{:44} {:>8} {:>8} {:>7}  worst input, repeated (ns a byte)", "what", "clean", "worst", "ratio");
    let replace = Policy::Replace.unencodable(Unencodable::Replace(None));
    let utf8 = clean(Form::Utf8);
    for level in [Level::Scalar, Level::current()] {
        println!("\nto utf-8, replacing, {}", level.name());
        for &form in Form::ALL {
            line(form.name(), &clean(form), |bytes| {
                pass(Transcoder::new(form, Form::Utf8).on_error(replace).at_level(level), bytes);
            });
        }
        println!("\nfrom utf-8, replacing, {}", level.name());
        for &form in Form::ALL {
            line(form.name(), &utf8, |bytes| {
                pass(Transcoder::new(Form::Utf8, form).on_error(replace).at_level(level), bytes);
            });
        }
    }
    println!("\nutf-8 to utf-8 under each policy, scalar");
    for &(name, policy) in Policy::ALL {
        for unencodable in [Unencodable::Replace(None), Unencodable::Escape] {
            let policy = policy.unencodable(unencodable);
            line(&format!("{name}, {unencodable:?}"), &utf8, |bytes| {
                pass(Transcoder::new(Form::Utf8, Form::Utf8).on_error(policy).at_level(Level::Scalar), bytes);
            });
        }
    }
}

#[test]
#[ignore = "times: cargo xtask release bounds"]
fn whole_buffers() {
    println!("\nwhole buffers, {}", Level::current().name());
    let utf8 = &clean(Form::Utf8);
    line("validate", utf8, |b| _ = black_box(placemat::validate(b)));
    line("repair", utf8, |b| _ = black_box(placemat::repair(b)));
    line("errors", utf8, |b| _ = black_box(placemat::errors(Form::Utf8, b).count()));
    line("count", utf8, |b| _ = black_box(placemat::count(Form::Utf8, b)));
    line("length, replacing", utf8, |b| {
        let transcoder = Transcoder::new(Form::Utf8, Form::Utf16Le).on_error(Policy::Replace);
        _ = black_box(placemat::length_with(transcoder, b));
    });
    line("position::offset_of", utf8, |b| _ = black_box(position::offset_of(Form::Utf8, b, usize::MAX)));
    line("position::index_at", utf8, |b| _ = black_box(position::index_at(Form::Utf8, b, b.len())));
    line("Offsets, to the end and all the way back", utf8, |b| {
        let mut offsets = Offsets::new(Form::Utf8, b);
        for at in (0..=16).chain((0..16).rev()) {
            black_box(offsets.at_source(b.len() * at / 16));
        }
    });
    line("Offsets, to every byte", utf8, |b| {
        let mut offsets = Offsets::new(Form::Utf8, b);
        for at in 0..b.len() {
            black_box(offsets.at_source(at));
        }
    });
    for (name, form) in [("UTF-8", Form::Utf8), ("WTF-8", Form::Wtf8)] {
        line(&format!("compare::by_code_point, with the same as {name}"), utf8, |b| {
            _ = black_box(compare::by_code_point((Form::Utf8, b), (form, b)));
        });
        line(&format!("compare::by_utf16, with the same as {name}"), utf8, |b| {
            _ = black_box(compare::by_utf16((Form::Utf8, b), (form, b)));
        });
    }
    line("verdicts", utf8, |b| _ = black_box(placemat::verdicts(b).collect::<Vec<_>>()));
    line("boundary::split", utf8, |b| {
        _ = black_box(boundary::split(b, 1000).map(<[u8]>::len).sum::<usize>());
    });
}

/// Twice the haystack takes twice the time, even if the needle almost matches everywhere.
#[test]
#[ignore = "times: cargo xtask release bounds"]
fn search_is_linear() {
    for needle_len in [2, 16, 256, 4096] {
        let mut needle = vec![b'a'; needle_len];
        needle[0] = b'b';
        let finder = Finder::new(Form::Utf8, &needle).expect("UTF-8 can be searched");
        let work = |bytes: &[u8]| _ = black_box(finder.find(bytes));
        let [small, large] = [1, 16].map(|times| time(&b"a".repeat(times * LEN), work));
        println!("search, needle of {needle_len}: {small:.2} ns a byte, in 16 times as much {large:.2}");
        assert!(large < 4.0 * small + 1.0, "not linear");
    }
}
