//! Which level this machine has. `cargo xtask machine` reads it, so that a machine without vectors is not mistaken for one with
//! vectors.
#![forbid(unsafe_code)]

use placemat::Level;

#[test]
fn uses_its_best_level() {
    assert_eq!(Level::available().last(), Some(Level::current()));
    println!("level of this machine: {}", Level::current().name());
}
