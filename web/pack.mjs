// Packs bytes so that src/lzma.js unpacks them: xz finds what repeats, and its bits are written anew with the probabilities of src/odds.js.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** What unpacks in the page, as functions. */
const scripts = ["odds.js", "lzma.js"].map((name) => readFileSync(new URL(`src/${name}`, import.meta.url), "utf8"));
const { bitCoder, unpacked } = new Function("onmessage", `${scripts.join("\n")}; return { bitCoder, unpacked };`)();

/** Bytes of the header of the format .lzma, and of the coder's first bytes. */
const HEADER = 13;

/** The bits of a file of the format .lzma, each of which `told` is told with its context. */
function xzReader(file, told) {
  let at = HEADER + 5;
  let range = 2 ** 32 - 1;
  let code = file.readUInt32BE(HEADER + 1);
  const take = (bound) => {
    const value = code < bound ? 0 : 1;
    if (value) code -= bound;
    range = value ? range - bound : bound;
    if (range < 2 ** 24) {
      range *= 256;
      code = code * 256 + file[at++];
    }
    return value;
  };
  return {
    contexts: (count) => ({ own: told.contexts(count), odds: new Uint16Array(count).fill(1024) }),
    bit({ own, odds }, nth) {
      const value = take((range >>> 11) * odds[nth]);
      odds[nth] += value ? -(odds[nth] >> 5) : (2048 - odds[nth]) >> 5;
      told.bit(own, nth, value);
      return value;
    },
    even() {
      range -= range % 2;
      const value = take(range / 2);
      told.even(value);
      return value;
    },
  };
}

/** Writes bits as src/lzma.js reads them. */
function bitWriter() {
  const { contexts, bit } = bitCoder();
  const out = [];
  let [low, high] = [0, 2 ** 32 - 1];
  const put = (odds, value) => {
    const middle = low + Math.floor((high - low) * odds);
    if (value) high = middle;
    else low = middle + 1;
    for (; !((low ^ high) >>> 24); low = (low << 8) >>> 0) {
      out.push(high >>> 24);
      high = ((high << 8) | 255) >>> 0;
    }
    return value;
  };
  return {
    contexts,
    bit: (of, nth, value) => bit(of, nth, (odds) => put(odds, value)),
    even: (value) => put(0.5, value),
    /** All bytes. Those after the last are read as zeros. */
    end: () => [...out, (low >>> 24) + 1],
  };
}

/** The bytes packed. `settings` are those of the packer of xz. */
export function packed(bytes, settings) {
  const command = ["--format=lzma", `--lzma1=preset=9e,dict=2MiB,${settings}`, "--stdout"];
  const file = execFileSync("xz", command, { input: bytes, maxBuffer: 1 << 28 });
  const header = Uint8Array.from([file[0], 0, 0, 0, 0]);
  new DataView(header.buffer).setUint32(1, bytes.length, true);
  const writer = bitWriter();
  unpacked(header, xzReader(file, writer));
  const all = Buffer.from([...header, ...writer.end()]);
  if (Buffer.compare(unpacked(all), bytes) !== 0) throw new Error("what was packed is not what is unpacked");
  return all;
}
