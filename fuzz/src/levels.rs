//! Every CPU level gives the results of the scalar code, in destinations of any size, and writes nothing outside of them.

use placemat::{Form, Level, Policy, Transcoder};

use crate::source::{Source, convert, plainly};
use crate::typed;

/// Forms with kernels between them, and some without.
const FAST: [Form; 7] =
    [Form::Utf8, Form::Utf16Le, Form::Utf16Be, Form::Utf32Le, Form::Utf32Be, Form::Iso8859_1, Form::UsAscii];

/// See the module.
pub fn run(input: &[u8]) {
    let mut source = Source::new(input);
    let [from, to] = [0; 2].map(|_| if source.below(8) == 0 { source.form() } else { source.pick(&FAST) });
    let policy = source.pick(&[Policy::Stop, Policy::Replace, Policy::ReplaceByte, Policy::Skip]);
    let room = source.pick(&[16, 64, 100, 300, 1000, 9000]);
    let bytes = source.text();

    let transcoder = Transcoder::new(from, to).on_error(policy);
    let expected = plainly(transcoder.clone(), &bytes);
    let truth = core::str::from_utf8(&bytes).map_err(|error| error.valid_up_to());
    for level in Level::available() {
        let found = convert(transcoder.clone().at_level(level), &bytes, || (usize::MAX, room));
        assert_eq!(found, expected, "{from} to {to} on {level:?}");

        level.force();
        assert_eq!(placemat::validate(&bytes).map_err(|error| error.offset() as usize), truth, "{level:?}");
        assert_eq!(placemat::repair(&bytes), String::from_utf8_lossy(&bytes), "{level:?}");
        let chars: usize = bytes
            .utf8_chunks()
            .map(|c| c.valid().chars().count() + usize::from(!c.invalid().is_empty()))
            .sum();
        assert_eq!(placemat::count(Form::Utf8, &bytes), chars, "{level:?}");
        typed::run(&bytes, room);
    }
}
