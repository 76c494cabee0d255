// Explains bytes: objects for programs, text for people, and errors with positions and sentences.

import { bytesOf, sourceOf } from "./bytes.js";
import { form } from "./labels.js";
import { has, part, textOf, utf8 } from "./memory.js";
import { names } from "./names-lookup.js";

const ask = (name, settings, given) => part("explain").ask(name, { settings, ...given });
const json = (name, settings, given) => JSON.parse(textOf(ask(name, settings, given)));

/** The most characters and faults without a limit. Around an offset there are few. */
const most = (offset) => (offset === "" ? 20 : 1e9);

/** Returns the objects that `placemat explain --format json` writes, one for each character, fault, shift and verdict. */
export function explain(bytes, { encoding = "utf-8", offset = "", limit = most(offset) } = {}) {
  const objects = json("placemat_explain", [form(encoding).name, offset, limit], { source: sourceOf(bytes) });
  return has("names") ? named(objects) : objects;
}

/** The names are in another module. Without it, only names that follow from a rule are known. */
function named(objects) {
  const nameless = objects.filter(({ type, name }) => type === "character" && name.startsWith("<assigned-"));
  const found = names(nameless.map(({ code_point: codePoint }) => parseInt(codePoint.slice(2), 16)));
  for (const [at, object] of nameless.entries()) object.name = found[at] ?? object.name;
  return objects;
}

/** Returns the verdict of each form on all the bytes. */
export function verdicts(bytes, { encoding = "utf-8" } = {}) {
  return json("placemat_verdicts", [form(encoding).name], { source: sourceOf(bytes) });
}

/** Returns the 256 bytes of a form. */
export function table(encoding = "utf-8") {
  return json("placemat_table", [form(encoding).name]);
}

/** Returns each sequence of the bytes: a character or an error. */
export function sequences(bytes, { encoding = "utf-8", limit = "" } = {}) {
  return json("placemat_sequences", [form(encoding).name, limit], { input: bytesOf(bytes) });
}

/** A code point and what stands for its name in a story; the names are in another module. */
const STAND_IN = /(U\+([0-9A-F]+)(?:\x1b\[0m|<\/bdi>)?)(\s+)(?:<|&lt;)assigned-\2(?:>|&gt;)/g;

const STORIES = ["explain", "steps", "verdicts", "table"];

/** Returns the output of `placemat explain`: for a terminal of `width` columns, or with `page` as a web page. */
export function story(bytes, { encoding = "utf-8", offset = "", limit = most(offset), what = "explain", width = 80, page = false } = {}) {
  if (!STORIES.includes(what)) throw new RangeError(`what: one of ${STORIES.join(", ")} is expected, not ${what}`);
  const settings = [form(encoding).name, offset, limit, what, page ? "page" : width];
  const text = textOf(ask("placemat_story", settings, { source: sourceOf(bytes) }));
  return text.replace(STAND_IN, (all, point, digits, space) => {
    if (!has("names")) return point;
    const [name] = names([parseInt(digits, 16)]);
    return name === null ? all : point + space + name;
  });
}

/** Returns the bytes that an escaped text means. */
export function unescape(text, kind = "auto", encoding = "utf-8") {
  return ask("placemat_unescape", [kind, form(encoding).name], { input: utf8(String(text)) });
}

/** Returns the errors of bytes with line, column, sentence and excerpt, as `placemat check` reports them. */
export function faults(bytes, { encoding = "utf-8", limit = 1000, width = 80 } = {}) {
  return json("placemat_faults", [encoding, limit, width], { source: sourceOf(bytes) });
}
