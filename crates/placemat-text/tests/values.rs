//! What functions return can be compared, copied and shown, as a user's tests need it.
#![forbid(unsafe_code)]

use std::fmt::Debug;

use placemat::label::Labels;
use placemat::{Bom, Form, Policy};
use placemat_text::charset::{Asked, Charset, Legacy, Malformed};
use placemat_text::convert::{Halt, Settings, Stopped};
use placemat_text::faults::Finding;
use placemat_text::formats::sarif::Place;
use placemat_text::names::Rename;
use placemat_text::patch::Added;
use placemat_text::repair::choice::{Choice, Verdict};
use placemat_text::repair::mend::{Change, Mending};
use placemat_text::repair::whole::Repaired;
use placemat_text::rules::Demand;
use placemat_text::structure::{Mended, Misfit, Structure};

#[test]
fn values_are_values() {
    fn value<T: Clone + Debug + Eq>() {}
    value::<(Added, Asked, Change, Charset, Demand, Finding<'_>, Legacy, Malformed)>();
    value::<(Mended<'_>, Mending, Misfit, Place<'_>, Rename, Repaired, Settings, Stopped, Structure)>();
    fn shown<T: Debug>() {}
    shown::<(Choice, Halt, Verdict)>();
}

#[test]
fn encodings_are_equal_if_their_names_are() {
    let charset = |name| Charset::resolve(Labels::Lenient, name).unwrap();
    assert_eq!(charset("sjis"), charset("shift_jis"));
    assert_ne!(charset("koi8-r"), charset("koi8-u"));
    assert_eq!(charset("utf8"), Charset::from(Form::Utf8));
    let settings = |name| Settings { to: charset(name), policy: Policy::Stop, bom: Bom::Keep };
    assert!(settings("cp437") == settings("ibm437") && settings("cp437") != settings("cp850"));
}
