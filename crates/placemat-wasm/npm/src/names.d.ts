/**
 * Returns the name of a code point, or of the first character of a text, in the Unicode Character Database; null if it has none.
 * When this entry is imported, `explain` has the names too.
 *
 * ```js
 * import { nameOf } from "placemat/names";
 *
 * nameOf("€"); // "EURO SIGN"
 * ```
 */
export function nameOf(character: number | string): string | null;

/** Returns the names of several code points in one call. */
export function names(codePoints: Iterable<number>): (string | null)[];
