// The classes of the WHATWG Encoding Standard, for the encodings that are forms.

import { decoding, encoding } from "./codecs.js";
import { form } from "./labels.js";
import { Stream, bytesOf, joined, stringOf, unitsOf } from "./stream.js";

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
    this.#encoding = form(String(label), "whatwg").name;
    const { fatal, ignoreBOM } = dictionary(options);
    this.#fatal = Boolean(fatal);
    this.#ignoreBOM = Boolean(ignoreBOM);
    const settings = { onError: this.#fatal ? "stop" : "replace", bom: this.#ignoreBOM ? "keep" : "strip" };
    this.#stream = new Stream(this.#encoding, "utf-16le", settings);
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
    const stream = new Stream("utf-16le", "utf-8", { onError: "replace" });
    const pieces = [];
    stream.push(unitsOf(String(input)), true, (piece) => pieces.push(piece));
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
  #stream = new Stream("utf-16le", "utf-8", { onError: "replace" });

  encode(text, { stream }) {
    const pieces = [];
    this.#stream.push(unitsOf(text), !stream, (piece) => pieces.push(piece));
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
