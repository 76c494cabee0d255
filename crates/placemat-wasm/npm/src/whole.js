// Functions for whole texts.

import { bytesOf } from "./bytes.js";
import { Converter } from "./codecs.js";
import { encodingOf } from "./labels.js";
import { fault, part, utf8 } from "./memory.js";
import { EncodingError, Stream, partOf } from "./stream.js";

/** The first error, or null. */
export function check(bytes, encoding = "utf-8") {
  const found = encodingOf(encoding);
  // Some forms read characters that they do not write, but UCS-4 can hold them all. UTF-8 is faster when converted to itself.
  const stream = new Stream(found, { name: found.name === "utf-8" ? "utf-8" : "ucs-4le", form: 0 });
  try {
    stream.push(bytesOf(bytes), true, () => {});
    return null;
  } catch (error) {
    if (!(error instanceof EncodingError)) throw error;
    const { kind, offset, length } = error;
    return { kind, offset, length };
  } finally {
    stream.dispose();
  }
}

// A record of an error takes 16 bytes, and the memory has at most 4 GiB.
const MOST_ERRORS = 2 ** 20;

/** Writes bytes to the part that supports their encoding, and returns the part. Forms have a number; for a legacy encoding the name is written too. */
function written(bytes, found) {
  const module = partOf(found);
  if (found.form !== null) {
    module.write(bytes);
    return module;
  }
  const line = utf8(`${found.name}\n`);
  const input = new Uint8Array(line.length + bytes.length);
  input.set(line);
  input.set(bytes, line.length);
  module.write(input);
  return module;
}

const within = (number, most) => Math.min(Math.max(0, Math.trunc(number) || 0), most);

/** The first errors, up to a limit. */
export function errors(bytes, { encoding = "utf-8", limit = MOST_ERRORS } = {}) {
  const found = encodingOf(encoding);
  const module = written(bytesOf(bytes), found);
  const most = within(limit, MOST_ERRORS);
  const { placemat_errors: ofForm, placemat_legacy_errors: ofLegacy } = module.calls;
  const count = found.form === null ? ofLegacy(most) : ofForm(found.form, most);
  const records = new Uint32Array(module.told().bytes.slice().buffer);
  return Array.from({ length: count }, (_, at) => {
    const [kind, length, low, high] = records.subarray(at * 4, at * 4 + 4);
    return fault(kind, low, high, length);
  });
}

export function convert(bytes, from, to, options) {
  const converter = new Converter(from, to, options);
  try {
    return converter.convert(bytes);
  } finally {
    converter.dispose();
  }
}

export function repair(bytes, { encoding = "utf-8", ...options } = {}) {
  return convert(bytes, encoding, encoding, { onError: "replace", ...options });
}

/** The last index at or before `index` where a character or an error starts. */
export function boundary(bytes, index, encoding = "utf-8") {
  const found = encodingOf(encoding);
  const input = bytesOf(bytes);
  const module = written(input, found);
  const most = within(index, input.length);
  const { placemat_floor: ofForm, placemat_legacy_floor: ofLegacy } = module.calls;
  const at = found.form === null ? ofLegacy(most) : ofForm(found.form, most);
  if (at < 0) throw new RangeError(`${found.name} has no boundaries that can be found without reading from its start`);
  return at;
}

/** The longest prefix of at most `limit` bytes that cuts no character in two. */
export function truncate(bytes, limit, encoding = "utf-8") {
  return bytesOf(bytes).subarray(0, boundary(bytes, limit, encoding));
}
