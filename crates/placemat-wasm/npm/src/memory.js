// The interface to WebAssembly: writes to its memory, and reads from it.

/** The number of bytes that are converted at once, so that the memory does not depend on the length of a stream. */
export const PIECE = 1 << 16;

// Exports of this package have the same names.
const Utf8Writer = globalThis.TextEncoder;
const Utf8Reader = globalThis.TextDecoder;

const writer = new Utf8Writer();
const reader = new Utf8Reader("utf-8", { ignoreBOM: true });

/** Encodes text as UTF-8; lone surrogates become U+FFFD. */
export const utf8 = (text) => writer.encode(text);

/** Decodes UTF-8. */
export const textOf = (bytes) => reader.decode(bytes);

/** An instance of a module. */
class Instance {
  #source = null;

  constructor(module) {
    const pull = (at, length) => this.#pull(at >>> 0, length);
    this.calls = new WebAssembly.Instance(module, { placemat: { placemat_pull: pull } }).exports;
  }

  /** The module's memory. Any call may grow it and so detach its buffer, so views are created each time. */
  write(bytes) {
    const at = this.calls.placemat_room(bytes.length) >>> 0;
    new Uint8Array(this.calls.memory.buffer, at, bytes.length).set(bytes);
  }

  /** Writes settings or a label. */
  writeText(text) {
    this.write(utf8(text));
  }

  /** The results of the last call: its output, as a view that is valid until the next call, and the error at which it stopped. */
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

  /** Calls `name` with settings, an input or a source of bytes. Returns a copy of the output; throws an error with a sentence if it is refused. */
  ask(name, { settings = [], input, source }, ...numbers) {
    this.status(name, { settings, input, source }, ...numbers);
    return this.told().bytes.slice();
  }

  /** Like `ask`, but returns the number that the call returned. */
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

  /** The module calls this for more bytes. An exception must not pass through the module. */
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

/** Uses this compiled module for these parts, unless they have one. */
export function start(module, ...wanted) {
  let instance;
  for (const name of wanted) {
    if (!parts.has(name)) parts.set(name, (instance ??= new Instance(module)));
  }
}

/** Whether a part is loaded. */
export const has = (name) => parts.has(name);

/** Returns a part of the package. */
export function part(name) {
  const found = parts.get(name);
  if (found === undefined) throw new Error(`import "placemat/${name}" first`);
  return found;
}

/** Returns an error as this package shows it. */
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
