"""Proves that the validator's tables say what RFC 3629's ABNF says, with z3 (pip install z3-solver).

The tables are read from the source, so a change there is proved anew. Each formula stands here beside the line of the source
that it is a transcription of, and the script stops when that line is no longer there. What is shown, for all bytes b3 b2 b1 b0 and every
state q that the grammar's automaton can be in before them:

  1. No false alarm: while the automaton goes on, the window that ends at b0 is not broken.
  2. No miss: where the automaton fails at b0, having gone on until b1, the window that ends at b0 is broken, or the one that
     ends at the byte after it whatever that is (a lead that never leads is found with what follows); and if nothing follows,
     something is unfinished.
  3. The end: while it goes on, `unfinished` is the number of bytes since the last sequence began.

By induction over the text, the windows of a text (with zeros before it and, by 3, looked at after it) are all unbroken and
nothing is unfinished if and only if the text is well-formed. The same for AVX-512's tables and additions, for the short rules that are
used where no byte is F0 or above, and for the way that text below E0 is read. And the rules for groups, which nothing from F0 on
keeps: below that the same three claims, and the byte after one from F0 on is broken whatever it is.
"""
import pathlib
import re

from z3 import And, BitVec, BitVecVal, If, LShR, Solver, UGE, ULE, ULT, sat, unsat

SOURCE = pathlib.Path(__file__).parent.parent / "crates/placemat/src/vector/grammar.rs"
SHORT_RULES = SOURCE.parent.parent / "kernel/utf8.rs"
GRAMMAR = SOURCE.parent / "x86/avx512/grammar.rs"
PAIRS = SOURCE.parent / "x86/avx512/pairs.rs"
LEVEL = SOURCE.parent / "x86/avx512.rs"


def line(file, text):
    """The line of the source that the next line here transcribes, or that a name there stands for."""
    assert text in file.read_text(), f"{file.name} no longer has: {text}"


def nibbles(low, high):
    return (0xFFFF >> (15 - high)) & (0xFFFF << low) & 0xFFFF


def read_rules():
    text = SOURCE.read_text()
    block = re.search(r"const RULES: \[Rule; 8\] = \[(.*?)\n\];", text, re.S).group(1)
    names = {"nibbles": nibbles, "ANY": 0xFFFF, "CONTINUATION": nibbles(8, 11), "rule": lambda *sets: sets}
    calls = re.findall(r"^\s*(rule\(.*\)),$", block.replace("!CONTINUATION", "(0xFFFF ^ CONTINUATION)"), re.M)
    return [eval(call, names) for call in calls]


RULES = read_rules()
assert len(RULES) == 8
line(SOURCE, "const AFTER_FOURS: [usize; 2] = [5, 6];")
line(SOURCE, "if basic && (bit == AFTER_FOURS[0] || bit == AFTER_FOURS[1]) {")
line(SOURCE, "first_low = ANY;")
RULES_BASIC = [(high, 0xFFFF if bit in (5, 6) else low, second) for bit, (high, low, second) in enumerate(RULES)]
TABLES, TABLES_BASIC = (
    [[sum((rule[which] >> n & 1) << bit for bit, rule in enumerate(rules)) for n in range(16)] for which in range(3)]
    for rules in (RULES, RULES_BASIC))
line(SOURCE, "pub(super) const FIRST_HIGH: [u8; 16] = table(0, false);")
line(SOURCE, "pub(super) const FIRST_LOW: [u8; 16] = table(1, false);")
line(SOURCE, "pub(super) const SECOND_HIGH: [u8; 16] = table(2, false);")
line(SOURCE, "pub(super) const FIRST_LOW_BASIC: [u8; 16] = table(1, true);")


def lookup(table, index):
    value = BitVecVal(table[-1], 8)
    for n in range(len(table) - 2, -1, -1):
        value = If(index == n, BitVecVal(table[n], 8), value)
    return value


def less(a, b):
    """Saturating difference."""
    return If(ULT(a, b), BitVecVal(0, 8), a - b)


