import type { Bytes } from "./index.js";

/** Bytes, or a function that writes the next bytes to a room and returns their number: 0 at the end. */
export type Source = Bytes | ((room: Uint8Array) => number);

/** An error; offset and length are in bytes. */
export interface Problem {
  offset: number;
  length: number;
  kind: string;
}

/** An object as `placemat explain --format json` writes it. Bytes are in hexadecimal, offsets and lengths in bytes. */
export type Explained =
  | {
      type: "character";
      offset: number;
      length: number;
      bytes: string;
      code_point: string;
      text: string | null;
      name: string;
      category: string;
      block: string | null;
      script: string | null;
      rule: string | null;
      note: string | null;
    }
  | {
      type: "fault";
      offset: number;
      length: number;
      bytes: string;
      errors: Problem[];
      reason: string | null;
      expected: string | null;
      careless: string | null;
      danger: string | null;
      meant: string[];
      stand_ins: { policy: string; code_points: string | null }[];
    }
  | { type: "shift"; offset: number; length: number; bytes: string }
  | { type: "hidden"; offset: number; length: number; bytes: string; kind: string; payload?: string }
  | Verdict
  | { type: "summary"; form: string; bytes: number; characters: number; errors: number; cut: boolean; schema: number };

/** The verdict of one form on all the bytes. */
export interface Verdict {
  type: "verdict";
  form: string;
  well_formed: boolean;
  error: Problem | null;
  schema?: number;
}

/** The role of one byte in a form. */
export interface TableByte {
  type: "byte";
  form: string;
  byte: string;
  class: "ascii" | "single" | "continuation" | "lead" | "limited-lead" | "never";
  /** The lengths of the shortest and of the longest sequence that starts with it. */
  lengths: [number, number];
  first: string | null;
  last: string | null;
  /** Ranges of the possible second bytes. */
  second: [string, string][];
  label: string | null;
  schema?: number;
}

/** One sequence. Either `code_point` or `error` is null. */
export interface Sequence {
  offset: number;
  length: number;
  bytes: string;
  code_point: string | null;
  error: Problem | null;
  hint: string | null;
  meant: string | null;
}

/** An error as `placemat check --format json` writes it, with the text that the command prints. */
export interface Fault {
  type: "error";
  form: string;
  offset: number;
  length: number;
  line: number;
  column: number;
  kind: string;
  bytes: string;
  hint: { form: string; text: string } | null;
  sentence: string;
  expected: string | null;
  /** The line around the error, in pieces. `caret` has the first column of the error and the column after it. */
  excerpt: ["plain" | "escaped" | "malformed", string][];
  caret: [number, number];
}

/** Where to start, and how much to explain. */
export interface ExplainOptions {
  encoding?: string;
  /** Explain the bytes around this one: 16 before it and 16 after it, unless there is a limit. */
  offset?: number;
  /** The most characters and faults; by default 20, or all around the offset. */
  limit?: number;
}

/**
 * Returns every character and fault, the verdict of each form, and a summary. `placemat/names` adds the names of characters.
 *
 * ```js
 * import { explain } from "placemat/explain";
 *
 * explain(new Uint8Array([0xc0, 0xaf]))[0].errors[0].kind; // "overlong"
 * ```
 */
export function explain(bytes: Source, options?: ExplainOptions): Explained[];

/** Returns the verdict of each form on all the bytes. */
export function verdicts(bytes: Source, options?: { encoding?: string }): Verdict[];

/** Returns the 256 bytes of a form. @throws RangeError for forms in which a single byte has no meaning. */
export function table(encoding?: string): TableByte[];

/** Returns each sequence of the bytes, with the text that malformed ones were meant to be. */
export function sequences(bytes: Bytes, options?: { encoding?: string; limit?: number }): Sequence[];

/**
 * Returns the output of `placemat explain`, with colours for a terminal, or as a web page. `steps` explains every bit.
 * `placemat/names` adds the names of characters.
 */
export function story(
  bytes: Source,
  options?: ExplainOptions & { what?: "explain" | "steps" | "verdicts" | "table"; width?: number; page?: boolean },
): string;

/** The notations of bytes in text; `auto` guesses one if it is evident. */
export type Written =
  | "auto" | "hex" | "octal" | "binary" | "code-points" | "json" | "perl" | "url" | "quoted-printable" | "encoded-word" | "html"
  | "base64" | "python" | "c" | "rust" | "java" | "hexdump";

/** Returns the bytes that an escaped text means; characters are encoded in `encoding`. @throws RangeError with a sentence that says where the text is wrong. */
export function unescape(text: string, kind?: Written, encoding?: string): Uint8Array;

/**
 * Returns the errors of bytes with line, column, sentence and excerpt, as `placemat check` reports them, in any form or legacy encoding.
 *
 * ```js
 * import { faults } from "placemat/explain";
 *
 * faults(bytes).found[0].sentence; // "E9 begins a sequence of 3 bytes, but 21 cannot follow"
 * ```
 */
export function faults(
  bytes: Source,
  options?: { encoding?: string; limit?: number; width?: number },
): { bytes: number; errors: number; found: Fault[] };
