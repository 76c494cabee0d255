// Puts the playground together: one page that holds everything.
// Usage: node build.mjs MODULE.wasm FOLDER
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { deflateRawSync, gzipSync } from "node:zlib";

/** Bytes, gzipped, that the page may have. The aim is 600 KiB; the tables of legacy encodings and languages are what exceeds it. */
const BUDGET = 660 << 10;

/** The parts of the script, in the order in which they stand in it. */
const SCRIPTS = ["dom.js", "engine.js", "blocks.js", "bytes.js", "panels.js", "app.js"];

const here = dirname(fileURLToPath(import.meta.url));
const [module, out] = process.argv.slice(2);
const source = (name) => readFileSync(join(here, "src", name), "utf8");

const script = `"use strict";\n${SCRIPTS.map(source).join("\n")}`;
const parts = {
  style: source("style.css"),
  script,
  worker: source("worker.js"),
  wasm: deflateRawSync(readFileSync(module), { level: 9 }).toString("base64"),
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
