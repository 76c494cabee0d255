import type { Bytes } from "./index.js";

/** Why a text is left as it is: a repair would do harm. The message says what the text seems to be. */
export class RefusedError extends Error {
  private constructor();
}

/** One change. */
export interface Change {
  /** In the original, in bytes. */
  offset: number;
  /** The original bytes, in hexadecimal. */
  bytes: string;
  /** What takes their place. */
  text: string;
  /** Why: the name of an encoding, `cesu-8`, `nul`, `overlong`, `mojibake`, `invisible`, `u+0000`, or of a policy. */
  rule: string;
  /** What was malformed, where the rule does not say it. */
  kind?: string;
  /** The encodings of a mojibake, the last misreading first. */
  via?: string[];
  /** Of a structure: the record or line, and the field, from 1. */
  row?: number;
  field?: number;
}

export interface MendOptions {
  /** The encoding of the malformed runs; `auto` chooses it from them and from the language of the text. */
  second?: string;
  /** What stands for what is not mended: a policy, `replace` by default. */
  onError?: string;
  /** Undo text that was decoded twice. */
  mojibake?: boolean;
  /** Remove characters that are not shown. */
  invisible?: boolean;
  /** Read overlong sequences as what they stand for. */
  overlong?: boolean;
  /** Read C0 80 as U+0000. */
  nul?: boolean;
  /** Take U+FFFD where the text would be refused for want of an encoding that is likely. */
  lossy?: boolean;
  /** Do not diagnose: the policy is for every malformed sequence. */
  blind?: boolean;
  /** What becomes of U+0000. */
  zero?: "keep" | "skip" | "replace";
  /** Mend field by field, so that no delimiter, quote or escape changes. */
  structure?: "csv" | "jsonl" | "sql" | "sql-postgres" | "sql-mysql" | "sql-sqlite";
  /** Of `csv`: one character, or `tab`. */
  delimiter?: string;
}

export interface Mended {
  /** Well-formed UTF-8. */
  bytes: Uint8Array;
  /** In a sentence: `1 byte read as windows-1252`. */
  summary: string;
  /** U+FFFD stands for something that could not be read. */
  lossy: boolean;
  changes: Change[];
  /** The lines of JSON that `placemat repair --report` writes: `undo` puts the original back by them. */
  report: string;
}

/**
 * Repair UTF-8 by diagnosis, as `placemat repair` does: surrogates of CESU-8 are joined, a run of bytes of another encoding is read as
 * that, and U+FFFD stands for the rest. @throws RefusedError where the text as a whole seems to be something else.
 *
 * ```js
 * import { mend, undo } from "placemat/mend";
 *
 * const { bytes, summary, report } = mend(broken);
 * undo(bytes, report); // broken
 * ```
 */
export function mend(bytes: Bytes, options?: MendOptions): Mended;

/** What a text was before it was mended. @throws RangeError where the report is of another text. */
export function undo(bytes: Bytes, report: string): Uint8Array;
