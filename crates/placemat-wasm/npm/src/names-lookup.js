// The names of characters, where their module is loaded.

import { part, textOf } from "./memory.js";

/** The names of code points; null for what has none. */
export function names(codePoints) {
  const module = part("names");
  module.write(new Uint8Array(Uint32Array.from(codePoints).buffer));
  module.calls.placemat_character_names();
  const lines = textOf(module.told().bytes.slice()).split("\n");
  return Array.from(codePoints, (_, at) => lines[at] || null);
}
