// Measures the speed of the package, and of the engine's own functions where there are such: node bench.mjs. Prints a Markdown table with a bar per row.

import * as placemat from "placemat/legacy";

const LENGTH = 1 << 20;
const TEXTS = {
  "ASCII": "The quick brown fox jumps over the lazy dog. ",
  "French": "Dès Noël, où un zéphyr haï me vêt de glaçons würmiens, je dîne d’exquis rôtis. ",
  "Russian": "Съешь же ещё этих мягких французских булок, да выпей чаю. ",
  "Japanese": "いろはにほへと ちりぬるを わかよたれそ つねならむ。",
};

/** Legacy encodings, each with the language of the text that is measured. */
const LEGACY = { "windows-1252": "French", "windows-1251": "Russian", "shift_jis": "Japanese", "euc-jp": "Japanese", "gb18030": "Japanese", "iso-2022-jp": "Japanese" };

const textOf = (sample) => sample.repeat(Math.ceil(LENGTH / sample.length / 2));
const native = (label, bytes) => () => new TextDecoder(label, { fatal: true }).decode(bytes);
const own = (encoding, bytes) => {
  const decoder = new placemat.Decoder(encoding);
  return () => decoder.decode(bytes);
};

/** The rows: a name, the bytes that count, our function, and the engine's own, if there is one. */
function* rows() {
  for (const [name, sample] of Object.entries(TEXTS)) {
    const text = textOf(sample);
    const utf8 = new TextEncoder().encode(text);
    const utf16 = new placemat.Encoder("utf-16le").encode(text);
    const faulty = utf8.slice();
    for (let at = 997; at < faulty.length; at += 1000) faulty[at] = 0xff;
    yield [`check UTF-8, ${name}`, utf8, () => placemat.check(utf8), native("utf-8", utf8)];
    yield [`errors, one in 1000 bytes, ${name}`, faulty, () => placemat.errors(faulty)];
    yield [`repair, ${name}`, faulty, () => placemat.repair(faulty)];
    yield [`UTF-8 to a string, ${name}`, utf8, own("utf-8", utf8), native("utf-8", utf8)];
    yield [`a string to UTF-8, ${name}`, utf8, () => new placemat.TextEncoder().encode(text), () => new TextEncoder().encode(text)];
    yield [`UTF-16LE to a string, ${name}`, utf16, own("utf-16le", utf16), native("utf-16le", utf16)];
    yield [`UTF-16LE to UTF-8, ${name}`, utf16, () => placemat.convert(utf16, "utf-16le", "utf-8")];
    for (const form of ["utf-32be", "cesu-8", "mutf-8", "utf-7"]) {
      const bytes = new placemat.Encoder(form).encode(text);
      yield [`${form} to a string, ${name}`, bytes, own(form, bytes)];
    }
  }
}

/** The rows for legacy encodings. */
function* legacyRows() {
  for (const [encoding, name] of Object.entries(LEGACY)) {
    const bytes = new placemat.Encoder(encoding, { onError: "replace", unencodable: "replace=?" }).encode(textOf(TEXTS[name]));
    yield [`${encoding} to a string, ${name}`, bytes, own(encoding, bytes), native(encoding, bytes)];
    yield [`errors of ${encoding}, ${name}`, bytes, () => placemat.errors(bytes, { encoding })];
  }
}

/** The CPU time of this process so far, in milliseconds. Other processes do not count. */
const taken = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** The MB/s of each function, run in turn; the best of several rounds. */
function rates(bytes, works) {
  const best = works.map(() => Infinity);
  for (let round = 0; round < 12; round++) {
    for (const [at, work] of works.entries()) {
      const start = taken();
      work();
      best[at] = Math.min(best[at], taken() - start);
    }
  }
  return best.map((time) => bytes.length / time / 1000);
}

const cell = (rate) => (rate >= 100 ? Math.round(rate) : rate.toFixed(1));
console.log(`# Speed

MB/s of input, of a text of half a million characters in one language after the other; of processor time, the best of twelve rounds, in
turn with what the engine has itself (none where a cell is empty). The bars grow by two for each doubling. Made by \`cargo xtask web bench\` in Node ${process.version}, ${process.arch}.

No module promises to be faster than the UTF-8 decoder that an engine has itself: that one makes strings without a copy.

| work | placemat | | engine | ratio |
| --- | ---: | --- | ---: | ---: |`);
for (const [name, bytes, work, peer] of [...rows(), ...legacyRows()]) {
  const [ours, theirs] = rates(bytes, peer ? [work, peer] : [work]);
  const bar = "█".repeat(Math.max(1, Math.round(Math.log2(ours) * 2)));
  const beside = theirs === undefined ? " | | |" : ` | ${cell(theirs)} | ${(ours / theirs).toFixed(2)} |`;
  console.log(`| ${name} | ${cell(ours)} | ${bar}${beside}`);
}
