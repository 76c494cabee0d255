// The names of all characters as one text, for the page: what a module of names says of each code point. Its words are numbered, which
// makes a tenth less of it once it is packed; crates/placemat-page/src/names.rs reads it.

/** So many code points are asked at once. */
const AT_ONCE = 1 << 16;

/** A word that is in so many places has a number. */
const OFTEN = 4;

/** So many words have a number of one byte, from 80 on; those of the rest have two bytes, the first from D0 on. */
const SHORT = 0x50;

/** The syllables of Hangul, whose names the page makes itself. */
const SYLLABLES = [0xac00, 0xd7a3];

/**
 * The names as [`linesOf`] has them, in bytes: the words that have a number, a line each, an empty line, and the lines. In them bytes
 * from 80 on are the number of a word, with the space behind it; other words are spelled.
 * @param {Uint8Array} file
 */
export function namesOf(file) {
  const lines = linesOf(file).map((line) => line.split(" "));
  const counts = new Map();
  for (const word of lines.flat()) counts.set(word, (counts.get(word) ?? 0) + 1);
  const words = [...counts.keys()].filter((word) => counts.get(word) >= OFTEN);
  words.sort((a, b) => counts.get(b) - counts.get(a) || (a < b ? -1 : 1));
  const numbers = new Map(words.map((word, at) => [word, at]));
  const bytesOf = (word) => {
    const number = numbers.get(word);
    if (number === undefined) return Buffer.from(`${word} `);
    if (number < SHORT) return Buffer.of(0x80 + number);
    return Buffer.of(0xd0 + ((number - SHORT) >> 8), (number - SHORT) & 0xff);
  };
  const end = Buffer.from("\n");
  const coded = lines.flatMap((line) => [...line.map(bytesOf), end]);
  return Buffer.concat([Buffer.from(`${words.join("\n")}\n\n`), ...coded]);
}

/**
 * The names that the module in `file` knows, in order of their code points. A line is a name; `=1F600` in front of it says
 * that its code point is not the one after the last; `*472 TANGUT COMPONENT-` stands for 472 names that end with the code point.
 */
function linesOf(file) {
  const lines = [];
  let next = 0;
  let same = { count: 0, prefix: "" };
  const flush = () => {
    if (same.count) lines.push(`*${same.count} ${same.prefix}`);
    same = { count: 0, prefix: "" };
  };
  for (const [codePoint, name] of named(file)) {
    if (codePoint !== next) {
      flush();
      lines.push(`=${codePoint.toString(16).toUpperCase()}`);
    }
    next = codePoint + 1;
    const digits = codePoint.toString(16).toUpperCase().padStart(4, "0");
    if (name.endsWith(`-${digits}`)) {
      const prefix = name.slice(0, -digits.length);
      if (prefix !== same.prefix) flush();
      same = { count: same.count + 1, prefix };
    } else {
      flush();
      lines.push(name);
    }
  }
  flush();
  return lines;
}

/** Each code point that has a name, with it. */
function* named(file) {
  const module = new WebAssembly.Module(file);
  const { exports } = new WebAssembly.Instance(module, {});
  for (let from = 0; from < 0x110000; from += AT_ONCE) {
    const codePoints = Uint32Array.from({ length: AT_ONCE }, (_, n) => from + n);
    const room = exports.placemat_room(4 * AT_ONCE) >>> 0;
    new Uint32Array(exports.memory.buffer, room, AT_ONCE).set(codePoints);
    exports.placemat_character_names();
    const [output, length] = new Uint32Array(exports.memory.buffer, exports.placemat_told() >>> 0, 2);
    const names = new TextDecoder().decode(new Uint8Array(exports.memory.buffer, output, length)).split("\n");
    for (const [n, codePoint] of codePoints.entries()) {
      const isSyllable = SYLLABLES[0] <= codePoint && codePoint <= SYLLABLES[1];
      if (names[n] && !isSyllable) yield [codePoint, names[n]];
    }
  }
}
