//! Turn by turn, and the median of the turns: on a shared machine only ratios mean anything.

use std::hint::black_box;
use std::time::Instant;

use crate::ops::{Op, Words};

/// What the branch predictor and the caches know of the text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// The same text again and again.
    Repeated,
    /// Another text of megabytes just before.
    Cold,
}

impl Mode {
    pub fn name(self) -> &'static str {
        match self {
            Mode::Repeated => "repeated",
            Mode::Cold => "cold",
        }
    }
}

pub struct Times {
    /// Nanoseconds a call, for each peer.
    pub median: Vec<f64>,
    /// How far apart the reference's first and last turns were.
    pub drift: f64,
}

/// Time all peers of an operation, after checking that they agree.
pub fn interleaved(op: &Op, source: &Words, evict: &Words, mode: Mode, quick: bool) -> Result<Times, String> {
    let largest = source.bytes().len().max(evict.bytes().len());
    let mut out = vec![0u32; largest + 64];
    let mut answer: Option<Vec<u8>> = None;
    for peer in op.peers {
        let n = (peer.run)(source.bytes(), &mut out);
        let this =
            if op.answers { Words::of_words(&out, n).bytes().to_vec() } else { n.to_le_bytes().to_vec() };
        match &answer {
            Some(answer) if *answer != this => {
                return Err(format!("{}: {} answers otherwise", op.name, peer.name));
            }
            Some(_) => {}
            None => answer = Some(this),
        }
    }
    let turns = if quick { 5 } else { 15 };
    let calls = match mode {
        Mode::Repeated => {
            (if quick { 200_000 } else { 1_000_000 } / source.bytes().len().max(1)).clamp(1, 2000)
        }
        Mode::Cold => 1,
    };
    let mut times = vec![Vec::new(); op.peers.len()];
    for _ in 0..turns {
        for (peer, times) in op.peers.iter().zip(&mut times) {
            if mode == Mode::Cold {
                black_box((peer.run)(evict.bytes(), &mut out));
            }
            let start = Instant::now();
            for _ in 0..calls {
                black_box((peer.run)(black_box(source.bytes()), &mut out));
            }
            times.push(start.elapsed().as_nanos() as f64 / calls as f64);
        }
    }
    let reference = &times[1];
    let third = (turns / 3).max(1);
    let (first, last) = (median(&reference[..third]), median(&reference[turns - third..]));
    Ok(Times { drift: (first / last - 1.0).abs(), median: times.iter().map(|times| median(times)).collect() })
}

fn median(times: &[f64]) -> f64 {
    let mut times = times.to_vec();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
