//! The cost of a meeting, that is, of two neighbouring characters, from one table for all candidates: each byte of a candidate has a
//! class, and the table has the cost of any two classes.
#![forbid(unsafe_code)]

use super::glyph::{Glyph, Role, is_told_by_roles, meeting};

/// Classes of characters (there are 42), and what any two of them cost as neighbours.
pub(super) struct Meetings {
    classes: Vec<Glyph>,
    /// The classes of letters and their points, a bit for each class.
    joining: u64,
    /// A row of costs for each class.
    bits: Box<[f32; MOST * MOST]>,
}

/// The highest number of classes: as many as a `u64` has bits, and a power of two.
const MOST: usize = 64;

impl Meetings {
    pub(super) fn new() -> Self {
        Self { classes: Vec::new(), joining: 0, bits: Box::new([0.0; MOST * MOST]) }
    }

    /// Returns the class of each glyph. A new class gets its row and its column.
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

    /// The cost of a meeting of these classes, or `None` if it depends on the characters.
    #[inline]
    pub(super) fn bits(&self, previous: u8, next: u8) -> Option<f32> {
        let bits = self.bits[usize::from(previous) % MOST * MOST + usize::from(next) % MOST];
        (bits != ASK).then_some(bits)
    }

    /// Whether both are letters, or points of letters.
    pub(super) fn are_joining(&self, previous: u8, next: u8) -> bool {
        self.joining >> (usize::from(previous) % MOST) & self.joining >> (usize::from(next) % MOST) & 1 == 1
    }
}

/// The entry for two classes whose meeting depends on the characters too.
const ASK: f32 = f32::MAX;

fn of_classes(previous: &Glyph, next: &Glyph) -> f32 {
    if is_told_by_roles(previous.role, next.role) { meeting(previous, next) } else { ASK }
}

/// Whether two glyphs are the same to [`meeting`], as far as roles decide. The script counts for letters only.
fn is_alike(a: &Glyph, b: &Glyph) -> bool {
    a.role == b.role && a.cost == b.cost && (a.script == b.script || !a.role.is_letter())
}
