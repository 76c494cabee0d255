// Converters between any two forms, and between a form and strings, with their streams.

import { bytesOf, joined, stringOf, unitsOf } from "./bytes.js";
import { encodingOf } from "./labels.js";
import { Stream } from "./stream.js";

// Strings of JavaScript are UTF-16, with lone surrogates if the other side can have them. Any number for the form will do here.
const STRING = { name: "utf-16le/surrogates", form: 0 };

const UTF_16 = { name: "utf-16le", form: 0 };

/** Whether the source may have lone surrogates. UTF-8 has none, and UTF-16 without them is faster to write. */
const hasSurrogates = ({ name, form }, options) =>
  options?.onError === "surrogateescape" || (name !== "utf-8" && form !== null);

const DISPOSE = Symbol.dispose ?? Symbol.for("Symbol.dispose");

class Codec {
  #stream;

  constructor(from, to, options) {
    this.#stream = new Stream(from, to, options);
  }

  /** Frees the memory at once. */
  dispose() {
    this.#stream.dispose();
  }

  [DISPOSE]() {
    this.dispose();
  }

  /** Converts bytes. `show` converts each piece of the output to what the caller gets. */
  _push(bytes, options, show = (piece) => piece.slice()) {
    const pieces = [];
    this.#stream.push(bytes, !options?.stream, (piece) => pieces.push(show(piece)));
    return pieces;
  }
}

export class Converter extends Codec {
  constructor(from, to, options) {
    super(encodingOf(from, options?.labels), encodingOf(to, options?.labels), options);
  }

  convert(bytes, options) {
    return joined(this._push(bytesOf(bytes), options));
  }
}

export class Decoder extends Codec {
  constructor(encoding = "utf-8", options) {
    const from = encodingOf(encoding, options?.labels);
    super(from, hasSurrogates(from, options) ? STRING : UTF_16, options);
  }

  decode(bytes, options) {
    return this._push(bytesOf(bytes), options, stringOf).join("");
  }
}

export class Encoder extends Codec {
  constructor(encoding = "utf-8", options) {
    super(STRING, encodingOf(encoding, options?.labels), options);
  }

  encode(text = "", options) {
    return joined(this._push(unitsOf(String(text)), options));
  }
}

/** A pair of streams that calls `work` with each chunk, and without one at the end. */
function pair(work) {
  const pass = (chunk, isLast, controller) => {
    const out = work(chunk, !isLast);
    if (out.length > 0) controller.enqueue(out);
  };
  const { readable, writable } = new TransformStream({
    transform: (chunk, controller) => pass(chunk, false, controller),
    flush: (controller) => pass(undefined, true, controller),
  });
  return { readable, writable };
}

/** Like `decode`, but strict: an undefined chunk of a stream is an error. */
export function decoding(codec) {
  return pair((chunk, stream) => {
    if (stream && chunk === undefined) throw new TypeError("a chunk must be an ArrayBuffer or a view of one");
    return codec.decode(chunk, { stream });
  });
}

export function encoding(codec) {
  return pair((chunk, stream) => codec.encode(stream ? `${chunk}` : "", { stream }));
}

export class DecoderStream {
  constructor(label, options) {
    Object.assign(this, decoding(new Decoder(label, options)));
  }
}

export class EncoderStream {
  constructor(label, options) {
    Object.assign(this, encoding(new Encoder(label, options)));
  }
}
