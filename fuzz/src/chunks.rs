//! The sizes of chunks of input and output do not change the bytes, or the errors and their offsets.

use placemat::{Bom, Transcoder, length_with};

use crate::source::{Source, convert, plainly};
use crate::strings::streams;

/// See the module.
pub fn run(input: &[u8]) {
    let mut source = Source::new(input);
    let (from, to, policy) = (source.form(), source.form(), source.policy());
    let bom = source.pick(&[Bom::Keep, Bom::Strip, Bom::Add]);
    let mut seed = source.below(1 << 16) | 1;
    let widest = source.pick(&[1, 2, 5, 40, 300]);
    let bytes = source.text();

    let mut below = |n: usize| {
        seed = seed.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
        (seed >> 33) % n
    };
    let transcoder = Transcoder::new(from, to).on_error(policy).bom(bom);
    let whole = plainly(transcoder.clone(), &bytes);
    let divided =
        convert(transcoder.clone(), &bytes, || (1 + below(widest), below(2) * 16 + below(widest + 1)));
    assert_eq!(divided, whole, "{from} to {to}, {policy:?}, {bom:?}");
    if whole.stops.is_empty() {
        assert_eq!(
            length_with(transcoder, &bytes),
            Ok(whole.text.len()),
            "{from} to {to}, {policy:?}, {bom:?}"
        );
    }
    streams(from, &bytes, &mut || below(widest));
}
