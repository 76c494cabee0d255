"""Proves the arithmetic of the converting kernels for every code point, with z3 (pip install z3-solver).

Each formula stands here beside the line of the source that it is a transcription of, and the script stops when that line is no
longer there. Lanes are moved in pairs, so bits of a neighbour come in: here they are unknowns, any value of which must do.
"""
import itertools
import pathlib

from z3 import And, BitVec, BitVecVal, Concat, Extract, If, LShR, Not, Or, Solver, UGE, ULE, ULT, ZeroExt, sat, unsat

KERNELS = pathlib.Path(__file__).parent.parent / "crates/placemat/src/kernel"
fresh = itertools.count()


def line(file, text):
    """The line of the source that the next line here transcribes."""
    assert text in (KERNELS / file).read_text(), f"{file} no longer has: {text}"


def shl(x, n):
    return x << n | LShR(BitVec(f"neighbour{next(fresh)}", 8), 8 - n)


def shr(x, n):
    return LShR(x, n) | BitVec(f"neighbour{next(fresh)}", 8) << (8 - n)


def keep(x, lanes):
    return If(lanes, x, BitVecVal(0, 8))


def signed_less(x, limit):
    return x < limit


def prove(what, claim, *assumptions):
    solver = Solver()
    solver.add(*assumptions, claim)
    answer = solver.check()
    print(f"{'proved' if answer == unsat else 'REFUTED'}: {what}" + (f" by {solver.model()}" if answer == sat else ""))
    assert answer == unsat, what


c = BitVec("code_point", 32)
scalar = And(ULE(c, 0x10FFFF), Or(ULT(c, 0xD800), UGE(c, 0xE000)))


def byte(x):
    return Extract(7, 0, x)


def bits(shift, mask, mark):
    return byte(LShR(c, shift) & mask | mark)


# The bytes of each length, last first, and what may stand before the sequence.
LENGTHS = {
    1: ([byte(c)], ULT(c, 0x80)),
    2: ([bits(0, 0x3F, 0x80), bits(6, 0x1F, 0xC0)], And(UGE(c, 0x80), ULT(c, 0x800))),
    3: ([bits(0, 0x3F, 0x80), bits(6, 0x3F, 0x80), bits(12, 0x0F, 0xE0)], And(UGE(c, 0x800), ULT(c, 0x10000), scalar)),
    4: ([bits(0, 0x3F, 0x80), bits(6, 0x3F, 0x80), bits(12, 0x3F, 0x80), bits(18, 0x07, 0xF0)], And(UGE(c, 0x10000), scalar)),
}


def window(sequence, at):
    """The byte `at` places before the last, and the three before it; other text before that."""
    around = sequence[at:] + [BitVec(f"before{n}", 8) for n in range(4)]
    return around[0], around[1:4]


def lowest_eight(at, middle):
    line("target.rs", "(w.at & s.splat(0x7F)) | (middle.shl::<6>() & s.splat(0xC0))")
    return at & 0x7F | shl(middle, 6) & 0xC0


def basic(w):
    at, (first, second, _) = w
    line("target.rs", "let is_continuation = w.at.less(s.splat(LEAST_LEAD));")
    is_continuation = signed_less(at, BitVecVal(0xC0, 8))
    line("target.rs", "let middle = w.before[0].keep(is_continuation);")
    middle = keep(first, is_continuation)
    line("target.rs", "let lead = w.before[1].saturating_sub(s.splat(0xE0)).keep(is_continuation);")
    lead = keep(If(UGE(second, 0xE0), second - 0xE0, BitVecVal(0, 8)), is_continuation)
    line("target.rs", "let high = (middle.shr::<2>() & s.splat(0x0F)) | lead.shl::<4>();")
    # Where no byte is above EF, no lead in a neighbour is above 0F, and no bit of it comes in.
    high = shr(middle, 2) & 0x0F | lead << 4
    line("target.rs", "[lowest_eight(s, w, middle), high, s.splat(0)]")
    return Concat(high, lowest_eight(at, middle))


