//! Times peers in interleaved rounds, and takes the medians.

use std::hint::black_box;
use std::time::{Duration, Instant};

use crate::buffer::Buffer;
use crate::ops::Op;
use crate::sample::Sample;

/// The number of rounds, and the length of one timing.
#[derive(Clone, Copy)]
pub struct Effort {
    pub rounds: usize,
    /// The least duration of one timing of a repeated call.
    pub stretch: Duration,
}

/// Seconds for each call, for each peer.
pub struct Timing {
    pub seconds: Vec<f64>,
    /// The ratio between the fastest peer's medians in the first and in the second half of the rounds.
    pub drift: f64,
}

/// The largest drift with which a timing is used.
pub const STEADY: f64 = 1.10;

/// How often a timing with a larger drift is tried.
const ATTEMPTS: usize = 3;

/// Times all peers. With a `stranger`, each peer first runs over that text, so that the branch predictor has forgotten the timed one.
pub fn time(op: &Op, sample: &Sample, stranger: Option<&Sample>, out: &mut Buffer, effort: Effort) -> Timing {
    let mut best = attempt(op, sample, stranger, out, effort);
    for _ in 1..ATTEMPTS {
        if best.drift <= STEADY {
            break;
        }
        let again = attempt(op, sample, stranger, out, effort);
        if again.drift < best.drift {
            best = again;
        }
    }
    best
}

fn attempt(op: &Op, sample: &Sample, stranger: Option<&Sample>, out: &mut Buffer, effort: Effort) -> Timing {
    let calls = op.peers.len();
    let repeats: Vec<_> = (0..calls)
        .map(|peer| {
            let once = stretch(op, peer, sample, 1, out).as_secs_f64().max(1e-8);
            if stranger.is_some() {
                1
            } else {
                (effort.stretch.as_secs_f64() / once).ceil().clamp(1.0, 1e6) as u32
            }
        })
        .collect();
    let mut rounds = vec![Vec::with_capacity(effort.rounds); calls];
    for round in 0..effort.rounds {
        // Rotate the order, so that each peer runs after each other one equally often.
        for peer in (0..calls).map(|i| (i + round) % calls) {
            if let Some(stranger) = stranger {
                stretch(op, peer, stranger, 1, out);
            }
            let time = stretch(op, peer, sample, repeats[peer], out);
            rounds[peer].push(time.as_secs_f64() / f64::from(repeats[peer]));
        }
    }
    let seconds: Vec<_> = rounds.iter().map(|times| median(times)).collect();
    let reference = (1..calls).min_by(|&a, &b| seconds[a].total_cmp(&seconds[b])).unwrap_or(0);
    let (first, second) = rounds[reference].split_at(effort.rounds / 2);
    let (first, second) = (median(first), median(second));
    Timing { seconds, drift: first.max(second) / first.min(second) }
}

fn stretch(op: &Op, peer: usize, sample: &Sample, repeats: u32, out: &mut Buffer) -> Duration {
    let pass = &op.peers[peer].pass;
    let start = Instant::now();
    for _ in 0..repeats {
        black_box(pass(black_box(sample), black_box(&mut *out)));
    }
    start.elapsed()
}

fn median(times: &[f64]) -> f64 {
    let mut times = times.to_vec();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
