/**
 * The main entry, whose classes and functions then know every encoding of the Encoding Standard, the code pages of DOS and those of
 * EBCDIC. Importing it once is enough: classes from `placemat` know them too.
 *
 * ```js
 * import { TextDecoder, convert } from "placemat/legacy";
 *
 * new TextDecoder("shift_jis").decode(bytes);
 * convert(bytes, "cp437", "utf-8");
 * ```
 */
export * from "./index.js";
