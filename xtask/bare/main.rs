//! A program without std, alloc and libc that validates and converts. It must only link.
#![no_std]
#![no_main]

use placemat::{Form, Policy, Transcoder};

/// The functions on memory that `core` needs on every platform, in their simplest form.
mod memory {
    #[unsafe(no_mangle)]
    unsafe extern "C" fn memcpy(to: *mut u8, from: *const u8, n: usize) -> *mut u8 {
        for i in 0..n {
            // SAFETY: the caller owns `n` bytes behind both pointers.
            unsafe { to.add(i).write_volatile(from.add(i).read()) };
        }
        to
    }

    #[unsafe(no_mangle)]
    unsafe extern "C" fn memmove(to: *mut u8, from: *const u8, n: usize) -> *mut u8 {
        for i in 0..n {
            let i = if to.cast_const() < from { i } else { n - 1 - i };
            // SAFETY: as in `memcpy`; the order keeps what is still to be read.
            unsafe { to.add(i).write_volatile(from.add(i).read()) };
        }
        to
    }

    #[unsafe(no_mangle)]
    unsafe extern "C" fn memset(to: *mut u8, byte: i32, n: usize) -> *mut u8 {
        for i in 0..n {
            // SAFETY: the caller owns `n` bytes behind the pointer.
            unsafe { to.add(i).write_volatile(byte as u8) };
        }
        to
    }

    #[unsafe(no_mangle)]
    unsafe extern "C" fn memcmp(a: *const u8, b: *const u8, n: usize) -> i32 {
        for i in 0..n {
            // SAFETY: the caller owns `n` bytes behind both pointers.
            let (a, b) = unsafe { (a.add(i).read_volatile(), b.add(i).read_volatile()) };
            if a != b {
                return i32::from(a) - i32::from(b);
            }
        }
        0
    }

    #[unsafe(no_mangle)]
    unsafe extern "C" fn bcmp(a: *const u8, b: *const u8, n: usize) -> i32 {
        // SAFETY: the caller's promise is the same.
        unsafe { memcmp(a, b, n) }
    }
}

/// The precompiled `core` of a hosted target refers to this; with `panic=abort` nothing calls it.
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() {}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

#[unsafe(no_mangle)]
extern "C" fn _start() -> ! {
    let mut out = [0; 64];
    let mut transcoder = Transcoder::new(Form::Utf8, Form::Utf16Le).on_error(Policy::Replace);
    let step = transcoder.push(core::hint::black_box(b"bare \xFF"), &mut out);
    core::hint::black_box((placemat::validate(&out).is_ok(), step.written));
    loop {}
}
