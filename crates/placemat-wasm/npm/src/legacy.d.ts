/**
 * The main entry with legacy encodings: every encoding of the Encoding Standard, the code pages of DOS, and those of
 * EBCDIC. Importing it once is enough: the classes of `placemat` then support them too.
 *
 * ```js
 * import { TextDecoder, convert } from "placemat/legacy";
 *
 * new TextDecoder("shift_jis").decode(bytes);
 * convert(bytes, "cp437", "utf-8");
 * ```
 */
export * from "./index.js";
