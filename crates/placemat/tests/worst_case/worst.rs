//! The time that the worst input takes, compared with clean text.
#![allow(unreachable_pub, reason = "two suites share it")]

use std::fs;
use std::hint::black_box;
use std::sync::OnceLock;
use std::thread;
use std::time::Instant;

/// The length of each text in bytes.
pub const LEN: usize = 1 << 16;

/// Ordinary text.
pub const TEXT: &str = "Plain words, naïve café, Ελληνικά, Русский, 한국어, 漢字かな交じり文, 😀🎉. ";

/// Inputs that take a reader the most time: errors at every byte, sequences that are cut off as late as possible, shifts without
/// content.
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

/// Nanoseconds that this thread has run. Other work on the machine does not count, if the system reports the time of threads.
fn now() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    // The system updates the time when a thread yields.
    thread::yield_now();
    let told = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let told = told.and_then(|text| text.split(' ').next()?.parse().ok());
    told.unwrap_or_else(|| START.get_or_init(Instant::now).elapsed().as_secs_f64() * 1e9)
}

/// Nanoseconds per byte: the best of a few runs, each repeated until it is long enough to measure.
pub fn time(bytes: &[u8], mut work: impl FnMut(&[u8])) -> f64 {
    let mut run = |times: u32| {
        let start = now();
        (0..times).for_each(|_| work(black_box(bytes)));
        (now() - start) / f64::from(times)
    };
    let times = (5e5 / run(1).max(1.0)).clamp(1.0, 200.0) as u32;
    let best = (0..5).map(|_| run(times)).fold(f64::INFINITY, f64::min);
    best / bytes.len() as f64
}

/// One error after this many bytes of clean text: often enough to stop code that works by the kilobyte.
const APART: [usize; 3] = [100, 1000, 4000];

/// Prints a line of the table: `work` on `clean`, and on the worst of all other inputs. Ratios that need a reason are marked.
pub fn line(what: &str, clean: &[u8], mut work: impl FnMut(&[u8])) {
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
