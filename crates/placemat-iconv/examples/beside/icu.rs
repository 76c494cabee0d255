//! Compares random calls with ICU: pieces and rooms of one byte or more for both, a reset in the middle. Both libraries must
//! write the same up to the first error, and agree on whether there is one.

use std::ffi::{CString, c_char, c_int, c_void};
use std::{env, mem, ptr};

use crate::fuzz::Numbers;
use crate::library::Library;

/// Encodings, letters that each can write, and whether damaged texts are compared. Tables differ in their unused bytes, so that
/// is done only for forms and for encodings without unused bytes. For IBM866, ICU has IBM's own controls: 1A for 7F.
#[rustfmt::skip]
const ENCODINGS: [(&str, &str, bool); 20] = [
    ("UTF-8", "aé漢😀€\u{7FF}\u{800}", true), ("UTF-16LE", "aé漢😀€", true), ("UTF-16BE", "aé漢😀€", true), ("UTF-32LE", "aé漢😀€", true),
    ("UTF-32BE", "aé漢😀€", true), ("CESU-8", "aé漢😀€", false), ("ISO-8859-1", "aéü\u{80}", true), ("ISO-8859-2", "ačľ", true),
    ("ISO-8859-5", "aжш", true), ("ISO-8859-15", "aé€", true), ("KOI8-R", "aжш", true), ("IBM866", "aжш", false), ("windows-1251", "aжш", false),
    ("windows-1253", "aψς", false), ("EUC-JP", "a日いア", false), ("Shift_JIS", "a日いア", false), ("GBK", "a中天", false),
    ("GB18030", "a中天😀é", false), ("Big5", "a中天", false), ("EUC-KR", "a한中", false),
];

type Convert = unsafe extern "C" fn(
    *mut c_void,
    *mut *mut c_void,
    *const c_void,
    *mut *const c_void,
    *const c_void,
    *mut i32,
    i8,
    *mut c_int,
);
type SetCallback =
    unsafe extern "C" fn(*mut c_void, *mut c_void, *const c_void, *mut c_void, *mut c_void, *mut c_int);

/// The functions of ICU that are called here.
struct Icu {
    open: unsafe extern "C" fn(*const c_char, *mut c_int) -> *mut c_void,
    reset: unsafe extern "C" fn(*mut c_void),
    close: unsafe extern "C" fn(*mut c_void),
    to_unicode: Convert,
    from_unicode: Convert,
    set_to: SetCallback,
    set_from: SetCallback,
    stop_to: *mut c_void,
    stop_from: *mut c_void,
}

/// `U_BUFFER_OVERFLOW_ERROR`.
const OVERFLOW: c_int = 15;

pub(crate) fn run() -> bool {
    let Some(icu) = Icu::load() else {
        println!("not run: there is no libicuuc.so (Debian: libicu-dev)");
        return true;
    };
    let number = |at, other| env::args().nth(at).and_then(|number| number.parse().ok()).unwrap_or(other);
    let (seed, rounds) = (number(2, 1), number(3, 20_000));
    let mut numbers = Numbers(seed);
    let (mut differences, mut errors) = (0, 0);
    for round in 0..rounds {
        let (name, letters, is_damaged) = ENCODINGS[numbers.below(ENCODINGS.len())];
        let letters: Vec<char> = letters.chars().collect();
        let text: String = (0..=numbers.below(150)).map(|_| letters[numbers.below(letters.len())]).collect();
        let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let there = icu.converter(name).unwrap_or_else(|| panic!("ICU has no {name}"));
        let (bytes, is_right) = there.run(icu.from_unicode, &wide, 2, &mut numbers);
        let ours = ours(name, "UTF-16LE", &wide, &mut numbers);
        let mut is_same = is_right && ours == (bytes.clone(), true);
        let mut source = bytes;
        if is_damaged && !source.is_empty() {
            for _ in 0..numbers.below(3) {
                let at = numbers.below(source.len());
                source[at] = numbers.next() as u8;
            }
            source.truncate(source.len() - numbers.below(2));
        }
        there.reset();
        let expected = there.run(icu.to_unicode, &source, 1, &mut numbers);
        let found = self::ours("UTF-16LE", name, &source, &mut numbers);
        errors += u64::from(!expected.1);
        is_same &= found == expected;
        if !is_same {
            differences += 1;
            if differences <= 20 {
                println!(
                    "seed {seed} round {round}, {name} {source:02X?}: {found:02X?}, there {expected:02X?}"
                );
            }
        }
    }
    println!("{rounds} sequences beside ICU, {errors} with an error: {differences} differences");
    differences == 0 && errors > 0
}

