//! The bytes that tag characters and variation selectors carry.

use core::iter::FusedIterator;
use core::str::Chars;

use super::Kind;
use super::context::selector;

/// The hidden bytes of a finding; see [`Finding::payload`](super::Finding::payload).
#[derive(Clone, Debug)]
pub struct Payload<'a> {
    kind: Kind,
    characters: Chars<'a>,
}

impl<'a> Payload<'a> {
    pub(super) fn new(kind: Kind, bytes: &'a [u8]) -> Payload<'a> {
        // A finding is always well-formed text.
        let text = core::str::from_utf8(bytes).unwrap_or_default();
        Payload { kind, characters: text.chars() }
    }
}

impl Iterator for Payload<'_> {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        let kind = self.kind;
        self.characters.find_map(|c| match kind {
            Kind::TagPayload => tag(c),
            Kind::VariationPayload => selector(c),
            Kind::BidiUnbalanced
            | Kind::ZeroWidth
            | Kind::Invisible
            | Kind::Control
            | Kind::PrivateUse
            | Kind::Noncharacter
            | Kind::Unassigned => None,
        })
    }
}

impl FusedIterator for Payload<'_> {}

/// The ASCII character of a tag character; `None` for the language tag and the cancel tag.
fn tag(c: char) -> Option<u8> {
    let value = u32::from(c).checked_sub(0xE0000)?;
    u8::try_from(value).ok().filter(|byte| matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~'))
}
