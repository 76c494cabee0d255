//! The index tables of shuffles.

#![forbid(unsafe_code)]

/// In each quarter, bytes `4n` are the next sixteen lanes, in order. The other bytes are not read.
pub(super) const FOURFOLD: [[u8; 64]; 4] = {
    let mut order = [[0; 64]; 4];
    let mut i = 0;
    while i < 64 {
        order[i / 16][i % 16 * 4] = i as u8;
        i += 1;
    }
    order
};

/// For thirty-two characters of three bytes: where their third and second bytes are, and where their first bytes are (in every
/// second byte). Numbers from 64 on are in a vector that begins with byte 32.
pub(super) const THREE_BYTE_RUN: [[u8; 64]; 2] = {
    let mut order = [[0; 64]; 2];
    let mut i = 0;
    while i < 32 {
        let from = if i < 21 { 3 * i } else { 64 + 3 * i - 32 };
        order[0][2 * i] = from as u8 + 2;
        order[0][2 * i + 1] = from as u8 + 1;
        order[1][2 * i + 1] = from as u8;
        i += 1;
    }
    order
};

/// Byte `2n` is lane `n` of the first vector, byte `2n + 1` lane `n` of the second.
pub(super) const IN_ORDER: [[u8; 64]; 2] = {
    let mut order = [[0; 64]; 2];
    let mut i = 0;
    while i < 128 {
        order[i / 64][i % 64] = (i / 2 + i % 2 * 64) as u8;
        i += 1;
    }
    order
};

/// Like [`IN_ORDER`], for pairs of bytes: the indices are two bytes each.
pub(super) const PAIRS_IN_ORDER: [[u8; 64]; 2] = {
    let mut order = [[0; 64]; 2];
    let mut i = 0;
    while i < 64 {
        order[i / 32][i % 32 * 2] = (i / 2 + i % 2 * 32) as u8;
        i += 1;
    }
    order
};

/// Over all quarters, bytes `4n` and `4n + 2` are lane `n` of the first vector, and the byte behind each is lane `n` of the
/// second.
pub(super) const QUARTERS: [[u8; 64]; 4] = {
    let mut order = [[0; 64]; 4];
    let mut i = 0;
    while i < 256 {
        order[i / 64][i % 64] = (i / 4 + i % 2 * 64) as u8;
        i += 1;
    }
    order
};

/// Byte `n` of the first table is byte `2n` of two vectors, byte `n` of the second table is byte `2n + 1`.
pub(super) const APART: [[u8; 64]; 2] = {
    let mut order = [[0; 64]; 2];
    let mut i = 0;
    while i < 128 {
        order[i % 2][i / 2] = i as u8;
        i += 1;
    }
    order
};

/// Like [`APART`], for pairs of bytes.
pub(super) const PAIRS_APART: [[u8; 64]; 2] = {
    let mut order = [[0; 64]; 2];
    let mut i = 0;
    while i < 64 {
        order[i % 2][i / 2 * 2] = i as u8;
        i += 1;
    }
    order
};

/// Each pair of bytes of the second vector (32 on), then the pair before it; pair 31 is from the first vector. The indices are
/// two bytes each.
pub(super) const WITH_BEFORE: [[u8; 64]; 2] = {
    let mut order = [[0; 64]; 2];
    let mut i = 0;
    while i < 32 {
        order[i / 16][i % 16 * 4] = 32 + i as u8;
        order[i / 16][i % 16 * 4 + 2] = 31 + i as u8;
        i += 1;
    }
    order
};

/// The number of each lane.
pub(super) static EACH: [u8; 64] = {
    let mut each = [0; 64];
    let mut i = 0;
    while i < 64 {
        each[i] = i as u8;
        i += 1;
    }
    each
};