def lowest_sixteen(w):
    at, (first, second, _) = w
    line("target.rs", "let long = w.at.less(s.splat(LEAST_LEAD));")
    long = signed_less(at, BitVecVal(0xC0, 8))
    line("target.rs", "let middle = first.keep(long);")
    middle = keep(first, long)
    line("target.rs", "let lead = second.keep(long & first.less(s.splat(LEAST_LEAD)));")
    lead = keep(second, And(long, signed_less(first, BitVecVal(0xC0, 8))))
    line("target.rs", "let high = (middle.shr::<2>() & s.splat(0x0F)) | (lead.shl::<4>() & s.splat(0xF0));")
    high = shr(middle, 2) & 0x0F | shl(lead, 4) & 0xF0
    return lowest_eight(at, middle), high


def up_to_two(w):
    at, (first, _, _) = w
    line("target.rs", "let middle = w.before[0].keep(w.at.less(s.splat(LEAST_LEAD)));")
    middle = keep(first, signed_less(at, BitVecVal(0xC0, 8)))
    line("target.rs", "[lowest_eight(s, w, middle), middle.shr::<2>() & s.splat(0x07), s.splat(0)]")
    return Concat(shr(middle, 2) & 0x07, lowest_eight(at, middle))


def utf16(w, third, fourth):
    at, (first, second, _) = w
    low, high = lowest_sixteen(w)
    line("target.rs", "let high = high.replace(fours.fourth, (high & s.splat(0x03)) | s.splat(0xDC));")
    high = If(fourth, high & 0x03 | 0xDC, high)
    line("target.rs", "let bits = (first.shl::<2>() & s.splat(0xFC)) | (w.at.shr::<4>() & s.splat(0x03));")
    upper = shl(first, 2) & 0xFC | shr(at, 4) & 0x03
    line("target.rs", "let carry = s.splat(1).keep(bits.at_least(s.splat(0x40)));")
    carry = keep(BitVecVal(1, 8), UGE(upper, 0x40))
    line("target.rs", "let low = low.replace(fours.third, bits + s.splat(0xC0));")
    low = If(third, upper + 0xC0, low)
    line("target.rs", "let high = high.replace(fours.third, (second & s.splat(0x07)) + s.splat(0xD7) + carry);")
    high = If(third, (second & 0x07) + 0xD7 + carry, high)
    return Concat(high, low)


def utf32(w, fourth):
    _, (_, second, third) = w
    low, high = lowest_sixteen(w)
    line("target.rs", "let upper = (second.shr::<4>() & s.splat(0x03)) | (third.shl::<2>() & s.splat(0x1C));")
    upper = shr(second, 4) & 0x03 | shl(third, 2) & 0x1C
    line("target.rs", "[low, high, upper.keep(fours.fourth)]")
    return Concat(BitVecVal(0, 8), keep(upper, fourth), high, low)


def units(c):
    """The surrogates of a supplementary code point."""
    return Extract(15, 0, 0xD7C0 + LShR(c, 10)), Extract(15, 0, 0xDC00 | c & 0x3FF)


for length, (sequence, condition) in LENGTHS.items():
    if length < 4:
        wrong = utf16(window(sequence, 0), False, False) != Extract(15, 0, c)
        prove(f"{length} bytes of UTF-8 to UTF-16", wrong, condition)
        # A character ends before the sequence.
        wrong = basic(window(sequence, 0)) != Extract(15, 0, c)
        prove(f"{length} bytes of UTF-8 by the rules up to U+FFFF", wrong, condition, ULT(BitVec("before0", 8), 0xC0))
    else:
        high, low = units(c)
        prove("third of 4 bytes of UTF-8 to the high surrogate", utf16(window(sequence, 1), True, False) != high, condition)
        prove("4 bytes of UTF-8 to the low surrogate", utf16(window(sequence, 0), False, True) != low, condition)
    if length < 3:
        prove(f"{length} bytes of UTF-8 by the short rules", up_to_two(window(sequence, 0)) != Extract(15, 0, c), condition)
    prove(f"{length} bytes of UTF-8 to UTF-32", utf32(window(sequence, 0), length == 4) != c, condition)


# Characters of three bytes, a run at once: what is taken is what is well-formed, and becomes its unit.
b1, b2, b3 = (BitVec(name, 8) for name in ("lead", "second", "third"))
for level, load in ("avx2", "_mm256"), ("avx512/ops", "_mm512"):
    threes = f"../vector/x86/{level}.rs"
    line(threes, f"let bits = {load}_and_si{load[3:]}(tails, {load}_set1_epi8(0x3F));")
    line(threes, f"let lower = {load}_maddubs_epi16(bits, {load}_set1_epi16(0x4001));")
    line(threes, f"let units = {load}_or_si{load[3:]}(lower, {load}_slli_epi16::<4>(leads));")
    line(threes, f"{load}_andnot_si{load[3:]}({load}_set1_epi8(0x3F), {load}_xor_si{load[3:]}(tails, {load}_set1_epi8(-0x80)));")
    line(threes, f"{load}_xor_si{load[3:]}(leads, {load}_set1_epi16(0xE000_u16 as i16)),")
    line(threes, f"let upper = {load}_and_si{load[3:]}(units, {load}_set1_epi16(0xF800_u16 as i16));")
