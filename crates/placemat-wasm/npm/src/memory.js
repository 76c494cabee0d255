// The border to WebAssembly: what is written into its memory and read from it.

/** Bytes that are converted at once: what a stream needs of memory does not depend on its length. */
export const PIECE = 1 << 16;

// The exports of this package have the names of these.
const Utf8Writer = globalThis.TextEncoder;
const Utf8Reader = globalThis.TextDecoder;

const writer = new Utf8Writer();
const reader = new Utf8Reader("utf-8", { ignoreBOM: true });

/** UTF-8 of text; lone surrogates become U+FFFD. */
export const utf8 = (text) => writer.encode(text);

/** The text of UTF-8. */
export const textOf = (bytes) => reader.decode(bytes);

/** A module at work. */
class Instance {
  #source = null;

  constructor(module) {
    const pull = (at, length) => this.#pull(at >>> 0, length);
    this.calls = new WebAssembly.Instance(module, { placemat: { placemat_pull: pull } }).exports;
  }

  /** The module's memory. It may move with any call, so views of it are made anew. */
  write(bytes) {
    const at = this.calls.placemat_room(bytes.length) >>> 0;
    new Uint8Array(this.calls.memory.buffer, at, bytes.length).set(bytes);
  }

  /** Write settings or a label. */
  writeText(text) {
    this.write(utf8(text));
  }

  /** What the last call told: its output, as a view until the next call, and the error at which it stopped. */
  told() {
    const { buffer } = this.calls.memory;
    const at = this.calls.placemat_told() >>> 0;
    const [output, length, kind, errorLength, low, high] = new Uint32Array(buffer, at, 6);
    const error = kind === 0 ? null : fault(kind, low, high, errorLength);
    return { bytes: new Uint8Array(buffer, output, length), error };
  }

  toldText() {
    return textOf(this.told().bytes.slice());
  }

  /** Call `name` with settings, an input or a source of bytes; a copy of its output. What is refused is an Error with its sentence. */
  ask(name, { settings = [], input, source }, ...numbers) {
    this.status(name, { settings, input, source }, ...numbers);
    return this.told().bytes.slice();
  }

  /** The same; the number that the call returned. */
  status(name, { settings = [], input = new Uint8Array(), source = null }, ...numbers) {
    this.writeText(settings.map((line) => String(line).replaceAll("\n", " ")).join("\n"));
    return this.run(name, { input, source }, ...numbers);
  }

  run(name, { input = new Uint8Array(), source = null }, ...numbers) {
    this.calls.placemat_settings();
    this.write(input);
    this.#source = source;
    let status;
    try {
      status = this.calls[name](...numbers);
    } finally {
      this.#source = null;
    }
    if (this.#failure !== null) {
      const { error } = this.#failure;
      this.#failure = null;
      throw error;
    }
    if (status < 0) throw new RangeError(this.toldText());
    return status;
  }

  #failure = null;

  /** The module asks for bytes. An exception must not pass through it. */
  #pull(at, length) {
    try {
      return this.#source?.(new Uint8Array(this.calls.memory.buffer, at, length)) ?? 0;
    } catch (error) {
      this.#failure = { error };
      return -1;
    }
  }
}

const parts = new Map();
let names;

/** Use this compiled module for these parts, unless they have one. */
export function start(module, ...wanted) {
  let instance;
  for (const name of wanted) {
    if (!parts.has(name)) parts.set(name, (instance ??= new Instance(module)));
  }
}

/** Whether a part is there. */
export const has = (name) => parts.has(name);

/** A part of the package. */
export function part(name) {
  const found = parts.get(name);
  if (found === undefined) throw new Error(`import "placemat/${name}" first`);
  return found;
}

/** An error as this package shows it. */
export function fault(kind, low, high, length) {
  return { kind: allNames().kinds[kind - 1], offset: low + high * 2 ** 32, length };
}

/** The names of the forms and of the kinds of errors. */
export function allNames() {
  if (names === undefined) {
    part("forms").calls.placemat_names();
    const [forms, kinds] = part("forms").toldText().split("\n\n").map((list) => list.split("\n"));
    names = { forms, kinds };
  }
  return names;
}
