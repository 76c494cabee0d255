import type { Bytes } from "./index.js";

/** Bytes, or a function that writes the next bytes to a room and returns their number: 0 at the end. */
export type Source = Bytes | ((room: Uint8Array) => number);

/** The encoding that bytes seem to be in. */
export interface Detection {
  /** The name of the encoding; `binary`, `unknown` and `several` are not encodings. */
  encoding: string;
  /** Whether the bytes start with a byte order mark. */
  bom: boolean;
  /** How likely the encoding is, from 0 to 1. */
  confidence: number;
  /** Sequences that are malformed in that encoding. */
  malformed: number;
  lineEnding: "lf" | "crlf" | "cr" | "mixed" | "none";
  /** Why, in sentences. */
  reasons: string[];
  /** The encodings that it may be in, the likeliest first. */
  candidates: { encoding: string; confidence: number }[];
}

/**
 * Detects the encoding of bytes. Linear, in constant memory.
 *
 * ```js
 * import { detect } from "placemat/detect";
 *
 * detect(bytes).encoding; // "windows-1251"
 * ```
 */
export function detect(bytes: Source): Detection;

/** A run that was repaired. Offset and length are in bytes of UTF-8. */
export interface Change {
  offset: number;
  length: number;
  text: string;
  /** The encodings that it was misread in, the last misreading first. */
  via: string[];
}

/** Bytes in `encoding` were read as `readAs`; `text` is their text in `encoding`. */
export interface Step {
  encoding: string;
  readAs: string;
  /** Other encodings that give the same text. */
  also: string[];
  /** Whether only the sequences of UTF-8 in the text were decoded again: the rest was never misread, or is damaged. */
  inParts: boolean;
  text: string;
}

/** One possible history of a text. */
export interface Chain {
  /** The misreadings to undo, the last one first. The text of the last step is that of the chain. */
  steps: Step[];
  /** The text that was meant. */
  text: string;
  /** How likely this chain is among these chains, from 0 to 1. */
  likelihood: number;
}

/** The text that a text was before it was decoded wrongly. */
export interface Mojibake {
  /** The text with every run repaired that is certainly wrong; if there is none, the text itself. */
  text: string;
  changes: Change[];
  /** The possible histories of the text as a whole, the most likely first; none if the text is plausible as it is. */
  chains: Chain[];
}

/**
 * Finds the text that a text was before it was decoded wrongly, and how that happened. Linear for each chain that is tried.
 *
 * ```js
 * import { mojibake } from "placemat/detect";
 *
 * mojibake("cafÃ©").text;                        // "café"
 * mojibake("cafÃ©").chains[0].steps[0].readAs;   // "windows-1252"
 * ```
 */
export function mojibake(text: string): Mojibake;