unit = ZeroExt(8, b3 & 0x3F) + ZeroExt(8, b2 & 0x3F) * 0x40 | Concat(b1, BitVecVal(0, 8)) << 4
upper = unit & 0xF800
bad = Or((b3 ^ 0x80) & 0xC0 != 0, (b2 ^ 0x80) & 0xC0 != 0, (Concat(b1, BitVecVal(0, 8)) ^ 0xE000) & 0xF000 != 0)
bad = Or(bad, upper == 0, upper == 0xD800)
tail = [And(UGE(byte, 0x80), ULE(byte, 0xBF)) for byte in (b2, b3)]
abnf = And(UGE(b1, 0xE0), ULE(b1, 0xEF), tail[1], If(b1 == 0xE0, And(UGE(b2, 0xA0), tail[0]), If(b1 == 0xED, And(ULE(b2, 0x9F), tail[0]), tail[0])))
prove("a run of 3 bytes each takes what is well-formed", Not(bad) != abnf)
of_three = [b1 == LENGTHS[3][0][2], b2 == LENGTHS[3][0][1], b3 == LENGTHS[3][0][0]]
prove("a run of 3 bytes each to UTF-16", unit != Extract(15, 0, c), And(LENGTHS[3][1], *of_three))


def utf8_of_unit(lower, upper):
    """The last, middle and first byte of what one unit below the surrogates, or above, becomes."""
    line("from_utf16/utf8.rs", "let last = lower.replace(wide, (lower & s.splat(0x3F)) | s.splat(0x80));")
    last = lower & 0x3F | 0x80
    line("from_utf16/utf8.rs", "let middle = (upper.shl::<2>() & s.splat(0x3C)) | (lower.shr::<6>() & s.splat(0x03));")
    middle = shl(upper, 2) & 0x3C | shr(lower, 6) & 0x03
    line("from_utf16/utf8.rs", "let first = (upper.shr::<4>() & s.splat(0x0F)) | s.splat(0xE0);")
    first = shr(upper, 4) & 0x0F | 0xE0
    return last, middle, first


lower, upper = byte(c), Extract(15, 8, c)
last, middle, first = utf8_of_unit(lower, upper)
line("from_utf16/utf8.rs", "s.put_one_or_two([middle | s.splat(0xC0), last], two, out, written);")
prove("a unit of UTF-16 to 2 bytes", Or(last != LENGTHS[2][0][0], middle | 0xC0 != LENGTHS[2][0][1]), LENGTHS[2][1])
line("from_utf16/utf8.rs", "let mut second = middle | s.splat(0x80).replace(s.lanes(two & !three), s.splat(0xC0));")
wrong = [mine != theirs for mine, theirs in zip((last, middle | 0x80, first), LENGTHS[3][0])]
prove("a unit of UTF-16 to 3 bytes", Or(wrong), LENGTHS[3][1])

# Surrogates: the high one becomes the first two bytes, the low one, with a look at the high one, the last two.
high, low = units(c)
lower, upper = Extract(7, 0, high), Extract(15, 8, high)
line("from_utf16/utf8.rs", "let plus = lower + s.splat(0x40);")
plus = lower + 0x40
line("from_utf16/utf8.rs", "let carry = s.splat(1).keep(lower.at_least(s.splat(0xC0)));")
carry = keep(BitVecVal(1, 8), UGE(lower, 0xC0))
line("from_utf16/utf8.rs", "let top = (upper & s.splat(0x03)) + carry;")
top = (upper & 0x03) + carry
line("from_utf16/utf8.rs", "second = second.replace(high, top | s.splat(0xF0));")
line("from_utf16/utf8.rs", "let end = (plus.shr::<2>() & s.splat(0x3F)) | s.splat(0x80);")
end = shr(plus, 2) & 0x3F | 0x80
prove("a high surrogate to the first two of 4 bytes", Or(top | 0xF0 != LENGTHS[4][0][3], end != LENGTHS[4][0][2]), LENGTHS[4][1])
last, middle, _ = utf8_of_unit(Extract(7, 0, low), Extract(15, 8, low))
line("from_utf16/utf8.rs", "let left = (before.shl::<4>() & s.splat(0x30)) | (middle & s.splat(0x0F)) | s.splat(0x80);")
left = shl(lower, 4) & 0x30 | middle & 0x0F | 0x80
prove("a low surrogate to the last two of 4 bytes", Or(left != LENGTHS[4][0][1], last != LENGTHS[4][0][0]), LENGTHS[4][1])

