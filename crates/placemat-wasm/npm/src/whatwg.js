// The classes of the WHATWG Encoding Standard, with the interfaces that it defines.

import { bytesOf, joined, stringOf, unitsOf } from "./bytes.js";
import { decoding, encoding } from "./codecs.js";
import { resolve } from "./labels.js";
import { EncodingError, Stream } from "./stream.js";

const UTF_8 = { name: "utf-8", form: 0 };
const UTF_16 = { name: "utf-16le", form: 0 };

// Streams that no decoder uses at the moment: most decoders need memory only during one call.
const idle = new Map();
const MOST_IDLE = 8;

function borrow(from, to, settings) {
  const key = `${from.name} ${to.name} ${settings.onError} ${settings.bom}`;
  return { key, stream: idle.get(key)?.pop() ?? new Stream(from, to, settings) };
}

function giveBack({ key, stream }) {
  const others = idle.get(key) ?? [];
  idle.set(key, others);
  if (others.length < MOST_IDLE) others.push(stream);
  else stream.dispose();
}

function dictionary(options) {
  if (options === undefined || options === null) return {};
  if (typeof options !== "object" && typeof options !== "function") throw new TypeError("options must be an object");
  return options;
}

/** The error that the standard throws, with the position of the error in the text. */
function faultOf(error) {
  if (!(error instanceof EncodingError)) return error;
  const { kind, offset, length, message } = error;
  return Object.assign(new TypeError(message), { kind, offset, length });
}

/** Reads the label and the options of a decoder. All conversions of arguments come before the label is resolved. */
function decoderOf(label, options) {
  const text = `${label}`;
  const { fatal, ignoreBOM } = dictionary(options);
  const found = resolve("whatwg", text);
  if (found === null || found.name === "replacement") throw new RangeError(`${JSON.stringify(text)} is no label`);
  return { found, fatal: Boolean(fatal), ignoreBOM: Boolean(ignoreBOM) };
}

export class TextDecoder {
  #found;
  #fatal;
  #ignoreBOM;
  #borrowed = null;

  constructor(label = "utf-8", options = undefined) {
    const { found, fatal, ignoreBOM } = decoderOf(label, options);
    this.#found = found;
    this.#fatal = fatal;
    this.#ignoreBOM = ignoreBOM;
    // Throws at once if the part for its encoding is not loaded.
    giveBack(this.#borrow());
  }

  #borrow() {
    // Legacy encodings have no byte order mark: U+FEFF is text there.
    const bom = this.#ignoreBOM || this.#found.form === null ? "keep" : "strip";
    return borrow(this.#found, UTF_16, { onError: this.#fatal ? "stop" : "replace", bom });
  }

  get encoding() {
    return this.#found.name;
  }

  get fatal() {
    return this.#fatal;
  }

  get ignoreBOM() {
    return this.#ignoreBOM;
  }

  decode(input = undefined, options = undefined) {
    void this.#found;
    const bytes = bytesOf(input);
    const isLast = !dictionary(options).stream;
    const borrowed = this.#borrowed ?? this.#borrow();
    this.#borrowed = null;
    let text = "";
    let goesOn = false;
    try {
      borrowed.stream.push(bytes, isLast, (piece) => (text += stringOf(piece)));
      goesOn = !isLast;
    } catch (error) {
      throw faultOf(error);
    } finally {
      if (goesOn) this.#borrowed = borrowed;
      else giveBack(borrowed);
    }
    return text;
  }
}

// This getter identifies a Uint8Array, whatever its prototype says.
const nameOfArray = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag).get;

function utf8Of(text) {
  const borrowed = borrow(UTF_16, UTF_8, { onError: "replace", bom: "keep" });
  const pieces = [];
  borrowed.stream.push(unitsOf(text), true, (piece) => pieces.push(piece.slice()));
  giveBack(borrowed);
  return joined(pieces);
}

export class TextEncoder {
  #name = "utf-8";

  get encoding() {
    return this.#name;
  }

  encode(input = "") {
    void this.#name;
    return utf8Of(`${input}`);
  }

  encodeInto(source, destination) {
    void this.#name;
    if (arguments.length < 2) throw new TypeError("a source and a destination are needed");
    const text = `${source}`;
    if (nameOfArray.call(destination) !== "Uint8Array") throw new TypeError("the destination is no Uint8Array");
    const { length } = destination;
    let [read, written] = [0, 0];
    while (read < text.length && written < length) {
      // A code unit takes at most three bytes, so the part that surely fits is converted at once, and the end unit by unit.
      let end = Math.min(text.length, read + Math.max(1, Math.floor((length - written) / 3)));
      if (end < text.length && text.codePointAt(end - 1) > 0xffff) end += end - 1 > read ? -1 : 1;
      const bytes = utf8Of(text.slice(read, end));
      if (bytes.length > length - written) break;
      destination.set(bytes, written);
      [read, written] = [end, written + bytes.length];
    }
    return { read, written };
  }
}

export class TextDecoderStream {
  #decoder;
  #pair;

  constructor(label = "utf-8", options = undefined) {
    this.#decoder = new TextDecoder(label, options);
    this.#pair = decoding(this.#decoder);
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

  get readable() {
    return this.#pair.readable;
  }

  get writable() {
    return this.#pair.writable;
  }
}

/** Encodes as a stream: a chunk may end with half of a surrogate pair. */
class Utf8Writer {
  #stream = new Stream(UTF_16, UTF_8, { onError: "replace" });

  encode(text, { stream }) {
    const pieces = [];
    this.#stream.push(unitsOf(text), !stream, (piece) => pieces.push(piece.slice()));
    return joined(pieces);
  }
}

export class TextEncoderStream {
  #pair = encoding(new Utf8Writer());

  get encoding() {
    void this.#pair;
    return "utf-8";
  }

  get readable() {
    return this.#pair.readable;
  }

  get writable() {
    return this.#pair.writable;
  }
}

// Members of an interface are enumerable, and its prototype has a tag with its name.
for (const [tag, { prototype }] of Object.entries({ TextDecoder, TextEncoder, TextDecoderStream, TextEncoderStream })) {
  for (const name of Object.getOwnPropertyNames(prototype)) {
    if (name !== "constructor") Object.defineProperty(prototype, name, { enumerable: true });
  }
  Object.defineProperty(prototype, Symbol.toStringTag, { value: tag, configurable: true });
}
