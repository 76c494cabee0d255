//! The functions that JavaScript calls. `unsafe` is needed only for their names: no pointer is read.

use core::cell::RefCell;

use crate::session::Session;

std::thread_local! {
    // WebAssembly has one thread here.
    static SESSION: RefCell<Session> = RefCell::new(Session::default());
}

fn with<T>(work: impl FnOnce(&mut Session) -> T) -> T {
    SESSION.with_borrow_mut(work)
}

/// Defines functions that call a method of `Session`.
macro_rules! exports {
    ($($(#[$note:meta])* $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)? = $work:expr;)*) => {$(
        $(#[$note])*
        // SAFETY: no other crate of this module exports these names.
        #[unsafe(no_mangle)]
        extern "C" fn $name($($argument: $type),*) $(-> $result)? {
            with($work)
        }
    )*};
}

exports! {
    /// Returns room for the next input, of `length` bytes. The last results are lost. After any call, views of the memory may be invalid.
    placemat_room(length: usize) -> *mut u8 = |session| session.room(length).as_mut_ptr();
    /// Returns the address of the results of the last call; see `session::Told`.
    placemat_told() -> *const u32 = |session| (&raw const session.told).cast();
}

#[cfg(any(feature = "forms", feature = "legacy"))]
exports! {
    /// `Session::open`.
    placemat_open() -> i32 = Session::open;
    /// `Session::push`.
    placemat_push(handle: usize, is_last: u32) = |session| session.push(handle, is_last != 0);
    /// `Session::close`.
    placemat_close(handle: usize) = |session| session.close(handle);
}

#[cfg(feature = "forms")]
exports! {
    /// `Session::errors`.
    placemat_errors(form: usize, limit: usize) -> i32 = |session| session.errors(form, limit);
    /// `Session::floor`.
    placemat_floor(form: usize, index: usize) -> i32 = |session| session.floor(form, index);
    /// `Session::label`.
    placemat_label() -> i32 = Session::label;
    /// `Session::names`.
    placemat_names() = Session::names;
}

#[cfg(feature = "legacy")]
exports! {
    /// `Session::legacy_errors`.
    placemat_legacy_errors(limit: usize) -> i32 = |session| session.legacy_errors(limit);
    /// `Session::legacy_floor`.
    placemat_legacy_floor(index: usize) -> i32 = |session| session.legacy_floor(index);
}

#[cfg(feature = "text")]
exports! {
    /// `Session::settings`.
    placemat_settings() = Session::settings;
}

#[cfg(feature = "detect")]
exports! {
    /// `Session::detect`.
    placemat_detect() -> i32 = |session| session.detect(&mut crate::pull::Pull);
    /// `Session::mojibake`.
    placemat_mojibake() -> i32 = Session::mojibake;
}

#[cfg(feature = "explain")]
exports! {
    /// `Session::explain`.
    placemat_explain() -> i32 = |session| session.explain(&mut crate::pull::Pull);
    /// `Session::verdicts`.
    placemat_verdicts() -> i32 = |session| session.verdicts(&mut crate::pull::Pull);
    /// `Session::story`.
    placemat_story() -> i32 = |session| session.story(&mut crate::pull::Pull);
    /// `Session::faults`.
    placemat_faults() -> i32 = |session| session.faults(&mut crate::pull::Pull);
    /// `Session::table`.
    placemat_table() -> i32 = Session::table;
    /// `Session::sequences`.
    placemat_sequences() -> i32 = Session::sequences;
    /// `Session::unescape`.
    placemat_unescape() -> i32 = Session::unescape;
}

#[cfg(feature = "mend")]
exports! {
    /// `Session::mend`.
    placemat_mend() -> i32 = Session::mend;
    /// `Session::mended`.
    placemat_mended() -> i32 = Session::mended;
    /// `Session::report`.
    placemat_report() -> i32 = Session::report;
    /// `Session::forget`.
    placemat_forget() = Session::forget;
    /// `Session::undo`.
    placemat_undo() -> i32 = Session::undo;
}

#[cfg(feature = "survey")]
exports! {
    /// `Session::survey_open`.
    placemat_survey_open() -> i32 = Session::survey_open;
    /// `Session::survey_add`.
    placemat_survey_add(handle: usize) -> i32 = |session| session.survey_add(handle, &mut crate::pull::Pull);
    /// `Session::survey_merge`.
    placemat_survey_merge(handle: usize) -> i32 = |session| session.survey_merge(handle);
    /// `Session::survey_json`.
    placemat_survey_json(handle: usize) -> i32 = |session| session.survey_json(handle);
    /// `Session::survey_page`.
    placemat_survey_page(handle: usize) -> i32 = |session| session.survey_page(handle);
    /// `Session::survey_table`.
    placemat_survey_table(handle: usize, width: usize) -> i32 = |session| session.survey_table(handle, width);
    /// `Session::survey_close`.
    placemat_survey_close(handle: usize) = |session| session.survey_close(handle);
}

#[cfg(feature = "names")]
exports! {
    /// `Session::character_names`.
    placemat_character_names() = Session::character_names;
}
