//! What every form says about some bytes.

mod common;

use common::Random;
use placemat::{Error, Form, verdicts};

#[test]
fn verdicts_are_as_the_vectors_say() {
    let vectors = include_str!("vectors/verdicts.txt");
    let mut seen = 0;
    for line in vectors.lines().filter(|line| !line.starts_with('#')) {
        let (bytes, said) = line.split_once(" | ").unwrap();
        let bytes: Vec<u8> = bytes.split(' ').map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect();
        for expected in said.split(' ') {
            let (form, expected) = expected.split_once('=').unwrap();
            let verdict = verdicts(&bytes).find(|verdict| verdict.form().name() == form).unwrap();
            assert_eq!(word(verdict.error()), expected, "{line}: {form}");
            assert_eq!(verdict.is_well_formed(), expected == "ok");
            seen += 1;
        }
    }
    assert!(seen > 50);
}

fn word(error: Option<Error>) -> String {
    error.map_or_else(|| "ok".to_owned(), |error| format!("{}@{}", error.kind(), error.offset()))
}

/// There is one verdict for each form, in order. Each equals the first error of a conversion to a form that carries everything.
#[test]
fn a_verdict_is_what_a_conversion_would_meet() {
    let mut random = Random::new(7);
    for round in 0..300 {
        let len = random.below(12);
        let bytes = if round % 3 == 0 { random.text(len).into_bytes() } else { random.bytes(len) };
        let forms: Vec<Form> = verdicts(&bytes).map(|verdict| verdict.form()).collect();
        assert_eq!(forms, Form::ALL);
        assert_eq!(verdicts(&bytes).len(), forms.len());
        for verdict in verdicts(&bytes) {
            let met = placemat::length(verdict.form(), Form::Ucs4Be, &bytes).err();
            assert_eq!(verdict.error(), met, "{}: {bytes:02X?}", verdict.form());
        }
    }
}
