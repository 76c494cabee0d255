//! Time on the worst input that we can think of, against clean text: `cargo xtask bounds` prints the table.
#![cfg(feature = "alloc")]
#![forbid(unsafe_code)]

use std::fs;
use std::hint::black_box;
use std::sync::OnceLock;
use std::thread;
use std::time::Instant;

use placemat::search::Finder;
use placemat::{Form, Handler, Level, Policy, Status, Transcoder, Unencodable, boundary, convert_with};

/// Bytes of each text.
const LEN: usize = 1 << 16;

/// Inputs on which a reader has most to do: errors at every byte, sequences that break off as late as they can, shifts
/// that shift nothing.
const WORST: [&[u8]; 20] = [
    b"\xFF",
    b"\x80",
    b"\xC3",
    b"\xE2\x82",
    b"\xF0\x9F\x98",
    b"a\xFF",
    b"\xED\xA0\x80",
    b"\xED\xA0\xBD\xED\xB8\x80",
    b"\xED\xA0\xBD\xED\xA0\xBD\xED",
    b"\xC0\x80",
    b"\xFD\xBF\xBF\xBF\xBF",
    b"\xD8\x3D",
    b"\x3D\xD8",
    b"\x00\x00\xFF\xFF",
    b"+",
    b"+-&-",
    b"+2D0-",
    b"+2D0AQ!",
    b"&AOk-&AOl",
    b"\xEE\xBF\xBF\xEE\xBE\x80",
];

/// Text of the sort that people write, as much of it as the form carries.
fn clean(form: Form) -> Vec<u8> {
    let text =
        "Plain words, naïve café, Ελληνικά, Русский, 한국어, 漢字かな交じり文, 😀🎉. ".repeat(LEN / 100);
    let policy = Policy::Stop.unencodable(Unencodable::Skip);
    convert_with(Transcoder::new(Form::Utf8, form).on_error(policy), text.as_bytes())
        .expect("the rest is skipped")
}

/// Nanoseconds that this thread has run: other work on the machine does not count, where the system tells.
fn now() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    // The system counts when a thread steps aside.
    thread::yield_now();
    let told = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let told = told.and_then(|text| text.split(' ').next()?.parse().ok());
    told.unwrap_or_else(|| START.get_or_init(Instant::now).elapsed().as_secs_f64() * 1e9)
}

/// Nanoseconds a byte: the best of a few runs, each repeated until it is long enough to be measured.
fn time(bytes: &[u8], mut work: impl FnMut(&[u8])) -> f64 {
    let mut run = |times: u32| {
        let start = now();
        (0..times).for_each(|_| work(black_box(bytes)));
        (now() - start) / f64::from(times)
    };
    let times = (5e5 / run(1).max(1.0)).clamp(1.0, 200.0) as u32;
    let best = (0..5).map(|_| run(times)).fold(f64::INFINITY, f64::min);
    best / bytes.len() as f64
}

/// All of it, through a destination of a few pages, on past every error.
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

/// One error after so many bytes of clean text: near enough to stop whatever goes by the kilobyte.
const APART: [usize; 3] = [100, 1000, 4000];

/// A line of the table: `work` on `clean`, and on the worst of all others; the ratios that ask for a reason are marked.
fn line(what: &str, clean: &[u8], mut work: impl FnMut(&[u8])) {
    let dense = WORST.map(|piece| (piece.escape_ascii().to_string(), piece.to_vec()));
    let sparse = APART.map(|apart| {
        let piece = [&clean[..apart - 4], b"\xFF\xD8\xFF\xD8"].concat();
        (format!("clean but for an error in {apart} bytes"), piece)
    });
    let (worst, name) = dense
        .into_iter()
        .chain(sparse)
        .map(|(name, piece)| (time(&piece.repeat(LEN / piece.len()), &mut work), name))
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .expect("there are some");
    let clean = time(clean, &mut work);
    let ratio = worst / clean;
    let mark = if ratio > 3.0 { "  over 3" } else { "" };
    println!("{what:44} {clean:8.2} {worst:8.2} {ratio:7.1}  {name}{mark}");
}

#[test]
#[ignore = "times: cargo xtask bounds"]
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
    println!("\nwhole buffers, {}", Level::current().name());
    line("validate", &utf8, |b| _ = black_box(placemat::validate(b)));
    line("repair", &utf8, |b| _ = black_box(placemat::repair(b)));
    line("verdicts", &utf8, |b| _ = black_box(placemat::verdicts(b).collect::<Vec<_>>()));
    line("boundary::split", &utf8, |b| {
        _ = black_box(boundary::split(b, 1000).map(<[u8]>::len).sum::<usize>());
    });
}

/// Twice the haystack takes twice the time, also where the needle almost fits everywhere.
#[test]
#[ignore = "times: cargo xtask bounds"]
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
