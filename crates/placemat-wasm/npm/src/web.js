// Fetches the module from beside this file. The addresses are written out, so that bundlers find both files.

import { build, start } from "./memory.js";

const file = build() === "placemat-simd.wasm"
  ? new URL("../placemat-simd.wasm", import.meta.url)
  : new URL("../placemat.wasm", import.meta.url);
const response = await fetch(file);
if (!response.ok) throw new Error(`${file}: ${response.status}`);
start((await WebAssembly.instantiate(await response.arrayBuffer())).instance);

export * from "./api.js";
