//! The laws of [`crate::codec`], run on every form.

use std::format;
use std::string::String;
use std::vec::Vec;

use crate::code_point::CodePoint;
use crate::codec::{Decoded, Input, ROOM};
use crate::form::{Form, State};

/// Their writers do not refuse escapes whose bytes form a character, so law 5 does not hold for them.
const UNGUARDED: [Form; 2] = [Form::Utf8bPython, Form::Optu8MirBsd];

fn concrete() -> impl Iterator<Item = Form> {
    Form::ALL.iter().copied().filter(|form| form.marked().is_none())
}

/// xorshift64*
struct Random(u64);

impl Random {
    fn next(&mut self) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize
    }

    fn below(&mut self, n: usize) -> usize {
        self.next() % n
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// Any code point; those near the limits of some form are frequent.
    fn code_point(&mut self) -> CodePoint {
        const EDGES: &[u32] = &[
            0,
            0x20,
            0x2B,
            0x2D,
            0x2F,
            0x41,
            0x7E,
            0x80,
            0xA0,
            0x100,
            0x800,
            0x2080,
            0x3400,
            0x4016,
            0x4E00,
            0xAC00,
            0xD7A4,
            0xD800,
            0xDC00,
            0xDC80,
            0xDCA9,
            0xDCC3,
            0xDD00,
            0xE000,
            0xEF80,
            0xEFA9,
            0xEFC3,
            0xF000,
            0xFFFE,
            0x1_0000,
            0x3_8E2E,
            0x8_2080,
            0x11_0000,
            0x20_0000,
            0x208_2080,
            0x400_0000,
            0x7FFF_FFFF,
        ];
        let value = match self.below(4) {
            0 => self.below(1 << 31) as u32,
            1 => self.below(0x1_0000) as u32,
            _ => self.pick(EDGES).saturating_sub(self.below(2) as u32),
        };
        CodePoint::of(value)
    }

    /// Bytes that open, continue or end a sequence, random bytes, and bytes that the form's writer wrote.
    fn bytes(&mut self, form: Form) -> Vec<u8> {
        const EDGES: &[u8] =
            b"\0 +-&/,.AO~\x80\x8F\x90\x9F\xA0\xAF\xB0\xBD\xBE\xBF\xC0\xC1\xC2\xC3\xD8\xDC\xDF\xE0\xE1\
            \xED\xEE\xEF\xF0\xF1\xF4\xF5\xF7\xF8\xFB\xFC\xFD\xFE\xFF";
        const RUNS: &[&[u8]] =
            &[b"+AOk-", b"+2D3eAA", b"+2D0AA-+3gA-", b"&2D3eAA-&AOk-", b"+AAAA", b"&AOk", b"2D0A6Q"];
        let mut bytes = Vec::new();
        for _ in 0..=self.below(8) {
            match self.below(5) {
                0 => bytes.push(self.next() as u8),
                1 => bytes.extend_from_slice(self.pick(RUNS)),
                2 => {
                    let mut out = [0; ROOM];
                    let written = State::new(form).encode(self.code_point(), &mut out).unwrap_or(0);
                    bytes.extend_from_slice(&out[..written]);
                }
                _ => bytes.push(self.pick(EDGES)),
            }
        }
        bytes
    }
}

/// What a reader in `state` answers, and the state it is in then.
fn ask(mut state: State, bytes: &[u8], last: bool) -> (Decoded, State) {
    let answer = state.decode(Input { bytes, last });
    (answer, state)
}

fn len(answer: Decoded) -> usize {
    answer.len().unwrap_or(0)
}

/// Law 1 to 4.
#[test]
fn of_readers() {
    let mut random = Random(1);
    for form in concrete() {
        for _ in 0..10_000 {
            let bytes = random.bytes(form);
            let mut state = State::new(form);
            let mut rest = &bytes[..];
            while !rest.is_empty() {
                let what = || format!("{form}: {rest:02X?} of {bytes:02X?}");
                let (answer, then) = ask(state, rest, true);
                assert!((1..=rest.len()).contains(&len(answer)), "laws 1 and 2, {}: {answer:?}", what());
                for n in 1..=rest.len() {
                    let (early, early_then) = ask(state, &rest[..n], false);
                    if early == Decoded::Incomplete {
                        assert!(early_then == state, "law 3, {}: the state has moved", what());
                        assert!(n < form.longest(), "law 4, {}: {n} bytes should decide", what());
                        continue;
                    }
                    assert_eq!(early, answer, "law 3, {}: with {n} bytes", what());
                    assert!(early_then == then, "law 3, {}: other state with {n} bytes", what());
                    let (last, last_then) = ask(state, &rest[..n], true);
                    assert_eq!(last, answer, "law 3, {}: with the last {n} bytes", what());
                    assert!(last_then == then, "law 3, {}: other state with the last {n} bytes", what());
                }
                state = then;
                rest = &rest[len(answer)..];
            }
        }
    }
}

