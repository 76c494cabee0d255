//! The policy, and what it last saw: for the diagnostic when it stops.

use placemat::{CodePoint, ErrorSize, Fault, Fixed, Handler, Policy, Text, Verdict};

/// Enough for any sequence.
const BYTES: usize = 16;

/// A policy that remembers the last error it was asked about.
#[derive(Clone)]
pub(super) struct Watch {
    policy: Policy,
    /// Whether U+FFFD is written `?`: a legacy writer behind the transcoder lacks it.
    lacks_replacement: bool,
    bytes: [u8; BYTES],
    len: usize,
    code_point: Option<CodePoint>,
}

impl Watch {
    pub(super) fn new(policy: Policy, lacks_replacement: bool) -> Watch {
        Watch { policy, lacks_replacement, bytes: [0; BYTES], len: 0, code_point: None }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// What the target refused, if that was the error.
    pub(super) fn code_point(&self) -> Option<CodePoint> {
        self.code_point
    }
}

impl Handler for Watch {
    fn decide(&mut self, fault: &Fault<'_>, text: &mut Text) -> Verdict {
        self.len = fault.bytes.len().min(BYTES);
        self.bytes[..self.len].copy_from_slice(&fault.bytes[..self.len]);
        self.code_point = fault.code_point;
        if !self.lacks_replacement {
            return self.policy.decide(fault, text);
        }
        let mut stand_in = Text::new();
        let verdict = self.policy.decide(fault, &mut stand_in);
        for &c in stand_in.code_points() {
            let c = if c == CodePoint::REPLACEMENT { CodePoint::from('?') } else { c };
            if text.push(c).is_err() {
                return Verdict::Stop;
            }
        }
        verdict
    }

    fn size(&self) -> ErrorSize {
        self.policy.size
    }

    fn fixed(&self) -> Option<Fixed> {
        self.policy.fixed().filter(|fixed| *fixed == Fixed::Stop || !self.lacks_replacement)
    }
}
