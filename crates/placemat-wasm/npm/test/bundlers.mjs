// Tests the package with each bundler, without settings for it: node bundlers.mjs, in a folder where they and the package are installed.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const SOURCE = `import { check, TextDecoder } from "placemat";
console.log(JSON.stringify(check(Uint8Array.of(0x61, 0xff))), new TextDecoder().decode(Uint8Array.of(0xc3, 0xa9)));
`;
const LEGACY = `import { TextDecoder } from "placemat/legacy";\nconsole.log(new TextDecoder("koi8-r").decode(Uint8Array.of(0xc4)));\n`;
writeFileSync("app.mjs", SOURCE);
writeFileSync("legacy.mjs", LEGACY);
writeFileSync("rollup.config.mjs", `import resolve from "@rollup/plugin-node-resolve";
export default { plugins: [resolve({ browser: true })] };\n`);
writeFileSync("webpack.config.mjs", `export default { mode: "production", target: "web", performance: { hints: false },
  experiments: { outputModule: true }, output: { module: true, chunkFormat: "module", publicPath: "./", filename: "app.mjs",
  chunkLoading: "import" } };\n`);

const BUNDLERS = {
  esbuild: (from, out) => ["esbuild", [from, "--bundle", "--format=esm", "--splitting", "--minify", `--outdir=${out}`, "--out-extension:.js=.mjs"]],
  rollup: (from, out) => ["rollup", ["-c", "rollup.config.mjs", "-i", from, "-d", out, "--entryFileNames", "app.mjs", "--silent"]],
  vite: (from, out) => ["vite", ["build", "--logLevel", "error", "--outDir", out, "--config", `vite.${out.replace("/", ".")}.mjs`]],
  webpack: (from, out) => ["webpack", ["--entry", `./${from}`, "-o", out, "-c", "webpack.config.mjs", "--stats", "errors-only"]],
};

for (const [name, line] of Object.entries(BUNDLERS)) {
  for (const [from, expected] of [
    ["app.mjs", '{"kind":"invalid-byte","offset":1,"length":1} é\n'],
    ["legacy.mjs", "д\n"],
  ]) {
    const out = `out/${name}-${from.split(".")[0]}`;
    mkdirSync(out, { recursive: true });
    writeFileSync(`vite.${out.replace("/", ".")}.mjs`, `export default { build: { target: "esnext", lib: { entry: "${from}", formats: ["es"], fileName: () => "app.mjs" } } };\n`);
    const [command, args] = line(from, out);
    execFileSync(join("node_modules/.bin", command), args, { stdio: ["ignore", "ignore", "inherit"] });
    const entry = ["app.mjs", from, `${from.split(".")[0]}.mjs`].map((file) => join(out, file)).find((file) => statSync(file, { throwIfNoEntry: false }));
    assert.equal(execFileSync("node", [entry], { encoding: "utf8" }), expected, name);
    const sizes = readdirSync(out, { recursive: true }).map((file) => join(out, file)).filter((file) => statSync(file).isFile());
    const sum = sizes.reduce((sum, file) => sum + gzipSync(readFileSync(file)).length, 0);
    console.log(`${name} ${from}: ${sizes.length} files, ${sum} bytes gzipped in all`);
  }
}
