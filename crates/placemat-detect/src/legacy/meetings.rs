//! What it costs that one character stands beside another, from one table for all candidates: each byte of a candidate has the number of
//! its class, and one table says what two classes cost.
#![forbid(unsafe_code)]

use super::glyph::{Glyph, Role, is_told_by_roles, meeting};

/// Classes of characters, of which there are 42, and what each costs behind each.
pub(super) struct Meetings {
    classes: Vec<Glyph>,
    /// Which classes may join two letters, a bit for each.
    joining: u64,
    /// A row for each class.
    bits: Box<[f32; MOST * MOST]>,
}

/// No more than there are bits in a `u64`, and a power of two.
const MOST: usize = 64;

impl Meetings {
    pub(super) fn new() -> Self {
        Self { classes: Vec::new(), joining: 0, bits: Box::new([0.0; MOST * MOST]) }
    }

    /// The class of each glyph; one that is new gets its row and its column.
    pub(super) fn classes(&mut self, glyphs: &[Glyph; 256]) -> [u8; 256] {
        glyphs.each_ref().map(|glyph| {
            let seen = self.classes.iter().position(|class| is_alike(class, glyph));
            seen.unwrap_or_else(|| self.add(*glyph)) as u8
        })
    }

    fn add(&mut self, glyph: Glyph) -> usize {
        let own = self.classes.len();
        self.classes.push(glyph);
        self.joining |= u64::from(glyph.role.is_letter() || glyph.role == Role::Point) << own;
        for (other, class) in self.classes.iter().enumerate() {
            self.bits[own * MOST + other] = of_classes(&glyph, class);
            self.bits[other * MOST + own] = of_classes(class, &glyph);
        }
        own
    }

    /// What a meeting of these classes costs, unless the characters must be known for it.
    #[inline]
    pub(super) fn bits(&self, previous: u8, next: u8) -> Option<f32> {
        let bits = self.bits[usize::from(previous) % MOST * MOST + usize::from(next) % MOST];
        (bits != ASK).then_some(bits)
    }

    /// Whether both are letters, or points of one.
    pub(super) fn are_joining(&self, previous: u8, next: u8) -> bool {
        self.joining >> (usize::from(previous) % MOST) & self.joining >> (usize::from(next) % MOST) & 1 == 1
    }
}

/// Stands for bits that depend on more than the classes.
const ASK: f32 = f32::MAX;

fn of_classes(previous: &Glyph, next: &Glyph) -> f32 {
    if is_told_by_roles(previous.role, next.role) { meeting(previous, next) } else { ASK }
}

/// Whether all that [`meeting`] asks is the same, where roles tell it. The script counts for letters only.
fn is_alike(a: &Glyph, b: &Glyph) -> bool {
    a.role == b.role && a.cost == b.cost && (a.script == b.script || !a.role.is_letter())
}