# CESU-8: each surrogate in three bytes, of which the kernel makes one or two of each byte of UTF-8, and back.
def three_bytes(unit):
    return [byte(LShR(unit, shift) & mask | mark) for shift, mask, mark in ((12, 0x0F, 0xE0), (6, 0x3F, 0x80), (0, 0x3F, 0x80))]


high_bytes, low_bytes = three_bytes(high), three_bytes(low)
b3, b2, b1, b0 = LENGTHS[4][0]


def six_bits(previous, at):
    line("cesu8_convert.rs", "let bits = (previous.shl::<2>() & s.splat(0x3C)) | (bytes.shr::<4>() & s.splat(0x03));")
    return shl(previous, 2) & 0x3C | shr(at, 4) & 0x03


line("cesu8_convert.rs", ".replace(second, bits + s.splat(0xA0 - 1));")
prove("the second of 4 bytes to a high surrogate's", six_bits(b0, b1) + (0xA0 - 1) != high_bytes[1], LENGTHS[4][1])
line("cesu8_convert.rs", "(bits | s.splat(0x80)).replace(fourth, (previous & s.splat(0x0F)) | s.splat(0xB0));")
prove("the third of 4 bytes to a high surrogate's", six_bits(b1, b2) | 0x80 != high_bytes[2], LENGTHS[4][1])
prove("the fourth of 4 bytes to a low surrogate's", Or(b2 & 0x0F | 0xB0 != low_bytes[1], b3 != low_bytes[2]), LENGTHS[4][1])
_, before, previous = high_bytes
line("cesu8_convert.rs", "let first = ((previous & low) + one).shr::<2>() & s.splat(0x07) | s.splat(0xF0);")
prove("a pair of surrogates to the first of 4 bytes", shr((before & 0x0F) + 1, 2) & 0x07 | 0xF0 != b0, LENGTHS[4][1])
line("cesu8_convert.rs", "let second = ((before & low) + one).shl::<4>() & s.splat(0x30) | previous.shr::<2>() & low;")
second = shl((before & 0x0F) + 1, 4) & 0x30 | shr(previous, 2) & 0x0F
prove("a pair of surrogates to the second of 4 bytes", second | 0x80 != b1, LENGTHS[4][1])
line("cesu8_convert.rs", "let third = before.shl::<4>() & s.splat(0x30) | bytes & low;")
third = shl(previous, 4) & 0x30 | low_bytes[1] & 0x0F
prove("a pair of surrogates to the last of 4 bytes", Or(third | 0x80 != b2, low_bytes[2] != b3), LENGTHS[4][1])

# In place: a pair, a code point and four bytes, each as one number, lowest byte first.
IN_PLACE = "../vector/x86/supplementary.rs"
pair = Concat(Extract(15, 0, low), Extract(15, 0, high))
line(IN_PLACE, "let bits = $add($and(units.0, $set(0x03FF_03FF)), $set(0x40));")
offsets = (pair & 0x03FF03FF) + 0x40
line(IN_PLACE, "Some(Bytes($join(bits, $set(0x0001_0400))))")
prove("a pair to its code point", (offsets & 0xFFFF) * 0x400 + LShR(offsets, 16) != c, LENGTHS[4][1])
line(IN_PLACE, "let upper = $add($down::<10>(code_points.0), $set(0xD800 - 0x40));")
line(IN_PLACE, "let lower = $and($up::<16>(code_points.0), $set(0x03FF_0000));")
prove("a code point to its pair", LShR(c, 10) + (0xD800 - 0x40) | c << 16 & 0x03FF0000 | 0xDC000000 != pair, LENGTHS[4][1])
for text in (
    "let kinds = $and(sequences.0, $set(0xC0C0_C0F8_u32 as i32));",
    "if !Bytes($xor(kinds, $set(0x8080_80F0_u32 as i32))).is_zero() {",
    "let bits = $and(sequences.0, $set(0x3F3F_3F07));",
    "let firsts = $and($up_units::<6>(bits), $set(0x0FC0_0FC0));",
    "let code_points = Bytes($join($or(firsts, $down_units::<8>(bits)), $set(0x0001_1000)));",
    "Bytes($and($sub(code_points.0, $set(0x1_0000)), $set(!0xF_FFFF))).is_zero();",
):
    line(IN_PLACE, text)
