import type { Bytes } from "./index.js";

/** Bytes, or a function that writes the next ones into a room and returns how many: 0 at the end. */
export type Source = Bytes | ((room: Uint8Array) => number);

/** What bytes seem to be in. */
export interface Detection {
  /** The name of the encoding; `binary`, `unknown` and `several` are not encodings. */
  encoding: string;
  /** It begins with a byte order mark. */
  bom: boolean;
  /** From 0 to 1. */
  confidence: number;
  /** Sequences that are malformed in that encoding. */
  malformed: number;
  lineEnding: "lf" | "crlf" | "cr" | "mixed" | "none";
  /** Why, in sentences. */
  reasons: string[];
  /** What else it may be, the likeliest first. */
  candidates: { encoding: string; confidence: number }[];
}

/**
 * What bytes seem to be in. Linear, in constant memory.
 *
 * ```js
 * import { detect } from "placemat/detect";
 *
 * detect(bytes).encoding; // "windows-1251"
 * ```
 */
export function detect(bytes: Source): Detection;

/** A run that was put right. Offset and length are in bytes of UTF-8. */
export interface Change {
  offset: number;
  length: number;
  text: string;
  /** The encodings that it was misread in, the last misreading first. */
  via: string[];
}

/** Bytes in `encoding` were read as `readAs`; `text` is what they say in `encoding`. */
export interface Step {
  encoding: string;
  readAs: string;
  /** Other encodings that would have made the same of them. */
  also: string[];
  /** Whether only the sequences of UTF-8 in the text were undone: the rest was never misread, or has lost something. */
  inParts: boolean;
  text: string;
}

/** One way in which a text may have come about. */
export interface Chain {
  /** What is to be undone, the last misreading first; the text of the last step is that of the chain. */
  steps: Step[];
  /** What was meant. */
  text: string;
  /** Among these chains, from 0 to 1. */
  likelihood: number;
}

/** What a text was before it was decoded wrongly. */
export interface Mojibake {
  /** The text with every run put right that surely is wrong; otherwise the text itself. */
  text: string;
  changes: Change[];
  /** How the text as a whole may have come about, the most likely first; none where it is plausible as it stands. */
  chains: Chain[];
}

/**
 * What a text was before it was decoded wrongly, and how it came about. Linear for each chain that is tried.
 *
 * ```js
 * import { mojibake } from "placemat/detect";
 *
 * mojibake("cafÃ©").text;                        // "café"
 * mojibake("cafÃ©").chains[0].steps[0].readAs;   // "windows-1252"
 * ```
 */
export function mojibake(text: string): Mojibake;
