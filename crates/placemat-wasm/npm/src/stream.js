// The conversion of one stream, in WebAssembly memory that is freed afterwards.

import { PIECE, has, part } from "./memory.js";

const REFUSALS = [
  "unknown source encoding",
  "unknown target encoding",
  "onError: unknown policy",
  "unencodable: unknown value",
  "bom: unknown value",
  "these settings do not fit these encodings",
];

const leftBehind = new FinalizationRegistry(({ calls, handle }) => calls.placemat_close(handle));

/** Text that cannot be read or written: a TypeError, as the Encoding Standard requires, with the position of the error. */
export class EncodingError extends TypeError {
  constructor({ kind, offset, length }) {
    super(`${kind} at byte ${offset} (length ${length})`);
    Object.assign(this, { kind, offset, length });
  }

  get name() {
    return "EncodingError";
  }
}

/** Returns the part of the package that supports an encoding. */
export function partOf({ name, form }) {
  if (form !== null) return part("forms");
  if (has("legacy")) return part("legacy");
  throw new RangeError(`${name} is a legacy encoding: import "placemat/legacy" to have it`);
}

export class Stream {
  #instance;
  #handle;

  constructor(from, to, options) {
    const { onError = "stop", unencodable = "stop", bom = "keep" } = options ?? {};
    this.#instance = partOf(from.form === null ? from : to);
    this.#instance.writeText([from.name, to.name, onError, unencodable, bom].join("\n"));
    const handle = this.#instance.calls.placemat_open();
    if (handle < 0) throw new RangeError(REFUSALS[-handle - 1]);
    this.#handle = handle;
    leftBehind.register(this, { calls: this.#instance.calls, handle }, this);
  }

  /** Converts `bytes`, and calls `take` with a view of each piece of the output. After an error a new stream starts. */
  push(bytes, isLast, take) {
    if (this.#handle === null) throw new TypeError("this object was disposed");
    try {
      this.#convert(bytes, isLast, take);
    } catch (error) {
      // `take` may throw too, if a string would be too long.
      this.#restart();
      throw error;
    }
  }

  #convert(bytes, isLast, take) {
    let at = 0;
    do {
      const end = Math.min(at + PIECE, bytes.length);
      this.#instance.write(bytes.subarray(at, end));
      this.#instance.calls.placemat_push(this.#handle, isLast && end === bytes.length ? 1 : 0);
      const { bytes: out, error } = this.#instance.told();
      if (error !== null) throw new EncodingError(error);
      if (out.length > 0) take(out);
      at = end;
    } while (at < bytes.length);
  }

  #restart() {
    this.#instance.write(new Uint8Array());
    this.#instance.calls.placemat_push(this.#handle, 1);
  }

  dispose() {
    if (this.#handle === null) return;
    leftBehind.unregister(this);
    this.#instance.calls.placemat_close(this.#handle);
    this.#handle = null;
  }
}
