//! Two-way string matching (Crochemore and Perrin, 1991): linear time, constant space, any alphabet with an order.

#![forbid(unsafe_code)]

/// A needle and its critical factorisation.
#[derive(Clone, Debug)]
pub(super) struct Needle<'n, T> {
    units: &'n [T],
    /// The critical position: the needle is compared from here to its end, then from here back to its start.
    cut: usize,
    /// How far the search moves on after a match: the needle's period, or, if `repeats` is false, a lower bound of it.
    period: usize,
    /// Whether the part before `cut` repeats with the period, so that the search must remember what it has compared.
    repeats: bool,
}

/// The state of a search.
#[derive(Clone, Debug)]
pub(super) struct Walk {
    at: usize,
    /// How many units of the needle are known to match at `at`.
    known: usize,
}

impl Walk {
    pub(super) const START: Walk = Walk { at: 0, known: 0 };
}

impl<'n, T: Ord + Copy> Needle<'n, T> {
    pub(super) fn new(units: &'n [T]) -> Needle<'n, T> {
        let (cut, period) = maximal_suffix(units, |a, b| a < b).max(maximal_suffix(units, |a, b| a > b));
        let repeats = units.get(period..period + cut) == Some(&units[..cut]);
        let period = if repeats { period } else { cut.max(units.len() - cut) + 1 };
        Needle { units, cut, period, repeats }
    }

    pub(super) fn len(&self) -> usize {
        self.units.len()
    }

    /// The next match in `haystack`, also if it overlaps the last one.
    pub(super) fn next(&self, haystack: &[T], walk: &mut Walk) -> Option<usize> {
        let n = self.units.len();
        loop {
            let window = haystack.get(walk.at..)?.get(..n)?;
            let differs = |&k: &usize| self.units[k] != window[k];
            if let Some(k) = (self.cut.max(walk.known)..n).find(differs) {
                *walk = Walk { at: walk.at + k - self.cut + 1, known: 0 };
                continue;
            }
            let is_match = !(walk.known..self.cut).rev().any(|k| differs(&k));
            let found = walk.at;
            *walk = Walk { at: found + self.period, known: if self.repeats { n - self.period } else { 0 } };
            if is_match {
                return Some(found);
            }
        }
    }
}

/// The start of the largest suffix under the order `less`, and its period.
fn maximal_suffix<T: Copy>(units: &[T], less: impl Fn(T, T) -> bool) -> (usize, usize) {
    let (mut start, mut candidate, mut len, mut period) = (0, 1, 0, 1);
    while let Some(&next) = units.get(candidate + len) {
        let best = units[start + len];
        if less(next, best) {
            candidate += len + 1;
            len = 0;
            period = candidate - start;
        } else if less(best, next) {
            start = candidate;
            candidate += 1;
            (len, period) = (0, 1);
        } else if len + 1 == period {
            candidate += period;
            len = 0;
        } else {
            len += 1;
        }
    }
    (start, period)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every needle of up to 7 units and haystack of up to 11 over two letters, packed into numbers.
    #[test]
    fn finds_what_comparing_everywhere_finds() {
        let word = |bits: usize, len: usize| -> [u8; 11] {
            core::array::from_fn(|k| (bits >> k & usize::from(k < len)) as u8)
        };
        for (n, h) in (0..=7).flat_map(|n| [5, 8, 11].map(|h| (n, h))) {
            for pattern in 0..1 << n {
                let units = word(pattern, n);
                let needle = Needle::new(&units[..n]);
                for bits in (0..1 << h).step_by(if h == 11 { 7 } else { 1 }) {
                    let haystack = word(bits, h);
                    let haystack = &haystack[..h];
                    let mut walk = Walk::START;
                    for at in (0..=h.saturating_sub(n)).filter(|&at| haystack[at..].starts_with(&units[..n]))
                    {
                        assert_eq!(needle.next(haystack, &mut walk), Some(at), "{units:?} {n} {haystack:?}");
                    }
                    assert_eq!(needle.next(haystack, &mut walk), None, "{units:?} {n} {haystack:?}");
                }
            }
        }
    }

    /// Comparisons, counted by the order and equality of the units themselves.
    #[test]
    fn stays_linear_where_naive_search_is_quadratic() {
        use core::cell::Cell;
        use core::cmp::Ordering;

        #[derive(Clone, Copy)]
        struct Counted<'c>(u8, &'c Cell<usize>);
        impl PartialEq for Counted<'_> {
            fn eq(&self, other: &Self) -> bool {
                self.1.set(self.1.get() + 1);
                self.0 == other.0
            }
        }
        impl Eq for Counted<'_> {}
        impl PartialOrd for Counted<'_> {
            fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
                Some(self.cmp(other))
            }
        }
        impl Ord for Counted<'_> {
            fn cmp(&self, other: &Self) -> Ordering {
                self.1.set(self.1.get() + 1);
                self.0.cmp(&other.0)
            }
        }

        const LEN: usize = 4000;
        let count = Cell::new(0);
        let haystack: [Counted<'_>; LEN] = [Counted(b'a', &count); LEN];
        for odd in [0, 1, 500, 999, 1000] {
            let mut units = [Counted(b'a', &count); 1000];
            if let Some(unit) = units.get_mut(odd) {
                unit.0 = b'b';
            }
            let (needle, mut walk) = (Needle::new(&units), Walk::START);
            while needle.next(&haystack, &mut walk).is_some() {}
            assert!(count.replace(0) <= 6 * (LEN + units.len()), "{odd}");
        }
    }
}
