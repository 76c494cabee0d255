// Runs all tests in workerd: the harness and the package are modules of a worker, which reports by HTTP.

import { spawn } from "node:child_process";
import { cpSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { join, posix } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/** The path of the entry for workerd. */
function entry(folder) {
  const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  let found = exports["./legacy"];
  while (typeof found === "object") found = found.workerd ?? found.import ?? found.default;
  return posix.normalize(found);
}

function* modules(folder, under = "") {
  for (const file of readdirSync(join(folder, under), { withFileTypes: true })) {
    const path = posix.join(under, file.name);
    if (file.isDirectory()) yield* modules(folder, path);
    else if (/\.(js|mjs|wasm)$/.test(file.name)) yield path;
  }
}

const WORKER = (start) => `import * as placemat from "./placemat/${start}";
import { runAll } from "./engines/run.mjs";
import text from "./suite.json";
export default {
  async fetch(request, env) {
    const compile = (source, parameter) => env.EVAL.newFunction(source, "test", parameter);
    const report = await runAll({ placemat, suite: JSON.parse(text), compile }).catch((error) => ({ failed: \`\${error}\\n\${error.stack}\` }));
    return new Response(JSON.stringify(report));
  },
};
`;

function config(folder, port) {
  const quoted = JSON.stringify;
  const placed = (kind, name, path) => `(name = ${quoted(name)}, ${kind} = embed ${quoted(path)})`;
  const kindOf = (path) => (path.endsWith(".wasm") ? "wasm" : "esModule");
  const own = [...modules(join(folder, "node_modules/placemat"))].filter((path) => !path.startsWith("cjs/"));
  const all = [
    placed("esModule", "worker.js", "worker.js"),
    placed("text", "suite.json", "workerd-suite.json"),
    ...own.map((path) => placed(kindOf(path), `placemat/${path}`, `node_modules/placemat/${path}`)),
    ...[...modules(join(folder, "engines"))].map((path) => placed(kindOf(path), `engines/${path}`, `engines/${path}`)),
  ];
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (modules = [${all.join(",\n")}], compatibilityDate = "2026-01-01", bindings = [(name = "EVAL", unsafeEval = void)]))],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
`;
}

/** Requests the worker's answer, which can take minutes. `fetch` would give up and send the request again. */
function answer(port) {
  return new Promise((resolve, reject) => {
    const request = get({ host: "127.0.0.1", port, timeout: 900_000 }, (response) => {
      const parts = [];
      response.on("data", (part) => parts.push(part)).on("end", () => resolve(Buffer.concat(parts).toString("utf8")));
    });
    request.on("timeout", () => request.destroy(new Error("no report"))).on("error", reject);
  });
}

/** Runs all tests in workerd. Resolves to the report. */
export async function runWorkerd(binary, folder, suite) {
  // Embedded files must be in the folder of the settings.
  cpSync(suite, join(folder, "workerd-suite.json"));
  const port = 8700 + (process.pid % 900);
  writeFileSync(join(folder, "worker.js"), WORKER(entry(join(folder, "node_modules/placemat"))));
  writeFileSync(join(folder, "workerd.capnp"), config(folder, port));
  const child = spawn(binary, ["serve", "--experimental", "workerd.capnp"], { cwd: folder, stdio: ["ignore", "inherit", "inherit"] });
  try {
    for (let tries = 0; ; tries++) {
      try {
        return JSON.parse(await answer(port));
      } catch (error) {
        if (tries === 40 || child.exitCode !== null || error.code !== "ECONNREFUSED") throw error;
        await pause(500);
      }
    }
  } finally {
    child.kill("SIGKILL");
  }
}
