// Unpacks the module and the names, in a worker. What repeats is told as in LZMA, which makes a quarter less of them than what browsers unpack
// themselves; the probabilities of bits are those of odds.js, which makes 3 percent less again.

/** Reads bits of known probability. */
function bitReader(packed, start) {
  const { contexts, bit } = bitCoder();
  const [LOW, HIGH, CODE] = [0, 1, 2];
  const range = new Uint32Array(3);
  let at = start;
  const take = (odds) => {
    // The bytes with which low and high begin alike have done their work: at the start, all four.
    for (; !((range[LOW] ^ range[HIGH]) >>> 24); range[LOW] <<= 8) {
      range[HIGH] = (range[HIGH] << 8) | 255;
      range[CODE] = (range[CODE] << 8) | packed[at++];
    }
    const middle = range[LOW] + Math.floor((range[HIGH] - range[LOW]) * odds);
    if (range[CODE] > middle) {
      range[LOW] = middle + 1;
      return 0;
    }
    range[HIGH] = middle;
    return 1;
  };
  return { contexts, bit: (of, nth) => bit(of, nth, take), even: () => take(0.5) };
}

/**
 * The bytes that are packed: a byte of settings and four of the length, as in the format .lzma, then the bits.
 * @param {Uint8Array} packed
 */
function unpacked(packed, { contexts: fresh, bit, even: half } = bitReader(packed, 5)) {
  const view = new DataView(packed.buffer, packed.byteOffset);
  const literalBits = packed[0] % 9;
  const rest = Math.floor(packed[0] / 9);
  const [literalMask, placeMask] = [(1 << (rest % 5)) - 1, (1 << Math.floor(rest / 5)) - 1];
  const out = new Uint8Array(view.getUint32(1, true));

  const tree = (of, from, bits) => {
    let node = 1;
    for (let n = 0; n < bits; n++) node = (node << 1) | bit(of, from + node);
    return node - (1 << bits);
  };
  const backward = (of, from, bits) => {
    let [node, value] = [1, 0];
    for (let n = 0; n < bits; n++) {
      const next = bit(of, from + node);
      node = (node << 1) | next;
      value |= next << n;
    }
    return value;
  };
  const even = (bits) => {
    let value = 0;
    for (; bits; bits--) value = (value << 1) | half();
    return value;
  };
  const lengths = () => ({ choice: fresh(2), low: fresh(16 << 3), mid: fresh(16 << 3), high: fresh(256) });
  const length = ({ choice, low, mid, high }, place) => {
    if (!bit(choice, 0)) return 2 + tree(low, place << 3, 3);
    return bit(choice, 1) ? 18 + tree(high, 0, 8) : 10 + tree(mid, place << 3, 3);
  };

  const literals = fresh(0x300 << (literalBits + (rest % 5)));
  const isMatch = fresh(12 << 4);
  const [isAgain, isSecond, isThird, isFourth, isLong] = [fresh(12), fresh(12), fresh(12), fresh(12), fresh(12 << 4)];
  const [slots, near, align] = [fresh(4 << 6), fresh(128), fresh(16)];
  const [first, again] = [lengths(), lengths()];
  let [a, b, c, d] = [0, 0, 0, 0];
  let state = 0;

  for (let to = 0; to < out.length; ) {
    const place = to & placeMask;
    if (!bit(isMatch, (state << 4) + place)) {
      const from = 0x300 * (((to & literalMask) << literalBits) + ((to ? out[to - 1] : 0) >> (8 - literalBits)));
      let node = 1;
      if (state >= 7) {
        let same = out[to - a - 1];
        do {
          const guess = (same >> 7) & 1;
          same <<= 1;
          const next = bit(literals, from + ((1 + guess) << 8) + node);
          node = (node << 1) | next;
          if (next !== guess) break;
        } while (node < 0x100);
      }
      while (node < 0x100) node = (node << 1) | bit(literals, from + node);
      out[to++] = node;
      state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
      continue;
    }
    let count = 1;
    if (!bit(isAgain, state)) {
      [b, c, d] = [a, b, c];
      count = length(first, place);
      state = state < 7 ? 7 : 10;
      const slot = tree(slots, Math.min(count - 2, 3) << 6, 6);
      a = slot;
      if (slot > 3) {
        const bits = (slot >> 1) - 1;
        a = (2 | (slot & 1)) << bits;
        a += slot < 14 ? backward(near, a - slot, bits) : (even(bits - 4) << 4) + backward(align, 0, 4);
      }
    } else if (!bit(isSecond, state)) {
      if (bit(isLong, (state << 4) + place)) {
        count = length(again, place);
        state = state < 7 ? 8 : 11;
      } else {
        state = state < 7 ? 9 : 11;
      }
    } else {
      if (!bit(isThird, state)) [a, b] = [b, a];
      else if (!bit(isFourth, state)) [a, b, c] = [c, a, b];
      else [a, b, c, d] = [d, a, b, c];
      count = length(again, place);
      state = state < 7 ? 8 : 11;
    }
    for (; count; count--, to++) out[to] = out[to - a - 1];
  }
  return out;
}

onmessage = ({ data }) => {
  const bytes = unpacked(Uint8Array.from(atob(data), (c) => c.charCodeAt(0)));
  postMessage(bytes.buffer, [bytes.buffer]);
};
