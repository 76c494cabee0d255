// Finds the names of characters, if their module is loaded.

import { part, textOf } from "./memory.js";

/** Returns the names of code points; null if a code point has none. */
export function names(codePoints) {
  const module = part("names");
  module.write(new Uint8Array(Uint32Array.from(codePoints).buffer));
  module.calls.placemat_character_names();
  const lines = textOf(module.told().bytes.slice()).split("\n");
  return Array.from(codePoints, (_, at) => lines[at] || null);
}
