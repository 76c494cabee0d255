// Resolves labels of encodings.

import { part } from "./memory.js";

/** Resolves a label for a reader of labels: `{ name, form }`, where form is a number, or null for a legacy encoding; null for an unknown label. */
export function resolve(reader, label) {
  const forms = part("forms");
  forms.writeText(`${reader}\n${label}`);
  const form = forms.calls.placemat_label();
  return form === -1 ? null : { name: forms.toldText(), form: form < 0 ? null : form };
}

/** The canonical name of the encoding that a label means, or null. */
export function label(text, reader = "lenient") {
  return resolve(reader, text)?.name ?? null;
}

/** The encoding that a label means. */
export function encodingOf(text, reader = "lenient") {
  const found = resolve(reader, text);
  if (found === null) throw new RangeError(`no encoding is called ${JSON.stringify(String(text))}`);
  return found;
}

/** The form that a label means. */
export function form(text, reader = "lenient") {
  const found = encodingOf(text, reader);
  if (found.form === null) throw new RangeError(`${found.name} is a legacy encoding, not a form`);
  return found;
}