four = [BitVec(f"of_four{n}", 8) for n in range(4)]
sequence = Concat(*reversed(four))
kept = sequence & 0x3F3F3F07
halves = [Extract(15, 0, kept), Extract(31, 16, kept)]
halves = [ZeroExt(16, half << 6 & 0x0FC0 | LShR(half, 8)) for half in halves]
code_point = halves[0] * 0x1000 + halves[1]
taken = And(sequence & 0xC0C0C0F8 == 0x808080F0, (code_point - 0x10000) & ~0xFFFFF == 0)
tails = [And(UGE(byte, 0x80), ULE(byte, 0xBF)) for byte in four[1:]]
lead, second = four[:2]
abnf = And(UGE(lead, 0xF0), ULE(lead, 0xF4), *tails, Or(lead != 0xF0, UGE(second, 0x90)), Or(lead != 0xF4, ULE(second, 0x8F)))
prove("a run of 4 bytes each takes what is well-formed", taken != abnf)
prove("4 bytes to their code point", code_point != c, LENGTHS[4][1], sequence == Concat(b3, b2, b1, b0))
line(IN_PLACE, "let lower = $and($up::<16>(code_points.0), $set(0x0FFF_0000));")
line(IN_PLACE, "let halves = $or($down::<12>(code_points.0), lower);")
halves = LShR(c, 12) | c << 16 & 0x0FFF0000
line(IN_PLACE, "let lower = $and($up_units::<8>(halves), $set(0x3F00_3F00));")
line(IN_PLACE, "let bits = $or($down_units::<6>(halves), lower);")
line(IN_PLACE, "Bytes($or(bits, $set(0x8080_80F0_u32 as i32)))")
units_of = [Extract(15, 0, halves), Extract(31, 16, halves)]
parts = [LShR(unit, 6) | unit << 8 & 0x3F00 for unit in units_of]
prove("a code point to its 4 bytes", Concat(parts[1], parts[0]) | 0x808080F0 != Concat(b3, b2, b1, b0), LENGTHS[4][1])

# One unit of UTF-16 and what it becomes as one number, first byte lowest, on AVX-512.
AVX512 = "../vector/x86/avx512/units.rs"
QUADS = "../vector/x86/avx512/quads.rs"
unit = Extract(15, 0, c)
for text in (
    "let places = 0x3036_2026_1016_0006;",
    "bits: pair::<KEEP>(s, 0x3F3F),",
    "marks: pair::<KEEP>(s, 0x80C0),",
    "let bytes = _mm512_multishift_epi64_epi8(ends.places.0, bits.0);",
    "let bits = _mm512_and_si512(bytes, ends.bits.0);",
    "(Bytes(_mm512_mask_add_epi16(bytes, two, bits, ends.marks.0)), two)",
    "lanes: pair::<KEEP>(s, 0x0002)",
    "lanes: quad::<KEEP>(s, 0x0002_0101),",
    "lead: pair::<KEEP>(s, 0xE0),",
    "less: pair::<KEEP>(s, 0x40),",
    "Bytes(_mm512_maskz_add_epi16(three, _mm512_srli_epi16::<12>(units.0), lead.0));",
):
    line(AVX512, text)


def two_bytes(unit):
    """Of each unit, by its place in eight bytes, eight bits from the seventh on and the lowest eight."""
    eight = Concat(*[unit if place == 3 else BitVecVal(0, 16) for place in range(4)])
    places = [0x3036202610160006 >> 8 * place & 0xFF for place in range(2)]
    return Concat(*[Extract(place + 7, place, eight) for place in reversed(places)])


