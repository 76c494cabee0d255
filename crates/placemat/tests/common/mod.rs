//! Helpers of several test suites: a generator of random text and bytes, conversion in chunks, and forcing a level.
#![allow(dead_code, unreachable_pub, reason = "each suite uses a part")]

use std::sync::{Mutex, MutexGuard, PoisonError};

use placemat::{Error, Handler, Level, Status, Transcoder};

/// Keeps a level in force until it is dropped; then the previous level is in force again.
pub struct Forced {
    before: Level,
    _alone: MutexGuard<'static, ()>,
}

/// Puts a level that this CPU has in force. It applies to the whole process, so the tests of a process take turns.
pub fn forced(level: Level) -> Forced {
    static ONE: Mutex<()> = Mutex::new(());
    // A test that failed under a level does not affect the next one.
    let alone = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let forced = Forced { before: Level::current(), _alone: alone };
    assert!(level.force(), "this CPU has {}", level.name());
    forced
}

impl Drop for Forced {
    fn drop(&mut self) {
        self.before.force();
    }
}

/// xorshift64*: enough for tests, and the same on every machine.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        ((self.next() >> 33) as usize) % n
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// Bytes of which many are special in some form, with whole sequences now and then.
    pub fn bytes(&mut self, len: usize) -> Vec<u8> {
        const EDGES: &[u8] =
            b"\0\x01\x09\x0A+-&/,aA~\x7F\x80\x8F\x90\x9F\xA0\xBF\xC0\xC1\xC2\xC3\xDF\xE0\xE1\xEC\xED\xEE\xEF\
            \xF0\xF1\xF3\xF4\xF5\xF7\xF8\xFB\xFC\xFD\xFE\xFF\xD8\xDB\xDC\xDF\xA0\xB0\xBB\xBF\x88\x84";
        const WHOLE: &[&[u8]] = &[
            "é".as_bytes(),
            "€".as_bytes(),
            "😀".as_bytes(),
            "한국".as_bytes(),
            b"\xED\xA0\xBD\xED\xB8\x80",
            b"\xC0\x80",
            b"\xEF\xBB\xBF",
            b"\xFE\xFF",
            b"\xFF\xFE",
            b"+AOk-",
            b"&AOk-",
            b"+2D3eAA-",
            b"\xEE\xBE\x80",
            b"plain ascii text",
        ];
        let mut bytes = Vec::new();
        while bytes.len() < len {
            match self.below(4) {
                0 => bytes.push(self.next() as u8),
                1 => bytes.extend_from_slice(self.pick(WHOLE)),
                _ => bytes.push(self.pick(EDGES)),
            }
        }
        bytes.truncate(len);
        bytes
    }

    /// Well-formed text with characters of all lengths.
    pub fn text(&mut self, chars: usize) -> String {
        let top = self.pick(&[0x80, 0x800, 0x1_0000, 0x11_0000]);
        (0..chars).filter_map(|_| char::from_u32(self.below(top) as u32)).collect()
    }
}

/// Converts all of `bytes` with `transcoder`, in chunks and outputs of the lengths that `sizes` returns. Continues behind errors.
pub fn in_chunks<H: Handler>(
    mut transcoder: Transcoder<H>,
    bytes: &[u8],
    mut sizes: impl FnMut() -> (usize, usize),
) -> (Vec<u8>, Vec<Error>) {
    let (mut out, mut errors, mut read) = (Vec::new(), Vec::new(), 0);
    let mut finishing = false;
    loop {
        let (chunk, room) = sizes();
        let mut dst = vec![0xAA; room];
        let chunk = &bytes[read..bytes.len().min(read + chunk)];
        let step = if finishing { transcoder.finish(&mut dst) } else { transcoder.push(chunk, &mut dst) };
        read += step.read;
        out.extend_from_slice(&dst[..step.written]);
        match step.status {
            Status::Done => return (out, errors),
            Status::Failed(error) => errors.push(error),
            Status::NeedInput => {
                assert_eq!(step.read, chunk.len(), "input is always drained");
                finishing = read == bytes.len();
            }
            Status::NeedOutput => {
                assert!(
                    room < Transcoder::MIN_OUTPUT || step.read + step.written > 0,
                    "no progress with {room} bytes of room"
                );
            }
        }
    }
}

/// The same in one call.
pub fn whole<H: Handler>(transcoder: Transcoder<H>, bytes: &[u8]) -> (Vec<u8>, Vec<Error>) {
    let room = (64 * bytes.len() + 64).min(1 << 16);
    in_chunks(transcoder, bytes, || (bytes.len(), room))
}
