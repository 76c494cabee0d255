// Modules that are gzipped within JavaScript: every bundler takes them without settings, and no address must be known.

import { hasSimd } from "./load.js";
import { start } from "./memory.js";

const bytesOf = (base64) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

/** Start a part by the build that this engine can run; each is imported on demand. */
export async function load(name, plain, simd = plain) {
  const { default: base64 } = await (hasSimd() ? simd : plain)();
  const stream = new Blob([bytesOf(base64)]).stream().pipeThrough(new DecompressionStream("gzip"));
  start(await WebAssembly.compile(await new Response(stream).arrayBuffer()), name);
}

/** Start a part by a module that is not packed, at once. */
export function loadInline(name, base64) {
  start(new WebAssembly.Module(bytesOf(base64)), name);
}
