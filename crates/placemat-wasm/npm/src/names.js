// The names of characters. With this entry `explain` has them too.

import { names } from "./names-lookup.js";

export { names };

/** The name of a code point or of the first character of a text; null where it has none. */
export function nameOf(character) {
  return names([typeof character === "number" ? character : String(character).codePointAt(0) ?? 0x110000])[0];
}
