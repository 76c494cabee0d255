// What many texts are made of.

import { sourceOf } from "./bytes.js";
import { part, textOf, utf8 } from "./memory.js";

const DISPOSE = Symbol.dispose ?? Symbol.for("Symbol.dispose");

const leftBehind = new FinalizationRegistry(({ calls, handle }) => calls.placemat_survey_close(handle));

/** `placemat survey`: add texts and files, then ask for the sum. */
export class Survey {
  #module = part("survey");
  #handle;

  constructor({ field = "" } = {}) {
    this.#handle = this.#module.status("placemat_survey_open", { settings: [field] });
    leftBehind.register(this, { calls: this.#module.calls, handle: this.#handle }, this);
  }

  /** Add a text; with a path, a file. False for a binary file, which is counted as skipped. */
  add(bytes, path = "") {
    return this.#module.status("placemat_survey_add", { settings: [path], source: sourceOf(bytes) }, this.#handle) === 1;
  }

  /** Add another survey, as JSON. */
  merge(json) {
    const text = typeof json === "string" ? json : JSON.stringify(json);
    this.#module.status("placemat_survey_merge", { input: utf8(text) }, this.#handle);
  }

  /** The sum, as `placemat survey --format json` has it. */
  toJSON() {
    return JSON.parse(textOf(this.#module.ask("placemat_survey_json", {}, this.#handle)));
  }

  /** The sum as a web page that stands alone. */
  page(title) {
    return textOf(this.#module.ask("placemat_survey_page", { settings: [title] }, this.#handle));
  }

  /** The sum as a table of so many columns. */
  table(width = 80) {
    return textOf(this.#module.ask("placemat_survey_table", {}, this.#handle, width));
  }

  /** Give back the memory at once. */
  dispose() {
    leftBehind.unregister(this);
    this.#module.calls.placemat_survey_close(this.#handle);
    this.#handle = -1;
  }

  [DISPOSE]() {
    this.dispose();
  }
}
