//! Passes on how far the library is optimized, which no `cfg` knows.
//!
//! `opt-level = 0`: no kernels over vectors, which would be slower than plain code there and take three quarters of the time that
//! compiling takes. `s` and `z`: each conversion in one way for all lengths.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    match std::env::var("OPT_LEVEL").as_deref() {
        Ok("0") => println!("cargo::rustc-cfg=placemat_plain"),
        Ok("s" | "z") => println!("cargo::rustc-cfg=placemat_lean"),
        _ => {}
    }
}
