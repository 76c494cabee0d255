import type { Bytes } from "./index.js";

/** Bytes, or a function that writes the next ones into a room and returns how many: 0 at the end. In a worker, `FileReaderSync` reads a file so. */
export type Source = Bytes | ((room: Uint8Array) => number);

/**
 * What many texts are made of: encodings, byte order marks, line endings, scripts, errors.
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
  /** With a field, files are JSON Lines, and the string there in each line is a text. */
  constructor(options?: { field?: string });
  /** Add a text; with a path, a file. False for a binary file, which is counted as skipped. Constant memory. */
  add(bytes: Source, path?: string): boolean;
  /** Add another survey: what `toJSON` gave, or `placemat survey --format json` printed. */
  merge(json: unknown): void;
  /** The sum, as `placemat survey --format json` has it. */
  toJSON(): Record<string, unknown>;
  /** The sum as a web page that stands alone. */
  page(title: string): string;
  /** The sum as a table of so many columns, 80 by default. */
  table(width?: number): string;
  /** Give back the memory at once. The collector of garbage does it too, later. */
  dispose(): void;
}
