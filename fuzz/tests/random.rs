//! Runs every property on random changes of the seeds, without a fuzzer. `PLACEMAT_ROUNDS` sets the number of inputs for each target.

mod seeds;

/// Bytes that often change how a text is read.
const ODD: [u8; 16] =
    [0x00, 0x0A, 0x2B, 0x3D, 0x61, 0x7F, 0x80, 0xBF, 0xC0, 0xC3, 0xD8, 0xDC, 0xED, 0xF0, 0xF4, 0xFF];

/// Byte order marks, line endings, sequences that control a terminal, text that was decoded twice.
const PIECES: [&[u8]; 9] = [
    b"\xEF\xBB\xBF",
    b"\xFF\xFE",
    b"\xFE\xFF",
    b"\xFF\xFE\0\0",
    b"\0\0\xFE\xFF",
    b"\r\n",
    b"\x1B\xE2\x80\xAE",
    "\u{C3}\u{A9}".as_bytes(),
    "\u{E2}\u{20AC}\u{2122}".as_bytes(),
];

/// A generator of random numbers, the same in each run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
        (self.0 >> 33) as usize % n
    }

    /// A seed with up to six changes: cut off, a byte inserted or replaced, another seed or a piece inserted. Half of the inputs
    /// begin with random bytes, which a property reads as its choices (form, policy, chunk sizes).
    fn input(&mut self, seeds: &[Vec<u8>]) -> Vec<u8> {
        let choices = self.below(2) * self.below(30);
        let mut input: Vec<_> = (0..choices).map(|_| self.below(256) as u8).collect();
        input.extend_from_slice(&seeds[self.below(seeds.len())]);
        for _ in 0..=self.below(6) {
            let at = choices + self.below(input.len() - choices + 1);
            match self.below(5) {
                0 => input.truncate(at),
                1 => input.insert(at, ODD[self.below(16)]),
                2 => input.splice(at..at, seeds[self.below(seeds.len())].iter().copied()).for_each(drop),
                3 => input.splice(at..at, PIECES[self.below(9)].iter().copied()).for_each(drop),
                _ => {
                    if let Some(byte) = input.get_mut(at) {
                        *byte = ODD[self.below(16)];
                    }
                }
            }
        }
        input.truncate(600);
        input
    }
}

#[test]
fn random() {
    let rounds =
        std::env::var("PLACEMAT_ROUNDS").map_or(100, |n| n.parse().expect("PLACEMAT_ROUNDS is a number"));
    for (name, property) in placemat_fuzz::ALL {
        let seeds = seeds::of(name);
        let mut chance = Chance(1);
        for _ in 0..rounds {
            let input = chance.input(&seeds);
            // Shown when the property fails.
            println!("{name}: {}", input.escape_ascii());
            property(&input);
        }
    }
}
