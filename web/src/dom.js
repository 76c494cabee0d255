// Elements, made of text only: nothing that comes from an input is ever parsed as HTML.

/**
 * @param {string} name a tag, with classes behind dots
 * @param {Record<string, any>} [attributes] those that begin with `on` are listeners; `false` and `null` are left out
 * @param {...(Node|string|null|false)} children
 */
function el(name, attributes = {}, ...children) {
  const [tag, ...classes] = name.split(".");
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== false && child !== undefined));
  return element;
}

/** Show these children and no others. */
function show(element, ...children) {
  element.replaceChildren(...children.filter((child) => child !== null && child !== false));
}

const byId = (id) => document.getElementById(id);
const number = (n) => Number(n).toLocaleString("en");
const plural = (n, one) => `${number(n)} ${one}${n === 1 ? "" : "s"}`;
const hexOf = (byte) => byte.toString(16).toUpperCase().padStart(2, "0");

/** A number of bytes for people. */
function size(bytes) {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  let at = 0;
  while (bytes >= 999.5 && at < units.length - 1) (bytes /= 1000), at++;
  return at === 0 ? plural(bytes, "byte") : `${bytes.toFixed(bytes < 9.995 ? 1 : 0)} ${units[at]}`;
}

/** Characters that would not be seen, or would reorder the text around them, as `U+200B`. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Cs}\u00AD\u3164\u115F\u1160\uFFA0]/u;

/** Text as it is, with what cannot be seen as a small label, and U+FFFD marked. Isolated, so that it reorders nothing else. */
function shownText(text, limit = 400) {
  const out = el("bdi.shown");
  let run = "";
  let count = 0;
  const flush = () => run && (out.append(run), (run = ""));
  for (const c of text) {
    if (++count > limit) {
      run += "…";
      break;
    }
    if (c === "\n") flush(), out.append(el("span.mark", {}, "LF"), "\n");
    else if (c === "\uFFFD") flush(), out.append(el("span.replaced", {}, c));
    else if (HIDDEN.test(c)) flush(), out.append(el("span.mark", {}, codePoint(c)));
    else run += c;
  }
  flush();
  if (!text) out.append(el("span.faint", {}, "nothing"));
  return out;
}

const codePoint = (c) => `U+${c.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;

/** Move a roving tab stop within a grid by the keyboard. Returns the index to go to, or null. */
function step(key, at, count, columns, ctrl) {
  const to = {
    ArrowLeft: at - 1,
    ArrowRight: at + 1,
    ArrowUp: at - columns,
    ArrowDown: at + columns,
    Home: ctrl ? 0 : at - (at % columns),
    End: ctrl ? count - 1 : Math.min(count - 1, at - (at % columns) + columns - 1),
  }[key];
  return to === undefined ? null : to;
}