line(SOURCE, "table[nibble] |= ((set >> nibble & 1) as u8) << bit;")
line(SOURCE, "first_high: s.tile(&FIRST_HIGH),")
line(SOURCE, "Nibbles::with(s, &FIRST_LOW)")
line(SOURCE, "Nibbles::with(s, &FIRST_LOW_BASIC)")
line(SOURCE, "first_low: s.tile(first_low),")
line(SOURCE, "second_high: s.tile(&SECOND_HIGH),")
line(SOURCE, "low: s.splat(0x0F),")


def pair(first, at, low_nibbles):
    line(SOURCE, "(first.shr::<4>() & self.low).lookup(self.first_high)")
    line(SOURCE, "& (first & self.low).lookup(self.first_low)")
    line(SOURCE, "& (w.at.shr::<4>() & self.low).lookup(self.second_high)")
    high, low, second = (lookup(table, index) for table, index in zip((TABLES[0], low_nibbles, TABLES[2]), (LShR(first, 4), first & 15, LShR(at, 4))))
    return high & low & second


line(SOURCE, "third: s.splat(0xE0 - 0x80),")
line(SOURCE, "fourth: s.splat(0xF0 - 0x80),")
line(SOURCE, "high: s.splat(0x80),")


def broken(b3, b2, b1, b0, fours=True, tables=TABLES):
    line(SOURCE, "let expected = second.saturating_sub(self.third) | third.saturating_sub(self.fourth);")
    line(SOURCE, "broken | ((w.before[1].saturating_sub(self.third) & self.high) ^ self.pair(w))")
    expected = less(b2, 0xE0 - 0x80) | (less(b3, 0xF0 - 0x80) if fours else 0)
    line(SOURCE, "broken | ((expected & self.high) ^ self.pair(w))")
    return (expected & 0x80) ^ pair(b1, b0, tables[1])


def unequal(b1, b0):
    line(SOURCE, "let is_after_lead = before.saturating_sub(s.splat(0xC0 - 0x80));")
    line(SOURCE, "is_after_lead.with_high_bit_flipped(bytes.less(s.splat(0xC0)))")
    return less(b1, 0xC0 - 0x80) ^ If(b0 < -64, BitVecVal(0x80, 8), BitVecVal(0, 8))  # signed


def unequal_avx512(b1, b0):
    line(GRAMMAR, "misplaced(bytes, lead(before))")
    return misplaced(b0, lead(b1))


def broken_two(b1, b0, unequal=unequal):
    """The way for text below E0 (`UpToTwo` in utf8.rs): a continuation follows a lead and nothing else, and C0, C1 are none."""
    line(SHORT_RULES, "let unequal = self.unequal | G::unequal(s, bytes, before);")
    line(SHORT_RULES, "UpToTwo { unequal, least: self.least.min(Self::ordered(s, bytes)) }")
    line(SHORT_RULES, "bytes ^ s.splat(0xE0)")
    line(SHORT_RULES, "(self.unequal & s.splat(0x80)) | s.splat(0x22).saturating_sub(self.least)")
    return (unequal(b1, b0) & 0x80) | less(BitVecVal(0x22, 8), b0 ^ 0xE0)


def has_more(b0):
    """Whether that way sees a byte from E0 on."""
    line(SHORT_RULES, "!s.splat(0x20).saturating_sub(self.least).is_zero()")
    return less(BitVecVal(0x20, 8), b0 ^ 0xE0) != 0


line(PAIRS, "const CONTINUES: u8 = 0x80;")
line(PAIRS, "grammar::FIRST_HIGH[byte >> 4] & first_low[byte & 15] & !(CONTINUES | 0b11);")
line(PAIRS, "const FIRSTS: [[u8; 64]; 2] = firsts(&grammar::FIRST_LOW);")
line(PAIRS, "const FIRSTS_BASIC: [[u8; 64]; 2] = firsts(&grammar::FIRST_LOW_BASIC);")
line(PAIRS, "Pairs::with(s, &FIRSTS)")
line(PAIRS, "Pairs::with(s, &FIRSTS_BASIC)")


