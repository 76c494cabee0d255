// What labels mean.

import { calls, toldText, writeText } from "./memory.js";

/** What a label means to a reader of labels: `{ name, form }`, where form is a number or null; null for an unknown label. */
function resolve(reader, label) {
  writeText(`${reader}\n${label}`);
  const form = calls().placemat_label();
  return form === -1 ? null : { name: toldText(), form: form < 0 ? null : form };
}

/** The canonical name of the encoding that a label means, or null. */
export function label(text, reader = "lenient") {
  return resolve(reader, text)?.name ?? null;
}

/** The form that a label means. */
export function form(text, reader = "lenient") {
  const found = resolve(reader, text);
  if (found === null) throw new RangeError(`no encoding is called ${JSON.stringify(String(text))}`);
  if (found.form === null) throw new RangeError(`${found.name} is a legacy encoding, which this package does not read`);
  return found;
}
