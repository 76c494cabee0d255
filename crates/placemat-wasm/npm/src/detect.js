// Detects the encoding of a text, and undoes mojibake.

import { sourceOf } from "./bytes.js";
import { part, textOf, utf8 } from "./memory.js";

const json = (bytes) => JSON.parse(textOf(bytes));

/** Detects the encoding of bytes. */
export function detect(bytes) {
  const found = json(part("detect").ask("placemat_detect", { source: sourceOf(bytes) }));
  const { encoding, bom, confidence, malformed, line_ending: lineEnding, reasons, candidates } = found;
  return { encoding, bom, confidence, malformed, lineEnding, reasons, candidates };
}

/** Finds the text that a text was before it was decoded wrongly. */
export function mojibake(text) {
  const given = String(text);
  const found = json(part("detect").ask("placemat_mojibake", { input: utf8(given) }));
  // UTF-8 has no lone surrogates.
  return found.changes.length === 0 ? { ...found, text: given } : found;
}