def broken_avx512(b3, b2, b1, b0, fours=True, tables=TABLES):
    line(PAIRS, "expect: [s.splat(0xC0 - 0x80), s.splat(0xE0 - 0x80), s.splat(0xF0 - 0x80)],")
    line(PAIRS, "let fourth = w.before[2].saturating_sub(self.expect[2]);")
    line(PAIRS, "w.before[0].saturating_sub(self.expect[0]) | w.before[1].saturating_sub(self.expect[1])")
    line(PAIRS, "self.broken_at(broken, w, self.expected(w) | fourth)")
    line(PAIRS, "self.broken_at(broken, w, self.expected(w))")
    expected = less(b1, 0xC0 - 0x80) | less(b2, 0xE0 - 0x80) | (less(b3, 0xF0 - 0x80) if fours else 0)
    # The shifts of eight bytes, from the lowest on; the instruction looks at four bits of what each leads to.
    line(PAIRS, "_mm512_set1_epi64(0x3C34_2C24_1C14_0C04)")
    line(PAIRS, "let upper = _mm512_multishift_epi64_epi8(self.upper, w.at.0);")
    line(PAIRS, "seconds: s.tile(&grammar::SECOND_HIGH),")
    line(PAIRS, "let is = Bytes(_mm512_permutexvar_epi8(upper, self.seconds.0));")
    second = lookup(TABLES[2], LShR(b0, 4))
    # The instruction looks at seven bits of the index.
    line(PAIRS, "firsts: [s.load(&firsts[0], 0), s.load(&firsts[1], 0)],")
    line(PAIRS, "let forbidden = Bytes(_mm512_permutex2var_epi8(self.firsts[0].0, w.before[0].0, self.firsts[1].0));")
    firsts = [tables[0][b >> 4] & tables[1][b & 15] & ~(0x80 | 0b11) & 0xFF for b in range(0x80, 0x100)]
    forbidden = lookup(firsts, b1 & 0x7F)
    line(PAIRS, "high: s.splat(CONTINUES),")
    line(PAIRS, "broken | forbidden & is | (expected ^ is) & self.high")
    return (forbidden & second) | ((expected ^ second) & 0x80)


def read_shifts():
    """What is added to the byte after a lead, for leads up to F4 and up to EF: the arms of `shifts`."""
    line(GRAMMAR, "let mut shifts = [0; 64];")
    line(GRAMMAR, "let mut lead = 0xC2;")
    line(GRAMMAR, "while lead <= greatest {")
    line(GRAMMAR, "const SHIFTS: [u8; 64] = shifts(0xF4);")
    line(GRAMMAR, "const SHIFTS_BASIC: [u8; 64] = shifts(0xEF);")
    arms = re.search(r"shifts\[lead as usize - 0xC0\] = match lead \{(.*?)\} as u8;", GRAMMAR.read_text(), re.S).group(1)
    arms = re.findall(r"^\s*([^/\s][^=]*?) => (.*),$", arms, re.M)
    assert [pattern for pattern, _ in arms] == ["0xE0", "0xED", "0xF0", "0xF4", "_"], arms
    *single, (_, other) = arms
    single = {int(lead, 16): value for lead, value in single}
    of = lambda lead, greatest: eval(single.get(lead, other)) & 0xFF if 0xC2 <= lead <= greatest else 0
    return [[of(lead, greatest) for lead in range(0xC0, 0x100)] for greatest in (0xF4, 0xEF)]


SHIFTS, SHIFTS_BASIC = read_shifts()


def lead(byte):
    line(GRAMMAR, "bytes & (bytes + bytes)")
    return byte & (byte + byte)


def shifted(b1, b0, shifts=SHIFTS):
    # The instruction looks at six bits of the index.
    line(GRAMMAR, "shifts: s.load(shifts, 0),")
    line(GRAMMAR, "w.at + Bytes(_mm512_permutexvar_epi8(w.before[0].0, self.shifts.0));")
    return b0 + lookup(shifts, b1 & 0x3F)


def misplaced(byte, due):
    line(GRAMMAR, "Bytes(_mm512_ternarylogic_epi64::<0xB4>(due.0, bytes.0, (bytes + bytes).0));")
    return due ^ (byte & ~(byte + byte))


def or_overflow(due, byte, addend):
    line(GRAMMAR, "Bytes(_mm512_ternarylogic_epi64::<0xF4>(due.0, bytes.0, (bytes + addend).0));")
    return due | (byte & ~(byte + addend))


