// One conversion of a stream, in memory of WebAssembly that is given back.

import { PIECE, calls, told, write, writeText } from "./memory.js";

const REFUSALS = [
  "no form has the name of the source",
  "no form has the name of the target",
  "no policy is called so: onError",
  "nothing is called so: unencodable",
  "nothing is called so: bom",
  "these settings do not fit these encodings",
];

const leftBehind = new FinalizationRegistry((handle) => calls().placemat_close(handle));

/** What cannot be read or written: a TypeError, as the Encoding Standard wants it, that says where. */
export class EncodingError extends TypeError {
  constructor({ kind, offset, length }) {
    super(`${kind} at byte ${offset} (length ${length})`);
    Object.assign(this, { kind, offset, length });
  }

  get name() {
    return "EncodingError";
  }
}

export class Stream {
  #handle;

  constructor(from, to, options) {
    const { onError = "stop", unencodable = "stop", bom = "keep" } = options ?? {};
    writeText([from, to, onError, unencodable, bom].join("\n"));
    const handle = calls().placemat_open();
    if (handle < 0) throw new RangeError(REFUSALS[-handle - 1]);
    this.#handle = handle;
    leftBehind.register(this, handle, this);
  }

  /** Give `take` each piece of what becomes of `bytes`. After an error a new stream begins. */
  push(bytes, isLast, take) {
    if (this.#handle === null) throw new TypeError("it was disposed of");
    let at = 0;
    do {
      const end = Math.min(at + PIECE, bytes.length);
      write(bytes.subarray(at, end));
      calls().placemat_push(this.#handle, isLast && end === bytes.length ? 1 : 0);
      const { bytes: out, error } = told();
      if (error !== null) {
        this.#restart();
        throw new EncodingError(error);
      }
      if (out.length > 0) take(out);
      at = end;
    } while (at < bytes.length);
  }

  #restart() {
    write(new Uint8Array());
    calls().placemat_push(this.#handle, 1);
  }

  dispose() {
    if (this.#handle === null) return;
    leftBehind.unregister(this);
    calls().placemat_close(this.#handle);
    this.#handle = null;
  }
}

/** The bytes of a buffer or a view of one. */
export function bytesOf(input) {
  if (input === undefined) return new Uint8Array();
  if (ArrayBuffer.isView(input)) return new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
  const tag = Object.prototype.toString.call(input);
  if (tag === "[object ArrayBuffer]" || tag === "[object SharedArrayBuffer]") return new Uint8Array(input);
  throw new TypeError("bytes are an ArrayBuffer or a view of one");
}

export function joined(pieces) {
  if (pieces.length === 1) return pieces[0];
  const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

/** The string of bytes in UTF-16LE, with lone surrogates if it has some. */
export function stringOf(bytes) {
  const units = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length >> 1);
  let text = "";
  for (let at = 0; at < units.length; at += 8192) {
    text += String.fromCharCode.apply(null, units.subarray(at, at + 8192));
  }
  return text;
}

/** A string as UTF-16LE. */
export function unitsOf(text) {
  const units = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at++) units[at] = text.charCodeAt(at);
  return new Uint8Array(units.buffer);
}
