import type { Bytes } from "./index.js";

/** Bytes, or a function that writes the next bytes to a room and returns their number: 0 at the end. In a worker, `FileReaderSync` can read a file for it. */
export type Source = Bytes | ((room: Uint8Array) => number);

/**
 * Sums up many texts: encodings, byte order marks, line endings, scripts, errors.
 *
 * ```js
 * import { Survey } from "placemat/survey";
 *
 * const survey = new Survey();
 * survey.add(bytes, "menu.txt");
 * survey.toJSON().encodings; // [{ encoding: "utf-8", texts: 1, … }]
 * survey.page("my files");   // a web page with charts
 * ```
 */
export class Survey {
  /** With a field, files are JSON Lines, and the string in that field of each line is a text. */
  constructor(options?: { field?: string });
  /** Adds a text; with a path, a file. Returns false for a binary file, which counts as skipped. Constant memory. */
  add(bytes: Source, path?: string): boolean;
  /** Adds another survey: the result of `toJSON`, or the output of `placemat survey --format json`. */
  merge(json: unknown): void;
  /** Returns the sum, as `placemat survey --format json` writes it. */
  toJSON(): Record<string, unknown>;
  /** Returns the sum as a single web page. */
  page(title: string): string;
  /** Returns the sum as a table of `width` columns, 80 by default. */
  table(width?: number): string;
  /** Frees the memory at once. Otherwise the garbage collector does so later. */
  dispose(): void;
}
