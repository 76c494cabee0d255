// Puts the playground together: one page that holds everything.
// Usage: node build.mjs MODULE.wasm NAMES.wasm FOLDER
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { namesOf } from "./names.mjs";
import { packed } from "./pack.mjs";

/** Bytes, gzipped, that the page may have. */
const BUDGET = 600 << 10;

/** The section of a module that holds its tables. */
const DATA_SECTION = 11;

/** The parts of the script, in the order in which they stand in it. */
const SCRIPTS = ["dom.js", "engine.js", "blocks.js", "bytes.js", "panels.js", "app.js"];

const here = dirname(fileURLToPath(import.meta.url));
const [module, names, out] = process.argv.slice(2);
/** A file of the page, without indentation and the lines that are empty or only comment: who reads those reads the repository. */
const source = (name) =>
  readFileSync(join(here, "src", name), "utf8").replace(/^[ \t]*(\/\/.*|\/\*[^]*?\*\/)?\n|^[ \t]+/gm, "");

/** The place in a module at which its tables begin. */
function placeOfTables(wasm) {
  let at = 8;
  while (at < wasm.length) {
    if (wasm[at] === DATA_SECTION) return at;
    let length = 0;
    let shift = 0;
    do length |= (wasm[++at] & 0x7f) << shift;
    while (((shift += 7), wasm[at] & 0x80));
    at += 1 + length;
  }
  throw new Error("a module without tables");
}

const wasm = readFileSync(module);
const tables = placeOfTables(wasm);
const script = `"use strict";\n${SCRIPTS.map(source).join("\n")}`;
const parts = {
  style: source("style.css"),
  script,
  worker: source("worker.js"),
  unpacker: ["odds.js", "lzma.js"].map(source).join("\n"),
  code: packed(wasm.subarray(0, tables), "lc=4,lp=0,pb=0,mf=bt3,nice=96").toString("base64"),
  tables: packed(wasm.subarray(tables), "lc=0,lp=1,pb=1,mf=bt3,nice=64").toString("base64"),
  names: packed(namesOf(readFileSync(names)), "lc=4,lp=0,pb=0").toString("base64"),
};
for (const [name, text] of Object.entries(parts)) {
  if (/<\/(script|style)/i.test(text)) throw new Error(`${name} would end its element`);
}
const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
// 'self' lets the service worker be registered where the page came over http; on file: it matches nothing.
parts.csp = [
  "default-src 'none'",
  `script-src ${hash(parts.script)} 'wasm-unsafe-eval'`,
  `style-src ${hash(parts.style)}`,
  "worker-src blob: 'self'",
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

const page = source("index.html").replace(/\{\{(\w+)\}\}/g, (_, name) => parts[name]);
mkdirSync(out, { recursive: true });
writeFileSync(join(out, "index.html"), page);
copyFileSync(join(here, "sw.js"), join(out, "sw.js"));
const gzipped = gzipSync(page, { level: 9 }).length;
console.log(`index.html: ${page.length} bytes, ${gzipped} gzipped, of at most ${BUDGET}`);
if (gzipped > BUDGET) process.exit(1);
