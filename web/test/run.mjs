// Tries the playground in browsers, from its file and over http.
// Usage: node run.mjs PAGE MODULES [chromium|firefox|webkit ...]
//
// PAGE is the folder with index.html and sw.js, MODULES one with node_modules. SCREENSHOTS=FOLDER keeps a picture of each state,
// ONLY=WORDS runs the cases that have them in their title.
import { createServer } from "node:http";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { launched } from "./drivers.mjs";
import { cases } from "./cases.mjs";

const [folder, modules, ...named] = process.argv.slice(2);
const engines = named.length ? named : ["chromium"];

/** The page as a static host serves it, and what was asked of that host. */
function serve() {
  const asked = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    const name = { "/": "index.html", "/index.html": "index.html", "/sw.js": "sw.js" }[request.url];
    if (!name) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": name.endsWith(".js") ? "text/javascript" : "text/html; charset=utf-8" });
    response.end(readFileSync(join(folder, name)));
  });
  return new Promise((ready) => server.listen(0, "127.0.0.1", () => ready({ server, asked, url: `http://127.0.0.1:${server.address().port}/` })));
}

let failed = 0;
for (const name of engines) {
  const host = await serve();
  const engine = await launched(name, modules);
  const here = { file: pathToFileURL(join(folder, "index.html")).href, http: host.url, asked: host.asked, modules, host };
  for (const [title, run] of Object.entries(cases)) {
    if (!title.includes(process.env.ONLY ?? "")) continue;
    const started = Date.now();
    try {
      const skipped = await run(engine, here);
      console.log(`${name}: ${skipped ? `skipped (${skipped})` : "ok"}: ${title} (${Date.now() - started} ms)`);
    } catch (error) {
      failed += 1;
      console.log(`${name}: FAILED: ${title}\n  ${error.stack ?? error}`);
    }
  }
  await engine.close();
  host.server.close();
}
process.exit(failed ? 1 : 0);
