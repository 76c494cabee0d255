// The border to WebAssembly: what is written into its memory and read from it.

/** Bytes that are converted at once: what a stream needs of memory does not depend on its length. */
export const PIECE = 1 << 16;

// A module with one instruction of simd128.
const SIMD = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

/** The file of the build that this engine can run. */
export const build = () => (WebAssembly.validate(SIMD) ? "placemat-simd.wasm" : "placemat.wasm");

// The exports of this package have the names of these.
const Utf8Writer = globalThis.TextEncoder;
const Utf8Reader = globalThis.TextDecoder;

let wasm;
let names;

/** Use this instance from now on. A second call changes nothing. */
export function start(instance) {
  wasm ??= instance.exports;
}

/** The exports of the module. */
export const calls = () => wasm;

/** The module's memory. It may move with any call, so views of it are made anew. */
export function write(bytes) {
  const at = wasm.placemat_room(bytes.length) >>> 0;
  new Uint8Array(wasm.memory.buffer, at, bytes.length).set(bytes);
}

/** Write settings or a label. */
export function writeText(text) {
  write(new Utf8Writer().encode(text));
}

/** What the last call told: its output, as a copy, and the error at which it stopped. */
export function told() {
  const at = wasm.placemat_told() >>> 0;
  const [output, length, kind, errorLength, low, high] = new Uint32Array(wasm.memory.buffer, at, 6);
  const bytes = new Uint8Array(wasm.memory.buffer, output, length).slice();
  const error = kind === 0 ? null : fault(kind, low, high, errorLength);
  return { bytes, error };
}

export function toldText() {
  return new Utf8Reader().decode(told().bytes);
}

/** An error as this package shows it. */
export function fault(kind, low, high, length) {
  return { kind: allNames().kinds[kind - 1], offset: low + high * 2 ** 32, length };
}

/** The names of the forms and of the kinds of errors. */
export function allNames() {
  if (names === undefined) {
    wasm.placemat_names();
    const [forms, kinds] = toldText().split("\n\n").map((part) => part.split("\n"));
    names = { forms, kinds };
  }
  return names;
}
