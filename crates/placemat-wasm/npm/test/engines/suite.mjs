// Collects the tests for every engine: WPT's encoding/ tests, from a folder with them, and the vectors of this project.
// Usage: node suite.mjs WPT VECTORS CONFORMANCE OUT

import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

const [wpt, vectors, conformance, out] = process.argv.slice(2);

const sources = {};
const pages = {};
const tests = [];
const left = [];

/** The path within WPT of a file that a test names. */
const resolved = (from, name) => (name.startsWith("/") ? served(name) : normalize(join(dirname(from), name)));

/** The path within WPT of a file that its server has under another URL. */
const served = (name) => (name === "/resources/WebIDLParser.js" ? "resources/webidl2/lib/webidl2.js" : name.slice(1));

function source(path) {
  sources[path] ??= readFileSync(join(wpt, path), "utf8");
  return path;
}

/** The bytes of a page after its head. Pages that differ only in the head share them. */
function page(path) {
  const bytes = readFileSync(join(wpt, path));
  const head = bytes.subarray(0, 4096).toString("latin1");
  const at = head.indexOf("<body");
  const body = bytes.subarray(at < 0 ? 0 : at);
  const name = createHash("sha256").update(body).digest("hex").slice(0, 16);
  pages[name] = body.toString("base64");
  return { body: name, charset: /<meta\s+charset=["']?([^"'\s/>]+)/i.exec(head)?.[1] };
}

function script(path) {
  const text = readFileSync(join(wpt, path), "utf8");
  const metas = [...text.matchAll(/^\/\/ META: (\w+)=(.*)$/gm)];
  const names = metas.filter(([, key]) => key === "script").map(([, , name]) => resolved(path, name.trim()));
  const absent = names.find((name) => !existsSync(join(wpt, name)));
  if (absent !== undefined) return left.push([path, `${absent} is not there`]);
  const scripts = names.map(source);
  // If a test has variants for different decoders, the one for TextDecoder is used; numbered subsets run as one test.
  const direct = metas.some(([, key, value]) => key === "variant" && value.trim() === "?TextDecoder");
  const whole = [...scripts.map((name) => sources[name]), text].join("\n");
  if (!direct && /XMLHttpRequest/.test(whole)) return left.push([path, "about responses that are read by their charset"]);
  if (/realm\.window\.js|realms\.window\.js/.test(path)) return left.push([path, "about the classes of each realm of a page"]);
  if (/idl_test_shadowrealm/.test(text)) return left.push([path, "about ShadowRealm, which no engine has"]);
  if (/createElement\("iframe"\)/.test(text) && !direct) return left.push([path, "about documents that are loaded by their charset"]);
  tests.push({ path, group: "api", scripts: [...scripts, source(path)], search: direct ? "?TextDecoder" : "" });
}

function html(path) {
  const text = readFileSync(join(wpt, path), "latin1");
  if (!text.includes("testharness.js")) return;
  if (/-encode-form/.test(path)) return left.push([path, "about forms, which have the encoders of links"]);
  const utf8 = readFileSync(join(wpt, path), "utf8");
  const scripts = [];
  const inline = [];
  for (const [, attributes, body] of utf8.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)) {
    const src = /src=["']?([^"'\s>]+)/.exec(attributes)?.[1];
    if (src === undefined) {
      const name = `${path}#${inline.push(body)}`;
      sources[name] = body;
      scripts.push(name);
    } else if (!/testharness(report)?\.js$/.test(src)) {
      // Links are tested instead of forms, which would need a server. Their encoders are the same.
      const name = resolved(path, src).replace("encode-form-common.js", "encode-href-common.js");
      if (!existsSync(join(wpt, name))) return left.push([path, `${name} is not there`]);
      scripts.push(source(name));
    }
  }
  const code = scripts.map((name) => sources[name]).join("\n");
  const charset = /<meta\s+charset=["']?([^"'\s/>]+)/i.exec(text)?.[1];
  const frame = /<iframe[^>]*src=["']?([^"'\s>]+)/.exec(text)?.[1];
  const onload = /<body[^>]*onload=["']([^"']+)/.exec(text)?.[1] ?? "";
  if (/sharedarraybuffer/.test(path)) tests.push({ path, group: "api", scripts, search: "" });
  else if (frame !== undefined && /showNodes/.test(onload)) {
    tests.push({ path, group: "decode", scripts, search: "", onload, page: page(resolved(path, frame)) });
  } else if (/createElement\("a"\)/.test(code)) tests.push({ path, group: "encode", scripts, search: "", charset });
  else left.push([path, "about how a browser loads a page"]);
}

for (const entry of readdirSync(join(wpt, "encoding"), { recursive: true }).sort()) {
  const path = join("encoding", entry);
  if (/\.(any|window|worker)\.js$/.test(path)) script(path);
  else if (/\.html$/.test(path) && !path.includes("/resources/")) html(path);
}
for (const name of ["interfaces/encoding.idl", "interfaces/streams.idl"]) if (existsSync(join(wpt, name))) source(name);

/** The lines of a file of vectors without comments, split at bars. */
const lines = (name) => readFileSync(join(vectors, name), "utf8").split("\n");
const facts = (name) => lines(name).filter((line) => line !== "" && !line.startsWith("#"));
const parts = (line) => line.split("|").map((part) => part.trim());

function policies() {
  const all = [];
  for (const line of facts("error_policies.txt")) {
    const fact = line.split("#")[0].trimEnd();
    if (fact === "") continue;
    if (fact.startsWith("  ")) {
      const at = fact.indexOf(": ");
      const [name, text] = at < 0 ? [fact.trim().replace(/:$/, ""), ""] : [fact.slice(2, at), fact.slice(at + 2)];
      all.at(-1).policies.push([name, text.trim()]);
    } else {
      const [bytes, error] = parts(fact);
      all.push({ bytes, error, policies: [] });
    }
  }
  return all;
}

const tables = {
  forms: readFileSync(conformance, "utf8").split("\n").slice(2).filter(Boolean).map((line) => line.split("\t")),
  boundaries: facts("boundaries.txt").map(parts),
  truncations: facts("truncation.txt").map(parts),
  verdicts: facts("verdicts.txt").map(parts),
  labels: facts("labels.txt").map((line) => line.split(" | ")),
  policies: policies(),
};

const harness = readFileSync(join(wpt, "resources/testharness.js"), "utf8");
writeFileSync(out, JSON.stringify({ harness, sources, pages, tests, left, tables }));
console.log(`${tests.length} files of WPT, ${left.length} left out; ${tables.forms.length} vectors of forms`);
