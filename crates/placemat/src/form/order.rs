//! The two byte orders, for forms whose code units are wider than a byte.

#![forbid(unsafe_code)]

/// A byte order.
pub(crate) trait Order: 'static {
    fn unit16(bytes: [u8; 2]) -> u16;
    fn bytes16(unit: u16) -> [u8; 2];
    fn unit32(bytes: [u8; 4]) -> u32;
    fn bytes32(unit: u32) -> [u8; 4];
    /// Whether units compared byte by byte are in numerical order.
    const BIG: bool;
}

/// Most significant byte first.
pub(crate) struct Big;

/// Least significant byte first.
pub(crate) struct Little;

impl Order for Big {
    const BIG: bool = true;

    #[inline(always)]
    fn unit16(bytes: [u8; 2]) -> u16 {
        u16::from_be_bytes(bytes)
    }
    #[inline(always)]
    fn bytes16(unit: u16) -> [u8; 2] {
        unit.to_be_bytes()
    }
    #[inline(always)]
    fn unit32(bytes: [u8; 4]) -> u32 {
        u32::from_be_bytes(bytes)
    }
    #[inline(always)]
    fn bytes32(unit: u32) -> [u8; 4] {
        unit.to_be_bytes()
    }
}

impl Order for Little {
    const BIG: bool = false;

    #[inline(always)]
    fn unit16(bytes: [u8; 2]) -> u16 {
        u16::from_le_bytes(bytes)
    }
    #[inline(always)]
    fn bytes16(unit: u16) -> [u8; 2] {
        unit.to_le_bytes()
    }
    #[inline(always)]
    fn unit32(bytes: [u8; 4]) -> u32 {
        u32::from_le_bytes(bytes)
    }
    #[inline(always)]
    fn bytes32(unit: u32) -> [u8; 4] {
        unit.to_le_bytes()
    }
}
