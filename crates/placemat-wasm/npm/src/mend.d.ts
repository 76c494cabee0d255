import type { Bytes } from "./index.js";

/** Why a text is not changed: a repair would do harm. The message says what the text seems to be. */
export class RefusedError extends Error {
  private constructor();
}

/** One change. */
export interface Change {
  /** The offset in the original, in bytes. */
  offset: number;
  /** The original bytes, in hexadecimal. */
  bytes: string;
  /** The text that replaces them. */
  text: string;
  /** The reason: `cesu-8`, `nul`, `overlong`, `mojibake`, `invisible`, `u+0000`, or the name of an encoding or of a policy. */
  rule: string;
  /** The kind of the malformed sequence, if the rule does not tell it. */
  kind?: string;
  /** For mojibake: the encodings that it was misread in, the last misreading first. */
  via?: string[];
  /** For a structure: the record or line, and the field, from 1. */
  row?: number;
  field?: number;
}

export interface MendOptions {
  /** The encoding of the malformed runs; `auto` guesses it from them and from the language of the text. */
  second?: string;
  /** The policy for sequences that no other rule repairs; `replace` by default. */
  onError?: string;
  /** Undo text that was decoded twice. */
  mojibake?: boolean;
  /** Remove characters that are not shown. */
  invisible?: boolean;
  /** Read overlong sequences as the characters that they encode. */
  overlong?: boolean;
  /** Read C0 80 as U+0000. */
  nul?: boolean;
  /** Use U+FFFD if the text would be refused because no encoding is likely. */
  lossy?: boolean;
  /** Do not diagnose: apply the policy to every malformed sequence. Text that seems to be something else is refused all the same. */
  blind?: boolean;
  /** What to do with U+0000. */
  zero?: "keep" | "skip" | "replace";
  /** Repair field by field, so that no delimiter, quote or escape changes. */
  structure?: "csv" | "jsonl" | "sql" | "sql-postgres" | "sql-mysql" | "sql-sqlite";
  /** The delimiter of `csv`: one character, or `tab`. */
  delimiter?: string;
}

export interface Mended {
  /** Well-formed UTF-8. */
  bytes: Uint8Array;
  /** What was changed, in a sentence: `1 byte read as windows-1252`. */
  summary: string;
  /** Whether U+FFFD replaced something that could not be read. */
  lossy: boolean;
  changes: Change[];
  /** The lines of JSON that `placemat repair --report` writes. `undo` needs them to restore the original. */
  report: string;
}

/**
 * Repairs UTF-8 by diagnosis, as `placemat repair` does: surrogates of CESU-8 are joined, a run of bytes in another encoding is read in
 * that encoding, and the rest is replaced by U+FFFD. @throws RefusedError if the text as a whole seems to be something else.
 *
 * ```js
 * import { mend, undo } from "placemat/mend";
 *
 * const { bytes, summary, report } = mend(broken);
 * undo(bytes, report); // broken
 * ```
 */
export function mend(bytes: Bytes, options?: MendOptions): Mended;

/** Restores the text from before a repair. @throws RangeError if the report belongs to another text. */
export function undo(bytes: Bytes, report: string): Uint8Array;
