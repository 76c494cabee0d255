import type { Bytes } from "./index.js";

/** Bytes, or a function that writes the next ones into a room and returns how many: 0 at the end. */
export type Source = Bytes | ((room: Uint8Array) => number);

/** What is wrong, and where, in bytes. */
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

/** What one form says of all the bytes. */
export interface Verdict {
  type: "verdict";
  form: string;
  well_formed: boolean;
  error: Problem | null;
  schema?: number;
}

/** What one byte does in a form. */
export interface TableByte {
  type: "byte";
  form: string;
  byte: string;
  class: "ascii" | "single" | "continuation" | "lead" | "limited-lead" | "never";
  /** Of the shortest and the longest sequence that it begins. */
  lengths: [number, number];
  first: string | null;
  last: string | null;
  /** Ranges of the bytes that may come second. */
  second: [string, string][];
  label: string | null;
  schema?: number;
}

/** One sequence: of `code_point` and `error` one is null. */
export interface Sequence {
  offset: number;
  length: number;
  bytes: string;
  code_point: string | null;
  error: Problem | null;
  hint: string | null;
  meant: string | null;
}

/** An error as `placemat check --format json` has it, and what it prints. */
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
  /** The line around it, in pieces; `caret` are the first column of the error and that behind it. */
  excerpt: ["plain" | "escaped" | "malformed", string][];
  caret: [number, number];
}

/** Where to begin, and how much. */
export interface ExplainOptions {
  encoding?: string;
  /** Explain what stands around this byte. */
  offset?: number;
  /** Characters and faults, at most; 20 by default. */
  limit?: number;
}

/**
 * Every character and fault, what each form says, and a summary. The names of characters come with `placemat/names`.
 *
 * ```js
 * import { explain } from "placemat/explain";
 *
 * explain(new Uint8Array([0xc0, 0xaf]))[0].errors[0].kind; // "overlong"
 * ```
 */
export function explain(bytes: Source, options?: ExplainOptions): Explained[];

/** What each form says of all the bytes. */
export function verdicts(bytes: Source, options?: { encoding?: string }): Verdict[];

/** The 256 bytes of a form. @throws RangeError for forms in which a byte by itself means nothing. */
export function table(encoding?: string): TableByte[];

/** Each sequence of the bytes, with what malformed ones were meant to be. */
export function sequences(bytes: Bytes, options?: { encoding?: string; limit?: number }): Sequence[];

/**
 * What `placemat explain` prints, with its colours for a terminal, or as a web page. `steps` tells every bit.
 */
export function story(
  bytes: Source,
  options?: ExplainOptions & { what?: "explain" | "steps" | "verdicts" | "table"; width?: number; page?: boolean },
): string;

/** How bytes may be written in text; `auto` guesses one that is evident. */
export type Written =
  | "auto" | "hex" | "octal" | "binary" | "code-points" | "json" | "perl" | "url" | "quoted-printable" | "encoded-word" | "html"
  | "base64" | "python" | "c" | "rust" | "java" | "hexdump";

/** The bytes that a text stands for; characters become bytes of `encoding`. @throws RangeError with a sentence that says where it is wrong. */
export function unescape(text: string, kind?: Written, encoding?: string): Uint8Array;

/**
 * The errors of bytes with line, column, sentence and excerpt, as `placemat check` tells them; in any form or legacy encoding.
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