bytes_of = two_bytes(unit)
end = (bytes_of & 0x3F3F) + 0x80C0
wrong = Or(Extract(15, 8, bytes_of) != LENGTHS[1][0][0], UGE(Extract(7, 0, bytes_of), 2))
prove("a unit of ASCII to one byte that counts", wrong, LENGTHS[1][1])
prove("a unit of UTF-16 to 2 bytes at once", end != Concat(*LENGTHS[2][0]), LENGTHS[2][1])
prove("a unit of UTF-16 to 2 bytes that count", ULT(Extract(7, 0, end), 2), LENGTHS[2][1])
start = LShR(unit, 12) + 0xE0
wrong = Or(end - 0x40 != Concat(*LENGTHS[3][0][:2]), start != ZeroExt(8, LENGTHS[3][0][2]))
prove("a unit of UTF-16 to 3 bytes at once", wrong, LENGTHS[3][1])
prove("a unit of UTF-16 to 3 bytes that count", ULT(Extract(7, 0, end - 0x40), 2), LENGTHS[3][1])

# Of a pair, the high surrogate becomes the first two bytes and the low one the last two.
for text in (
    "plus: pair::<KEEP>(s, 0x2840),",
    "one: pair::<KEEP>(s, 0x400),",
    "mark: pair::<KEEP>(s, 0x70),",
    "let more = _mm512_add_epi16(units.0, mixed.plus.0);",
    "let left = _mm512_add_epi16(_mm512_slli_epi16::<10>(before.0), mixed.one.0);",
    "let bits = _mm512_mask_srli_epi16::<2>(units.0, is_first, more);",
    "Bytes(_mm512_mask_add_epi16(bits, is_second, units.0, left))",
):
    line(AVX512, text)
upper = (two_bytes(LShR(high + 0x2840, 2)) & 0x3F3F) + 0x80C0 - 0x40 + 0x70
lower = (two_bytes(low + (high << 10) + 0x400) & 0x3F3F) + 0x80C0 - 0x40
prove("a pair to its 4 bytes at once", Or(upper != Concat(b1, b0), lower != Concat(b3, b2)), LENGTHS[4][1])
prove("a pair to 4 bytes that count", Or(ULT(Extract(7, 0, upper), 2), ULT(Extract(7, 0, lower), 2)), LENGTHS[4][1])

# A pair as two units, the lower and the upper half of its code point.
line(QUADS, "let tens = (_mm512_slli_epi16::<10>(before.0), _mm512_and_si512(units.0, bits));")
line(QUADS, "let lower = _mm512_mask_add_epi16(units.0, is_second, tens.0, tens.1);")
line(QUADS, "_mm512_maskz_sub_epi16(is_second, _mm512_srli_epi16::<6>(before.0), _mm512_set1_epi16(0x35F));")
halves = Concat(LShR(high, 6) - 0x35F, (high << 10) + (low & 0x03FF))
prove("a pair to the halves of its code point", halves != c, LENGTHS[4][1])

# Thirty-two units below 800h on AVX2, whose bytes are made apart; packing saturates, and here nothing is too large for it.
AVX2 = "../vector/x86/avx2/units.rs"
line(AVX2, "let (bits, mark) = (_mm256_set1_epi16(0x3F), _mm256_set1_epi16(0x80));")
line(AVX2, "let ascii = _mm256_packus_epi16(_mm256_min_epu16(a, mark), _mm256_min_epu16(b, mark));")
line(AVX2, "_mm256_or_si256(_mm256_packus_epi16(_mm256_and_si256(a, bits), _mm256_and_si256(b, bits)), ascii);")
line(AVX2, "let lead = _mm256_packus_epi16(_mm256_srli_epi16::<6>(a), _mm256_srli_epi16::<6>(b));")
line(AVX2, "let lead = _mm256_or_si256(lead, _mm256_set1_epi8(0xC0_u8 as i8));")
unit = Extract(15, 0, c)
last = unit & 0x3F | If(ULT(unit, 0x80), unit, BitVecVal(0x80, 16))
lead = LShR(unit, 6)
prove("packing makes one byte of what is below 800h", Or(UGE(last, 0x100), UGE(lead, 0x100)), ULT(c, 0x800))
prove("a unit of ASCII to its byte", Extract(7, 0, last) != LENGTHS[1][0][0], LENGTHS[1][1])
wrong = Or(Extract(7, 0, last) != LENGTHS[2][0][0], Extract(7, 0, lead) | 0xC0 != LENGTHS[2][0][1])
prove("a unit below 800h to 2 bytes", wrong, LENGTHS[2][1])