/// Returns what our library writes up to the first error, and whether there is no error. Every third time, another text and a
/// reset precede.
fn ours(to: &str, from: &str, src: &[u8], numbers: &mut Numbers) -> (Vec<u8>, bool) {
    let open = Library::ours().open(to, from).unwrap();
    if numbers.below(3) == 0 {
        let _ = open.convert(&src[..numbers.below(src.len() + 1)], &mut [0; 9]);
        open.reset(None);
    }
    let (mut at, mut out, mut piece) = (0, Vec::new(), 0);
    loop {
        let end = (at + piece + [0, 1, 1, 3, 40, 300][numbers.below(6)]).min(src.len());
        let mut room = vec![0; [1, 2, 3, 4, 9, 700][numbers.below(6)]];
        let called = open.convert(&src[at..end], &mut room);
        out.extend_from_slice(&room[..called.written]);
        at += called.read;
        piece = end - at;
        match called.result {
            Err(libc::EILSEQ) => return (out, false),
            Err(libc::EINVAL) if end == src.len() => return (out, false),
            Ok(_) if at == src.len() => break,
            _ => {}
        }
    }
    let mut room = [0; 8];
    let called = open.reset(Some(&mut room));
    out.extend_from_slice(&room[..called.written]);
    (out, true)
}

struct Converter<'a> {
    icu: &'a Icu,
    handle: *mut c_void,
}

impl Icu {
    /// Loads the newest ICU that is installed. Its functions have its version in their names.
    fn load() -> Option<Icu> {
        (50..100).rev().find_map(Icu::of)
    }

    fn of(version: u32) -> Option<Icu> {
        let path = CString::new(format!("libicuuc.so.{version}")).ok()?;
        // SAFETY: ICU may be loaded at any time.
        let library = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW) };
        if library.is_null() {
            return None;
        }
        let symbol = |name: &str| {
            let name = CString::new(format!("{name}_{version}")).unwrap();
            // SAFETY: an open library and a string.
            let found = unsafe { libc::dlsym(library, name.as_ptr()) };
            assert!(!found.is_null(), "{name:?}");
            found
        };
        // SAFETY: `unicode/ucnv.h` has these signatures.
        unsafe {
            Some(Icu {
                open: mem::transmute::<
                    *mut c_void,
                    unsafe extern "C" fn(*const c_char, *mut c_int) -> *mut c_void,
                >(symbol("ucnv_open")),
                reset: mem::transmute::<*mut c_void, unsafe extern "C" fn(*mut c_void)>(symbol("ucnv_reset")),
                close: mem::transmute::<*mut c_void, unsafe extern "C" fn(*mut c_void)>(symbol("ucnv_close")),
                to_unicode: mem::transmute::<*mut c_void, Convert>(symbol("ucnv_toUnicode")),
                from_unicode: mem::transmute::<*mut c_void, Convert>(symbol("ucnv_fromUnicode")),
                set_to: mem::transmute::<*mut c_void, SetCallback>(symbol("ucnv_setToUCallBack")),
                set_from: mem::transmute::<*mut c_void, SetCallback>(symbol("ucnv_setFromUCallBack")),
                stop_to: symbol("UCNV_TO_U_CALLBACK_STOP"),
                stop_from: symbol("UCNV_FROM_U_CALLBACK_STOP"),
            })
        }
    }

    fn converter(&self, name: &str) -> Option<Converter<'_>> {
        let name = CString::new(name).ok()?;
        let mut error = 0;
        let null = ptr::null_mut();
        // SAFETY: a string; an open converter; functions of ICU as its callbacks.
        let handle = unsafe {
            let handle = (self.open)(name.as_ptr(), &raw mut error);
            if error <= 0 {
                (self.set_to)(handle, self.stop_to, null, null, null, &raw mut error);
                (self.set_from)(handle, self.stop_from, null, null, null, &raw mut error);
            }
            handle
        };
        (error <= 0).then_some(Converter { icu: self, handle })
    }
}

impl Converter<'_> {
    fn reset(&self) {
        // SAFETY: the converter is open.
        unsafe { (self.icu.reset)(self.handle) };
    }

    /// Returns what ICU writes up to the first error, and whether there is no error. `unit` is the size of a source unit.
    fn run(&self, convert: Convert, src: &[u8], unit: usize, numbers: &mut Numbers) -> (Vec<u8>, bool) {
        let (mut at, mut out) = (0, Vec::new());
        loop {
            let end = (at + unit * [1, 1, 3, 40, 300][numbers.below(5)]).min(src.len());
            // At least two bytes, for a UTF-16 code unit.
            let mut room = vec![0u16; [1, 2, 5, 400][numbers.below(4)]];
            let range = room.as_mut_ptr_range();
            let piece = src[at..end].as_ptr_range();
            let (mut target, mut source) = (range.start.cast::<c_void>(), piece.start.cast::<c_void>());
            let mut error = 0;
            // SAFETY: an open converter and two buffers with their ends.
            unsafe {
                convert(
                    self.handle,
                    &raw mut target,
                    range.end.cast(),
                    &raw mut source,
                    piece.end.cast(),
                    ptr::null_mut(),
                    i8::from(end == src.len()),
                    &raw mut error,
                );
            }
            let written = target.addr() - range.start.addr();
            out.extend(room.iter().flat_map(|unit| unit.to_le_bytes()).take(written));
            at += source.addr() - piece.start.addr();
            match error {
                OVERFLOW => {}
                1.. => return (out, false),
                _ if end == src.len() && at == end => return (out, true),
                _ => {}
            }
        }
    }
}

impl Drop for Converter<'_> {
    fn drop(&mut self) {
        // SAFETY: the converter is open, and not used again.
        unsafe { (self.icu.close)(self.handle) };
    }
}