def broken_additions(b3, b2, b1, b0, fours=True, shifts=SHIFTS):
    """How AVX-512 looks at many vectors (`Additions` in avx512/grammar.rs)."""
    line(GRAMMAR, "Additions::with(s, &SHIFTS)")
    line(GRAMMAR, "Additions::with(s, &SHIFTS_BASIC)")
    line(GRAMMAR, "overflow: [s.splat(0xE0_u8.wrapping_neg()), s.splat(0xF0_u8.wrapping_neg())],")
    line(GRAMMAR, "broken | self.wrong(w, lead, or_overflow(lead, w.before[1], self.overflow[0]))")
    due = or_overflow(lead(b1), b2, 0x100 - 0xE0)
    if fours:
        line(GRAMMAR, "let due = or_overflow(lead, w.before[1], self.overflow[0]);")
        line(GRAMMAR, "broken | self.wrong(w, lead, or_overflow(due, w.before[2], self.overflow[1]))")
        due = or_overflow(due, b3, 0x100 - 0xF0)
    line(GRAMMAR, "_mm512_ternarylogic_epi64::<0xF8>(misplaced(w.at, due).0, lead.0, self.shifted(w).0)")
    line(GRAMMAR, "broken & s.splat(0x80)")
    return (misplaced(b0, due) | (lead(b1) & shifted(b1, b0, shifts))) & 0x80


def broken_alone(b3, b2, b1, b0, _=True):
    """How AVX-512 looks at a vector alone (`broken_alone` in avx512/grammar.rs)."""
    line(GRAMMAR, "let [first, second, third] = w.before;")
    line(GRAMMAR, "let due = lead | second.saturating_sub(s.splat(0xE0 - 0x80)) | third.saturating_sub(s.splat(0xF0 - 0x80));")
    due = lead(b1) | less(b2, 0xE0 - 0x80) | less(b3, 0xF0 - 0x80)
    line(GRAMMAR, "let is = w.at & ((w.at + w.at) ^ s.splat(0xFF));")
    is_tail = b0 & ((b0 + b0) ^ 0xFF)
    line(GRAMMAR, "(lead & Additions::new(s).shifted(w)) | (due ^ is)")
    line(LEVEL, "grammar::broken_alone(self, w).high_bits()")
    return ((lead(b1) & shifted(b1, b0)) | (due ^ is_tail)) & 0x80


# The automaton of RFC 3629: what may follow, and which state comes then. State 0 is between sequences.
TAIL = (0x80, 0xBF)
AUTOMATON = {
    0: [((0x00, 0x7F), 0), ((0xC2, 0xDF), 1), ((0xE0, 0xE0), 4), ((0xE1, 0xEC), 2), ((0xED, 0xED), 5), ((0xEE, 0xEF), 2),
        ((0xF0, 0xF0), 6), ((0xF1, 0xF3), 3), ((0xF4, 0xF4), 7)],
    1: [(TAIL, 0)], 2: [(TAIL, 1)], 3: [(TAIL, 2)],
    4: [((0xA0, 0xBF), 1)], 5: [((0x80, 0x9F), 1)], 6: [((0x90, 0xBF), 2)], 7: [((0x80, 0x8F), 2)],
}
FAIL = 8


def step(state, byte):
    after = BitVecVal(FAIL, 4)
    for q, edges in AUTOMATON.items():
        for (low, high), to in edges:
            after = If(And(state == q, UGE(byte, low), ULE(byte, high)), BitVecVal(to, 4), after)
    return after


def unfinished(b3, b2, b1):
    line(SOURCE, "[.., last] if last >= 0xC0 => 1,")
    line(SOURCE, "[.., last, _] if last >= 0xE0 => 2,")
    line(SOURCE, "[.., last, _, _] if last >= 0xF0 => 3,")
    three = If(UGE(b3, 0xF0), BitVecVal(3, 8), BitVecVal(0, 8))
    return If(UGE(b1, 0xC0), BitVecVal(1, 8), If(UGE(b2, 0xE0), BitVecVal(2, 8), three))


