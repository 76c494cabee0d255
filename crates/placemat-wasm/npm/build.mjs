// Builds the package from its sources and modules: node build.mjs MODULES PACKAGE, where MODULES is a folder with NAME.wasm.
//
// For each entry it writes the modules, gzipped inside JavaScript and plain inside JavaScript; a file for each kind of platform; the
// same in CommonJS; and `exports` of package.json.

import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const [modules, place] = process.argv.slice(2);

/** Entries: their part, the files of their modules (the one with SIMD last), and the entry that they import first. */
const ENTRIES = {
  index: { part: "forms", files: ["placemat", "placemat-simd"] },
  legacy: { part: "legacy", files: ["legacy"], first: "index" },
  detect: { part: "detect", files: ["detect"] },
  explain: { part: "explain", files: ["explain"], first: "index" },
  mend: { part: "mend", files: ["mend"] },
  survey: { part: "survey", files: ["survey"] },
  names: { part: "names", files: ["names"] },
};

const put = (path, text) => writeFileSync(join(place, path), text);
const read = (path) => readFileSync(join(place, path), "utf8");
const string = JSON.stringify;

/** The source of an entry for each kind of platform. */
const KINDS = {
  node: ({ part, files }) =>
    `import { readFileSync } from "node:fs";\nimport { hasSimd } from "../src/load.js";\nimport { start } from "../src/memory.js";\n` +
    `const file = new URL(${chosen(files, (file) => string(`../${file}.wasm`))}, import.meta.url);\n` +
    `start(new WebAssembly.Module(readFileSync(file)), ${string(part)});\n`,
  web: ({ part, files }) =>
    `import { load } from "../src/load-web.js";\n` +
    `await load(${[string(part), ...files.map((file) => `() => import("../packed/${file}.js")`)].join(", ")});\n`,
  // workerd runs only modules that are imported, and every version of it has SIMD.
  workerd: ({ part, files }) =>
    `import { start } from "../src/memory.js";\nimport module from "../${files.at(-1)}.wasm";\nstart(module, ${string(part)});\n`,
  inline: ({ part, files }) =>
    `import { loadInline } from "../src/load-web.js";\nimport base64 from "../packed/${files[0]}.inline.js";\n` +
    `loadInline(${string(part)}, base64);\n`,
};

const chosen = ([plain, simd], show) => (simd ? `hasSimd() ? ${show(simd)} : ${show(plain)}` : show(plain));

/** Converts a JavaScript module to CommonJS. The sources use only the few kinds of import and export that this function knows. */
function commonJs(source, folder) {
  const names = [];
  const path = (from) => string(from.startsWith(".") ? from.replace(/\.js$/, ".cjs") : from);
  const body = source
    .replace(/^import (\{[^}]*\}) from "([^"]*)";$/gm, (_, list, from) => `const ${list.replaceAll(" as ", ": ")} = require(${path(from)});`)
    .replace(/^import (\w+) from "([^"]*)";$/gm, (_, name, from) => `const ${name} = require(${path(from)}).default;`)
    .replace(/^import "([^"]*)";$/gm, (_, from) => `require(${path(from)});`)
    .replace(/^export \* from "([^"]*)";$/gm, (_, from) => `Object.assign(exports, require(${path(from)}));`)
    .replace(/^export \{([^}]*)\} from "([^"]*)";$/gm, (_, list, from) => {
      return list.split(",").map((name) => `exports.${name.trim()} = require(${path(from)}).${name.trim()};`).join("\n");
    })
    .replace(/^export \{([^}]*)\};$/gm, (_, list) => (names.push(...list.split(",").map((name) => name.trim())), ""))
    .replace(/^export default /gm, "exports.default = ")
    .replace(/^export ((?:async )?(?:function\*?|class|const) (\w+))/gm, (_, declaration, name) => (names.push(name), declaration))
    .replaceAll("import.meta.url", "require('node:url').pathToFileURL(__filename)");
  if (/^(import|export) /m.test(body)) throw new Error(`${folder}: an import or export that is not known here`);
  return `"use strict";\n${body}${names.map((name) => `exports.${name} = ${name};\n`).join("")}`;
}

for (const folder of ["packed", "entries", "cjs"]) {
  rmSync(join(place, folder), { recursive: true, force: true });
  mkdirSync(join(place, folder), { recursive: true });
}
for (const folder of ["src", "packed", "entries"]) mkdirSync(join(place, "cjs", folder), { recursive: true });

for (const { files } of Object.values(ENTRIES)) {
  for (const file of files) {
    const bytes = readFileSync(join(modules, `${file}.wasm`));
    cpSync(join(modules, `${file}.wasm`), join(place, `${file}.wasm`));
    put(`packed/${file}.js`, `export default ${string(gzipSync(bytes, { level: 9 }).toString("base64"))};\n`);
  }
  const inline = `export default ${string(readFileSync(join(modules, `${files[0]}.wasm`)).toString("base64"))};\n`;
  put(`packed/${files[0]}.inline.js`, inline);
  put(`cjs/packed/${files[0]}.inline.cjs`, commonJs(inline));
}

const types = (path) => path.replace(/\.js$/, ".d.ts");
const exports = {};
const sideEffects = [];
for (const [name, entry] of Object.entries(ENTRIES)) {
  const source = `./src/${name}.js`;
  for (const [kind, text] of Object.entries(KINDS)) {
    const first = entry.first ? `import "./${entry.first}.${kind}.js";\n` : "";
    const whole = `${first}${text(entry)}\nexport * from ".${source}";\n`;
    put(`entries/${name}.${kind}.js`, whole);
    sideEffects.push(`./entries/${name}.${kind}.js`);
    if (kind === "node" || kind === "inline") {
      put(`cjs/entries/${name}.${kind}.cjs`, commonJs(whole.replaceAll("`../${", "`../../${").replaceAll(/"\.\.\/([\w-]+)\.wasm"/g, '"../../$1.wasm"'), name));
      sideEffects.push(`./cjs/entries/${name}.${kind}.cjs`);
    }
  }
  const module = (kind) => ({ types: types(source), default: `./entries/${name}.${kind}.js` });
  const common = (kind) => ({ types: `./cjs/src/${name}.d.cts`, default: `./cjs/entries/${name}.${kind}.cjs` });
  exports[name === "index" ? "." : `./${name}`] = {
    workerd: module("workerd"),
    browser: module("web"),
    deno: module("node"),
    bun: module("node"),
    node: { import: module("node"), require: common("node") },
    default: module("web"),
  };
  exports[name === "index" ? "./inline" : `./${name}/inline`] = { import: module("inline"), require: common("inline") };
}
for (const file of readdirSync(join(place, "src"))) {
  if (file.endsWith(".d.ts")) put(`cjs/src/${file.replace(".d.ts", ".d.cts")}`, read(`src/${file}`).replace(/"(\.\/[\w-]+)\.js"/g, '"$1.cjs"'));
  else if (file !== "load-web.js") put(`cjs/src/${file.replace(".js", ".cjs")}`, commonJs(read(`src/${file}`), file));
  else put(`cjs/src/${file.replace(".js", ".cjs")}`, commonJs(read(`src/${file}`), file));
}

const manifest = JSON.parse(read("package.json"));
manifest.exports = { ...exports, "./package.json": "./package.json" };
manifest.sideEffects = sideEffects;
put("package.json", `${string(manifest, null, 2)}\n`);
