// The names of characters. Importing this entry adds them to `explain`, too.

import { names } from "./names-lookup.js";

export { names };

/** Returns the name of a code point or of the first character of a text; null if it has none. */
export function nameOf(character) {
  return names([typeof character === "number" ? character : String(character).codePointAt(0) ?? 0x110000])[0];
}
