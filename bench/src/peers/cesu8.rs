//! simd_cesu8.

use simd_cesu8::{decode_strict, encode, mutf8};

use crate::ops::{Answer, Table};
use crate::sample::known;

const NAME: &str = "simd_cesu8";

pub fn add(table: &mut Table) {
    table.add("utf8-cesu8", NAME, |src: &[u8], _: &mut [u8]| Answer::Bytes(encode(known(src))));
    table.add("cesu8-utf8", NAME, |src: &[u8], _: &mut [u8]| {
        Answer::Text(decode_strict(src).unwrap_or_default())
    });
    table.add("utf8-mutf8", NAME, |src: &[u8], _: &mut [u8]| Answer::Bytes(mutf8::encode(known(src))));
    table.add("mutf8-utf8", NAME, |src: &[u8], _: &mut [u8]| {
        Answer::Text(mutf8::decode_strict(src).unwrap_or_default())
    });
}
