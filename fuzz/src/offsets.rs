//! An offset map says what reading from the start says.

use placemat::offsets::{Offsets, Place};
use placemat::{CodePoint, Form, sequences};

use crate::source::Source;

/// Source, UTF-8, UTF-16 and code point.
fn measures(place: Place) -> [usize; 4] {
    [place.source, place.text, place.utf16, place.code_point]
}

/// See the module.
pub fn run(input: &[u8]) {
    let mut source = Source::new(input);
    let form =
        source.pick(&[Form::Utf8, Form::Utf16Le, Form::Utf32Be, Form::Cesu8, Form::Utf7, Form::Windows1252]);
    let picks = [0; 6].map(|_| source.below(1 << 16));
    // Checkpoints are 4 KiB apart.
    let bytes = source.text_up_to(5000);

    let (mut text, mut utf16) = (0, 0);
    let mut all = Vec::new();
    for (index, sequence) in sequences(form, &bytes).enumerate() {
        all.push([sequence.range().start, text, utf16, index]);
        let c = sequence.code_point().ok().and_then(CodePoint::to_char).unwrap_or('\u{FFFD}');
        (text, utf16) = (text + c.len_utf8(), utf16 + c.len_utf16());
    }
    all.push([bytes.len(), text, utf16, all.len()]);
    let mut offsets = Offsets::new(form, &bytes);
    for pick in picks {
        let expected = all[pick % all.len()];
        let [source, text, utf16, code_point] = expected;
        assert_eq!(measures(offsets.at_source(source)), expected, "{form}: byte {source}");
        assert_eq!(measures(offsets.at_text(text)), expected, "{form}: byte {text} of the text");
        assert_eq!(measures(offsets.at_utf16(utf16)), expected, "{form}: unit {utf16}");
        assert_eq!(measures(offsets.at_code_point(code_point)), expected, "{form}: code point {code_point}");
    }
    assert_eq!(Some(&measures(offsets.end())), all.last(), "{form}");
}
