// A server on the loopback address. It serves the package, the harness, and empty documents in any encoding.

import { createReadStream, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".mjs": "text/javascript", ".json": "application/json", ".wasm": "application/wasm" };

// Headers for pages that may use SharedArrayBuffer.
const ISOLATED = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp", "Cross-Origin-Resource-Policy": "same-origin" };

/** The URL from which a browser loads an entry of the package. */
function entry(folder, name) {
  const { exports } = JSON.parse(readFileSync(join(folder, "node_modules/placemat/package.json"), "utf8"));
  let found = exports[name];
  while (typeof found === "object") found = found.browser ?? found.import ?? found.default;
  return `/node_modules/placemat/${found.replace(/^\.\//, "")}`;
}

const page = (folder) => `<!doctype html><meta charset="utf-8"><title>placemat</title>
<script type="importmap">{"imports":{"placemat/legacy":"${entry(folder, "./legacy")}"}}</script>
<script type="module" src="/engines/browser.mjs"></script>`;

/** Serves a folder. Resolves to the port, and to the report of a page. */
export function serve(folder, suite) {
  const waiting = new Map();
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url, "http://localhost");
    const send = (type, text) => response.writeHead(200, { "Content-Type": type, ...ISOLATED }).end(text);
    if (pathname === "/page") return send(TYPES[".html"], page(folder));
    if (pathname === "/blank") return send(`text/html; charset=${searchParams.get("charset")}`, "<!doctype html><title>blank</title>");
    if (pathname === "/report") {
      const parts = [];
      request.on("data", (part) => parts.push(part)).on("end", () => {
        send("text/plain", "");
        waiting.get(searchParams.get("engine"))?.(JSON.parse(Buffer.concat(parts).toString("utf8")));
      });
      return;
    }
    const file = pathname === "/suite.json" ? suite : join(folder, normalize(pathname));
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return response.writeHead(404).end();
    response.writeHead(200, { "Content-Type": TYPES[extname(file)] ?? "application/octet-stream", ...ISOLATED });
    createReadStream(file).pipe(response);
  });
  const reported = (engine) => new Promise((resolve) => waiting.set(engine, resolve));
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve({ port: server.address().port, reported, close: () => server.close() }));
  });
}
