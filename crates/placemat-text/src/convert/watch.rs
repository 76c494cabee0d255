//! The policy of a conversion; it remembers the last error for the message, and fits stand-ins to the target.

use placemat::{CodePoint, Decision, Error, ErrorKind, ErrorSize, Fault, Fixed, Handler, Policy, Text};

use crate::charset::Charset;
use crate::translit;

/// Enough for any malformed sequence.
const BYTES: usize = 16;

/// A policy that remembers the last error it was asked about.
///
/// If the target lacks a stand-in, the stand-in gets one of its own here, as a part of the same error. Otherwise a reader or
/// writer would take it for a character of the text.
#[derive(Clone)]
pub(crate) struct Watch {
    policy: Policy,
    /// The target that must carry the stand-ins, unless the transcoder checks that.
    to: Option<Charset>,
    /// The target of transliteration.
    resembles: Option<Charset>,
    bytes: [u8; BYTES],
    len: usize,
    code_point: Option<CodePoint>,
}

impl Watch {
    pub(crate) fn new(policy: Policy, to: Option<Charset>) -> Watch {
        Watch { policy, to, resembles: None, bytes: [0; BYTES], len: 0, code_point: None }
    }

    /// Replaces a character that the target lacks by a similar one, if the target has any.
    pub(crate) fn transliterating(self, to: Charset) -> Watch {
        Watch { resembles: Some(to), ..self }
    }

    /// Writes the text that is similar to the code point that the target lacks.
    fn resembling(&self, fault: &Fault<'_>, text: &mut Text) -> Option<()> {
        let to = self.resembles.filter(|_| fault.error.kind() == ErrorKind::Unencodable)?;
        let found = translit::resembling(fault.code_point?.to_char()?, |c| to.carries(c.into()))?;
        let fits = found.chars().count() + text.code_points().len() <= Text::CAPACITY;
        fits.then(|| found.chars().for_each(|c| _ = text.push(CodePoint::from(c))))
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// The code point that the target refused, if that was the error.
    pub(crate) fn code_point(&self) -> Option<CodePoint> {
        self.code_point
    }

    /// Returns the stand-in as the target can carry it.
    ///
    /// # Errors
    /// The code point that the target lacks, if the policy stops at that.
    fn carried(&self, to: Charset, stand_in: Text) -> Result<Text, CodePoint> {
        let mut carried = Text::new();
        for &c in stand_in.code_points() {
            let mut instead = Text::new();
            if to.carries(c) || c == CodePoint::REPLACEMENT {
                // The empty text has room for one code point.
                let _ = instead.push(c);
            } else {
                let error = Error::new(ErrorKind::Unencodable, 0, 0);
                let fault = Fault::new(error, &[], Some(to.shown(c)), true);
                let mut policy = self.policy;
                if policy.decide(&fault, &mut instead) == Decision::Stop {
                    return Err(c);
                }
            }
            for &c in instead.code_points() {
                let c = if c == CodePoint::REPLACEMENT && !to.carries(c) { CodePoint::from('?') } else { c };
                if carried.push(c).is_err() {
                    // The writer then asks for each code point that it lacks.
                    return Ok(stand_in);
                }
            }
        }
        Ok(carried)
    }
}

impl Handler for Watch {
    fn decide(&mut self, fault: &Fault<'_>, text: &mut Text) -> Decision {
        // A stand-in that the target lacks has no bytes of its own, so the bytes of its error are kept.
        if !fault.bytes.is_empty() {
            self.len = fault.bytes.len().min(BYTES);
            self.bytes[..self.len].copy_from_slice(&fault.bytes[..self.len]);
        }
        self.code_point = fault.code_point;
        if self.resembling(fault, text).is_some() {
            return Decision::Resume;
        }
        let Some(to) = self.to else { return self.policy.decide(fault, text) };
        let mut stand_in = Text::new();
        if self.policy.decide(fault, &mut stand_in) == Decision::Stop {
            return Decision::Stop;
        }
        match self.carried(to, stand_in) {
            Ok(carried) if carried.code_points().iter().all(|&c| text.push(c).is_ok()) => Decision::Resume,
            Ok(_) => Decision::Stop,
            Err(c) => {
                self.code_point = Some(c);
                Decision::Stop
            }
        }
    }

    fn size(&self) -> ErrorSize {
        self.policy.size
    }

    fn fixed(&self) -> Option<Fixed> {
        let has_replacement = self.to.is_none_or(|to| to.carries(CodePoint::REPLACEMENT));
        self.policy.fixed().filter(|fixed| *fixed == Fixed::Stop || has_replacement)
    }

    fn skips_unencodable(&self) -> bool {
        self.resembles.is_none() && self.policy.skips_unencodable()
    }
}
