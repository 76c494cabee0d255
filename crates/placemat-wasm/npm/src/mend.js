// Repairs by diagnosis, with a report from which the original can be restored.

import { bytesOf } from "./bytes.js";
import { part, textOf, utf8 } from "./memory.js";

const FLAGS = ["mojibake", "invisible", "overlong", "nul", "lossy", "blind"];

/** Why a text is not changed: a repair would do harm. */
export class RefusedError extends Error {
  get name() {
    return "RefusedError";
  }
}

/** Repairs UTF-8 as `placemat repair` does. */
export function mend(bytes, options = {}) {
  const { second = "auto", onError = "replace", zero = "keep", structure = "", delimiter = "," } = options;
  const module = part("mend");
  const settings = [second, onError, FLAGS.filter((flag) => options[flag]).join(" "), zero, structure, delimiter];
  try {
    const told = JSON.parse(textOf(module.ask("placemat_mend", { settings, input: bytesOf(bytes) })));
    if (told.refused !== null) throw new RefusedError(told.refused);
    const { summary, lossy, changes } = told;
    const repaired = module.ask("placemat_mended", {});
    const report = textOf(module.ask("placemat_report", {}));
    return { bytes: repaired, summary, lossy, changes: changes.map(({ type, ...change }) => change), report };
  } finally {
    module.calls.placemat_forget();
  }
}

/** Restores the text from before a repair, by its report. */
export function undo(bytes, report) {
  const module = part("mend");
  module.write(utf8(report));
  module.run("placemat_undo", { input: bytesOf(bytes) });
  return module.told().bytes.slice();
}
