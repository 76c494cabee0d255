//! Sets a `cfg` for the optimization level, for which Rust has none.
//!
//! `opt-level = 0`: no kernels over vectors. They would be slower than scalar code there, and take three quarters of the compile
//! time. `s` and `z`: each conversion has one method for all lengths.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    match std::env::var("OPT_LEVEL").as_deref() {
        Ok("0") => println!("cargo::rustc-cfg=placemat_plain"),
        Ok("s" | "z") => println!("cargo::rustc-cfg=placemat_lean"),
        _ => {}
    }
}
