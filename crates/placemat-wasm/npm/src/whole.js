// Functions for whole texts.

import { bytesOf } from "./bytes.js";
import { Converter } from "./codecs.js";
import { encodingOf, form } from "./labels.js";
import { fault, part } from "./memory.js";
import { EncodingError, Stream } from "./stream.js";

/** The first error, or null. */
export function check(bytes, encoding = "utf-8") {
  const found = encodingOf(encoding);
  // Some forms read characters that they do not write; UCS-4 takes all that any reads. UTF-8 is faster to itself.
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

// Records of errors are 16 bytes in a memory of at most 4 GiB.
const MOST_ERRORS = 2 ** 20;

/** The first errors, up to a limit. */
export function errors(bytes, { encoding = "utf-8", limit = MOST_ERRORS } = {}) {
  const found = form(encoding);
  const forms = part("forms");
  forms.write(bytesOf(bytes));
  const count = forms.calls.placemat_errors(found.form, Math.min(Math.max(0, Math.trunc(limit) || 0), MOST_ERRORS));
  const records = new Uint32Array(forms.told().bytes.slice().buffer);
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

/** The last place at or before `index` where a character or an error begins. */
export function boundary(bytes, index, encoding = "utf-8") {
  const found = form(encoding);
  const input = bytesOf(bytes);
  const forms = part("forms");
  forms.write(input);
  const at = forms.calls.placemat_floor(found.form, Math.min(Math.max(0, Math.trunc(index) || 0), input.length));
  if (at < 0) throw new RangeError(`${found.name} has no boundaries that can be found without reading from its start`);
  return at;
}

/** The longest beginning of at most `limit` bytes that ends where a character does. */
export function truncate(bytes, limit, encoding = "utf-8") {
  return bytesOf(bytes).subarray(0, boundary(bytes, limit, encoding));
}
