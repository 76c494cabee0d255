#![no_main]
libfuzzer_sys::fuzz_target!(|input: &[u8]| placemat_fuzz::repair::run(input));