after = BitVec("after", 8)
B = [BitVec(f"b{n}", 8) for n in range(4)]
b0, b1, b2, b3 = B
q = BitVec("q", 4)
before = step(step(step(q, b3), b2), b1)
runs = [ULE(q, 7), before != FAIL]
# The bytes since state 0 was left, counted along the way.
count = BitVecVal(0, 8)
state = q
for byte in (b3, b2, b1):
    state = step(state, byte)
    count = If(state == 0, BitVecVal(0, 8), count + 1)


def prove(what, *assumptions):
    solver = Solver()
    solver.add(*assumptions)
    answer = solver.check()
    print(f"{'proved' if answer == unsat else 'REFUTED'}: {what}" + (f" by {solver.model()}" if answer == sat else ""))
    assert answer == unsat, what


basic = [ULT(b, 0xF0) for b in B]
for name, rules in (("tables of nibbles", broken), ("tables of AVX-512", broken_avx512),
                    ("additions of AVX-512", broken_additions), ("additions of AVX-512 for one vector", broken_alone)):
    prove(f"{name}: no false alarm", *runs, step(before, b0) != FAIL, rules(b3, b2, b1, b0) != 0)
    missed = [*runs, step(before, b0) == FAIL, rules(b3, b2, b1, b0) == 0]
    prove(f"{name}: no miss before another byte", *missed, rules(b2, b1, b0, after) == 0)
    prove(f"{name}: no miss at the end", *missed, unfinished(b2, b1, b0) == 0)
    prove(f"{name}: the short rules are the same below F0", *basic,
          (rules(b3, b2, b1, b0, False) == 0) != (rules(b3, b2, b1, b0) == 0))
for name, rules, reduced in (("tables of nibbles", broken, TABLES_BASIC), ("tables of AVX-512", broken_avx512, TABLES_BASIC),
                             ("additions of AVX-512", broken_additions, SHIFTS_BASIC)):
    groups = lambda *window: rules(*window, False, reduced)
    prove(f"{name}: for groups below F0, no false alarm", *basic, *runs, step(before, b0) != FAIL, groups(b3, b2, b1, b0) != 0)
    missed = [*basic, *runs, step(before, b0) == FAIL, groups(b3, b2, b1, b0) == 0]
    prove(f"{name}: for groups below F0, no miss before another byte", *missed, groups(b2, b1, b0, after) == 0)
    prove(f"{name}: for groups below F0, no miss at the end", *missed, unfinished(b2, b1, b0) == 0)
    prove(f"{name}: for groups, nothing may follow F0 to FF", UGE(b1, 0xF0), groups(b3, b2, b1, b0) == 0)
below = [ULT(b, 0xE0) for b in B]
prove("the way for text below E0 sees bytes from E0 on, and no others", has_more(b0) != UGE(b0, 0xE0))
prove("where there are such bytes, that way fails", UGE(b0, 0xE0), broken_two(b1, b0) == 0)
for name, differ in (("", unequal), ("with AVX-512, ", unequal_avx512)):
    prove(f"{name}the way for text below E0 fails where the automaton does", *below, *runs,
          (step(before, b0) == FAIL) != (broken_two(b1, b0, differ) != 0))
# Three bytes hold the start of any unfinished sequence: seen from any state, the count is right unless it began before them,
# and then a fourth byte has ended it.
left = unfinished(b3, b2, b1)
prove("what is unfinished at the end, from a boundary on", before != FAIL, q == 0, count != left)
prove("what is unfinished at the end, from inside a sequence on", *runs, (before == 0) != (left == 0))
# AVX-512 looks at the last three bytes of a vector, from the highest bits of differences.
line(GRAMMAR, "(ends[61], ends[62], ends[63]) = (0xF0 - 0x80, 0xE0 - 0x80, 0xC0 - 0x80);")
line(GRAMMAR, "last.saturating_sub(s.load(&ENDS, 0));")
goes_on = (less(b3, 0xF0 - 0x80) | less(b2, 0xE0 - 0x80) | less(b1, 0xC0 - 0x80)) & 0x80
prove("what is unfinished at the end, by AVX-512", (goes_on != 0) != (left != 0))
