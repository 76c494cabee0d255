//! Every code point in every form: those that it carries come back unchanged, the others are refused.

use placemat::{CodePoint, Form, Policy, Transcoder, Unencodable, convert_into};

use crate::walk::Walk;

/// A letter between two code points of Unicode, so that no form reads a surrogate pair where there is none.
const LETTER: u32 = b'a' as u32;

/// The planes of Unicode, and one more.
const PLANES: u32 = 0x12;

#[test]
#[ignore = "minutes: cargo xtask exhaust"]
fn code_points() {
    let walk = Walk::new();
    for &form in Form::ALL {
        walk.stripes(&format!("code points through {}", form.name()), PLANES, |at| plane(&walk, form, at));
    }
}

/// Values up to 31 bits, for forms that carry more than Unicode.
#[test]
#[ignore = "an hour: cargo xtask exhaust"]
fn wide_values() {
    let walk = Walk::new();
    for &form in Form::ALL {
        if (0x11_0000..1u32 << 31).step_by(0x0400_0003).any(|c| carries(form, c)) {
            let what = format!("values of 31 bits beyond Unicode through {}", form.name());
            walk.stripes(&what, 0x8000 - PLANES, |at| plane(&walk, form, PLANES + at));
        }
    }
}

fn carries(form: Form, c: u32) -> bool {
    CodePoint::new(c).is_some_and(|c| form.carries(c))
}

fn plane(walk: &Walk, form: Form, plane: u32) -> u64 {
    // Above Unicode, a sample takes few planes, and few code points of each. Inside Unicode, all planes take little time.
    if plane > PLANES && walk.every > 1 && plane % 512 != 511 {
        return 0;
    }
    let (mut code_points, mut expected) = (Vec::new(), Vec::new());
    let (mut bytes, mut back) = (Vec::new(), Vec::new());
    let step = if walk.every > 1 { 7 } else { 1 };
    for low in (plane % step..0x1_0000).step_by(step as usize) {
        let c = plane << 16 | low;
        code_points.extend_from_slice(&c.to_le_bytes());
        if carries(form, c) {
            expected.extend_from_slice(&c.to_le_bytes());
        }
        if plane < PLANES {
            code_points.extend_from_slice(&LETTER.to_le_bytes());
            expected.extend_from_slice(&LETTER.to_le_bytes());
        }
    }
    let there = Transcoder::new(Form::Ucs4Le, form).on_error(Policy::Stop.unencodable(Unencodable::Skip));
    convert_into(there, &code_points, &mut bytes).expect("what cannot be written is skipped");
    convert_into(Transcoder::new(form, Form::Ucs4Le), &bytes, &mut back)
        .expect("what was written can be read");
    assert!(back == expected, "{} in plane {plane:x}", form.name());
    u64::from((0x1_0000 - plane % step).div_ceil(step))
}
