// The classes of the WHATWG Encoding Standard.

import { bytesOf, joined, stringOf, unitsOf } from "./bytes.js";
import { decoding, encoding } from "./codecs.js";
import { resolve } from "./labels.js";
import { Stream } from "./stream.js";

const UTF_8 = { name: "utf-8", form: 0 };
const UTF_16 = { name: "utf-16le", form: 0 };

function dictionary(options) {
  if (options === undefined || options === null) return {};
  if (typeof options !== "object" && typeof options !== "function") throw new TypeError("options are an object");
  return options;
}

export class TextDecoder {
  #encoding;
  #fatal;
  #ignoreBOM;
  #stream;

  constructor(label = "utf-8", options) {
    const found = resolve("whatwg", String(label));
    if (found === null || found.name === "replacement") throw new RangeError(`${JSON.stringify(String(label))} is no label`);
    const { fatal, ignoreBOM } = dictionary(options);
    this.#encoding = found.name;
    this.#fatal = Boolean(fatal);
    this.#ignoreBOM = Boolean(ignoreBOM);
    // Legacy encodings have no mark: what reads as U+FEFF there is text.
    const bom = this.#ignoreBOM || found.form === null ? "keep" : "strip";
    this.#stream = new Stream(found, UTF_16, { onError: this.#fatal ? "stop" : "replace", bom });
  }

  get encoding() {
    return this.#encoding;
  }

  get fatal() {
    return this.#fatal;
  }

  get ignoreBOM() {
    return this.#ignoreBOM;
  }

  decode(input, options) {
    const bytes = bytesOf(input);
    let text = "";
    this.#stream.push(bytes, !dictionary(options).stream, (piece) => (text += stringOf(piece)));
    return text;
  }
}

export class TextEncoder {
  get encoding() {
    return "utf-8";
  }

  encode(input = "") {
    const stream = new Stream(UTF_16, UTF_8, { onError: "replace" });
    const pieces = [];
    stream.push(unitsOf(String(input)), true, (piece) => pieces.push(piece.slice()));
    stream.dispose();
    return joined(pieces);
  }

  encodeInto(source, destination) {
    if (Object.prototype.toString.call(destination) !== "[object Uint8Array]") throw new TypeError("no Uint8Array");
    const text = String(source);
    const { length } = destination;
    let [read, written] = [0, 0];
    while (read < text.length && written < length) {
      // No unit becomes more than three bytes, so what surely fits goes at once, and the end one by one.
      let end = Math.min(text.length, read + Math.max(1, Math.floor((length - written) / 3)));
      if (end < text.length && text.codePointAt(end - 1) > 0xffff) end += end - 1 > read ? -1 : 1;
      const bytes = this.encode(text.slice(read, end));
      if (bytes.length > length - written) break;
      destination.set(bytes, written);
      [read, written] = [end, written + bytes.length];
    }
    return { read, written };
  }
}

export class TextDecoderStream {
  #decoder;

  constructor(label, options) {
    this.#decoder = new TextDecoder(label, options);
    Object.assign(this, decoding(this.#decoder));
  }

  get encoding() {
    return this.#decoder.encoding;
  }

  get fatal() {
    return this.#decoder.fatal;
  }

  get ignoreBOM() {
    return this.#decoder.ignoreBOM;
  }
}

/** Written as a stream: what a chunk ends with may be half of a pair. */
class Utf8Writer {
  #stream = new Stream(UTF_16, UTF_8, { onError: "replace" });

  encode(text, { stream }) {
    const pieces = [];
    this.#stream.push(unitsOf(text), !stream, (piece) => pieces.push(piece.slice()));
    return joined(pieces);
  }
}

export class TextEncoderStream {
  constructor() {
    Object.assign(this, encoding(new Utf8Writer()));
  }

  get encoding() {
    return "utf-8";
  }
}
