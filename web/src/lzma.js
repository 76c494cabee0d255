// Unpacks LZMA, which makes a quarter less of a module and of names than what browsers unpack themselves. Runs in a worker.

/** A probability of one. */
const ONE = 1 << 11;

/**
 * The bytes that a file of the format .lzma holds. The length in its header must be known.
 * @param {Uint8Array} packed
 */
function unlzma(packed) {
  const view = new DataView(packed.buffer, packed.byteOffset);
  const literalBits = packed[0] % 9;
  const rest = Math.floor(packed[0] / 9);
  const [literalMask, placeMask] = [(1 << (rest % 5)) - 1, (1 << Math.floor(rest / 5)) - 1];
  const out = new Uint8Array(view.getUint32(5, true));
  const fresh = (count) => new Uint16Array(count).fill(ONE / 2);

  // The range coder.
  let at = 18;
  let range = -1;
  let code = view.getUint32(14);

  const bit = (of, nth) => {
    const odds = of[nth];
    const bound = (range >>> 11) * odds;
    let value = 0;
    if (code >>> 0 < bound >>> 0) {
      range = bound;
      of[nth] = odds + ((ONE - odds) >> 5);
    } else {
      range -= bound;
      code -= bound;
      of[nth] = odds - (odds >> 5);
      value = 1;
    }
    if (range >>> 0 < 0x1000000) {
      range <<= 8;
      code = (code << 8) | packed[at++];
    }
    return value;
  };
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
    for (; bits; bits--) {
      range >>>= 1;
      const next = code >>> 0 >= range ? 1 : 0;
      if (next) code -= range;
      value = (value << 1) | next;
      if (range >>> 0 < 0x1000000) {
        range <<= 8;
        code = (code << 8) | packed[at++];
      }
    }
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
  const bytes = unlzma(Uint8Array.from(atob(data), (c) => c.charCodeAt(0)));
  postMessage(bytes.buffer, [bytes.buffer]);
};
