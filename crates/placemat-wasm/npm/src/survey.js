// Surveys: sums over many texts.

import { sourceOf } from "./bytes.js";
import { part, textOf, utf8 } from "./memory.js";

const DISPOSE = Symbol.dispose ?? Symbol.for("Symbol.dispose");

const leftBehind = new FinalizationRegistry(({ calls, handle }) => calls.placemat_survey_close(handle));

/** Surveys texts and files like `placemat survey`: add them, then read the sum. */
export class Survey {
  #module = part("survey");
  #handle;

  constructor({ field = "" } = {}) {
    this.#handle = this.#module.status("placemat_survey_open", { settings: [field] });
    leftBehind.register(this, { calls: this.#module.calls, handle: this.#handle }, this);
  }

  /** Adds a text; with a path, a file. Returns false for a binary file, which counts as skipped. */
  add(bytes, path = "") {
    return this.#module.status("placemat_survey_add", { settings: [path], source: sourceOf(bytes) }, this.#handle) === 1;
  }

  /** Adds another survey, which is JSON. */
  merge(json) {
    const text = typeof json === "string" ? json : JSON.stringify(json);
    this.#module.status("placemat_survey_merge", { input: utf8(text) }, this.#handle);
  }

  /** Returns the sum, as `placemat survey --format json` writes it. */
  toJSON() {
    return JSON.parse(textOf(this.#module.ask("placemat_survey_json", {}, this.#handle)));
  }

  /** Returns the sum as a single web page. */
  page(title) {
    return textOf(this.#module.ask("placemat_survey_page", { settings: [title] }, this.#handle));
  }

  /** Returns the sum as a table of `width` columns. */
  table(width = 80) {
    return textOf(this.#module.ask("placemat_survey_table", {}, this.#handle, width));
  }

  /** Frees the memory at once. */
  dispose() {
    leftBehind.unregister(this);
    this.#module.calls.placemat_survey_close(this.#handle);
    this.#handle = -1;
  }

  [DISPOSE]() {
    this.dispose();
  }
}
