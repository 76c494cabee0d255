// Loads modules that are gzipped inside JavaScript files: every bundler accepts these without settings, and no URL is needed.

import { hasSimd } from "./load.js";
import { start } from "./memory.js";

const bytesOf = (base64) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

/** Starts a part with the build that this engine can run. Only that build is imported. */
export async function load(name, plain, simd = plain) {
  const { default: base64 } = await (hasSimd() ? simd : plain)();
  const stream = new Blob([bytesOf(base64)]).stream().pipeThrough(new DecompressionStream("gzip"));
  start(await WebAssembly.compile(await new Response(stream).arrayBuffer()), name);
}

/** Starts a part synchronously, with a module that is not gzipped. */
export function loadInline(name, base64) {
  start(new WebAssembly.Module(bytesOf(base64)), name);
}