/// All code points that a reader finds in `bytes`, which must be well-formed.
fn read(form: Form, bytes: &[u8]) -> Result<Vec<CodePoint>, String> {
    let (mut state, mut at, mut text) = (State::new(form), 0, Vec::new());
    while at < bytes.len() {
        let answer = state.decode(Input { bytes: &bytes[at..], last: true });
        match answer {
            Decoded::CodePoint { value, .. } => text.push(value),
            Decoded::Nothing { .. } => {}
            _ => return Err(format!("{answer:?} at {at} of {bytes:02X?}")),
        }
        at += len(answer);
    }
    Ok(text)
}

/// Law 5 and 6.
#[test]
fn of_writers() {
    let mut random = Random(2);
    for form in concrete().filter(|form| !UNGUARDED.contains(form)) {
        for _ in 0..10_000 {
            let (mut state, mut bytes, mut text) = (State::new(form), Vec::new(), Vec::new());
            let mut out = [0; ROOM];
            for _ in 0..=random.below(8) {
                let c = random.code_point();
                // A high and a low surrogate come back as one code point, or not at all.
                if c.is_low_surrogate()
                    && text.last().is_some_and(|last: &CodePoint| last.is_high_surrogate())
                {
                    continue;
                }
                let before = state;
                match state.encode(c, &mut out) {
                    Ok(written) => {
                        bytes.extend_from_slice(&out[..written]);
                        text.push(c);
                    }
                    Err(_) => assert!(state == before, "law 6, {form}: {c} moved the state"),
                }
            }
            let written = state.end(&mut out);
            bytes.extend_from_slice(&out[..written]);
            assert!(state.at_rest(), "{form}: not at rest after the end");
            assert_eq!(read(form, &bytes).as_ref(), Ok(&text), "law 5, {form}: {bytes:02X?}");
        }
    }
}

/// Law 5 for every code point alone, and the widths that [`crate::Facts`] promises.
#[test]
fn every_code_point() {
    let large =
        (0x11_0000..=0x7FFF_FFFF).step_by(0x1_0007).chain([0x1F_FFFF, 0x20_0000, 0x3FF_FFFF, 0x7FFF_FFFF]);
    let large: Vec<u32> = large.collect();
    for form in concrete() {
        let (least, most) = form.facts().width;
        for value in (0..=0x10_FFFF).chain(large.iter().copied()) {
            let c = CodePoint::of(value);
            let (mut state, mut out, mut end) = (State::new(form), [0; ROOM], [0; ROOM]);
            let Ok(written) = state.encode(c, &mut out) else { continue };
            let ended = state.end(&mut end);
            let mut bytes = [0; 2 * ROOM];
            bytes[..written].copy_from_slice(&out[..written]);
            bytes[written..written + ended].copy_from_slice(&end[..ended]);
            let bytes = &bytes[..written + ended];
            assert!(
                (usize::from(least)..=usize::from(most)).contains(&bytes.len()),
                "{form}: {c} is {bytes:02X?}"
            );
            let mut reader = State::new(form);
            let (mut at, mut back) = (0, None);
            while at < bytes.len() {
                let answer = reader.decode(Input { bytes: &bytes[at..], last: true });
                match answer {
                    Decoded::CodePoint { value, .. } if back.is_none() => back = Some(value),
                    Decoded::Nothing { .. } => {}
                    _ => panic!("{form}: {c} is {bytes:02X?}: {answer:?} at {at}"),
                }
                at += len(answer);
            }
            assert_eq!(back, Some(c), "{form}: {bytes:02X?}");
        }
    }
}

/// Writers and readers either keep surrogate pairs or join them.
#[test]
fn of_pairs() {
    let pair = [CodePoint::of(0xD83D), CodePoint::of(0xDE00)];
    for form in concrete() {
        let (mut state, mut bytes, mut out) = (State::new(form), Vec::new(), [0; ROOM]);
        let carried = pair.iter().all(|&c| {
            state.encode(c, &mut out).map(|written| bytes.extend_from_slice(&out[..written])).is_ok()
        });
        if !carried {
            continue;
        }
        let written = state.end(&mut out);
        bytes.extend_from_slice(&out[..written]);
        let text = read(form, &bytes).unwrap();
        assert!(text == pair || text == [CodePoint::of(0x1_F600)], "{form}: {text:?}");
        assert!(!matches!(form, Form::Wtf8 | Form::Mutf8) || text.len() == 1, "{form} must join the pair");
    }
}
