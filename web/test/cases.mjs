// What must be true of the page, in every engine unless it says otherwise.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const HOSTILE = `<img src=x onerror="window.broken=1"><script>window.broken=2</scr` + `ipt>"'><svg onload=window.broken=3>`;

/** Open the page, and wait until it has shown everything. */
async function opened(engine, url, more) {
  const page = await engine.open(url, more);
  await until(page, () => document.documentElement.dataset.ready === "true");
  return page;
}

async function until(page, check, ...args) {
  for (let tries = 0; tries < 600; tries++) {
    if (await page.evaluate(check, ...args)) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  const seen = await page.evaluate(() => [document.querySelector("[role=tabpanel]:not([hidden])")?.textContent, document.body.textContent].map((text) => text?.slice(0, 400)).join("\n"));
  throw new Error(`never: ${check}\n${page.said.join("\n")}\n${seen}`);
}

const fragment = (state) => `#${new URLSearchParams(state)}`;
const textOf = (page, id) => page.evaluate((name) => document.getElementById(name).textContent, id);

/** What the engine itself says without being asked by the page. */
const ours = (said) => said.filter((line) => /^(error|warn)/.test(line) && !/favicon|net::ERR_INTERNET_DISCONNECTED/.test(line));

/** Give the page a file of `size` bytes: `start`, then `piece` again and again. */
const give = (page, name, start, piece, size) =>
  page.evaluate(
    ({ name, start, piece, size }) => {
      const block = new TextEncoder().encode(piece.repeat(Math.ceil((1 << 20) / piece.length)));
      const parts = [Uint8Array.from(start)];
      for (let at = 0; at < size; at += block.length) parts.push(block);
      const data = new DataTransfer();
      data.items.add(new File(parts, name));
      const files = document.getElementById("files");
      files.files = data.files;
      files.dispatchEvent(new Event("change"));
    },
    { name, start, piece, size },
  );

async function axe(page, modules) {
  const source = readFileSync(join(modules, "node_modules/axe-core/axe.min.js"), "utf8");
  // Through the debugger: the page's own policy forbids any other script.
  await page.raw.evaluate(source);
  const found = await page.evaluate(async () => {
    const { violations } = await window.axe.run(document, { resultTypes: ["violations"] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary}`).join("; ")}`);
  });
  assert.deepEqual(found, []);
}

const TABS = ["errors", "bits", "chains", "readers", "table", "forms", "repair", "survey"];

export const cases = {
  "from its file and over http, without a word on the console": async (engine, { file, http }) => {
    for (const url of [file, http]) {
      const page = await opened(engine, url);
      assert.match(await textOf(page, "verdict"), /Well-formed utf-8/);
      assert.match(await textOf(page, "panel-chains"), /Le café est très bon – déjà/);
      assert.deepEqual(ours(page.said), []);
      await page.close();
    }
  },

  "nothing is asked of the network once it is loaded": async (engine, { http, asked }) => {
    const page = await opened(engine, http);
    // The service worker is part of loading; where there is none, this waits in vain.
    // A browser asks by itself, when it likes, whether there is a newer one.
    await page.evaluate(() => Promise.race([navigator.serviceWorker?.ready.then(() => true), new Promise((done) => setTimeout(done, 5000, true))]));
    await new Promise((done) => setTimeout(done, 500));
    asked.length = 0;
    await page.evaluate((text) => {
      const input = document.getElementById("input");
      input.value = text;
      input.dispatchEvent(new Event("input"));
      for (const tab of document.querySelectorAll("[role=tab]")) tab.click();
    }, HOSTILE);
    await until(page, (text) => document.getElementById("reading").textContent.includes("onerror"), HOSTILE);
    await new Promise((done) => setTimeout(done, 500));
    assert.deepEqual(asked.filter((address) => address !== "/sw.js"), []);
    await page.close();
  },

  "the address keeps the state": async (engine, { file }) => {
    const page = await opened(engine, file + fragment({ how: "hex", in: "E2 82 AC C0 AF", at: "3", tab: "bits" }));
    assert.match(await textOf(page, "verdict"), /Malformed utf-8: 2 errors in 5 bytes/);
    assert.equal(await page.evaluate(() => document.querySelector("[aria-selected=true][role=tab]").id), "tab-bits");
    await until(page, () => document.getElementById("panel-bits").textContent.includes("overlong"));
    await page.evaluate(() => {
      const input = document.getElementById("input");
      input.value = "C3 A9";
      input.dispatchEvent(new Event("input"));
    });
    await until(page, () => /Well-formed/.test(document.getElementById("verdict").textContent));
    const hash = await page.evaluate(() => location.hash);
    assert.equal(new URLSearchParams(hash.slice(1)).get("in"), "C3 A9");
    await page.close();
    const again = await opened(engine, file + hash);
    assert.match(await textOf(again, "verdict"), /Well-formed utf-8: 2 bytes/);
    await again.close();
  },

  "an unpaired surrogate stays one, also in the address": async (engine, { file }) => {
    const page = await opened(engine, file);
    await page.evaluate(() => {
      const input = document.getElementById("input");
      input.value = "a\uD83Db";
      input.dispatchEvent(new Event("input"));
    });
    await until(page, () => /Malformed utf-8: 3 errors in 5 bytes/.test(document.getElementById("verdict").textContent));
    await until(page, () => location.hash.includes("61EDA0BD62"));
    await page.close();
  },

  "every way to type bytes": async (engine, { file }) => {
    const ways = { text: "é", hex: "C3 A9", url: "%C3%A9", base64: "w6k=", json: "\\u00e9", python: "b'\\xc3\\xa9'", c: '"\\xC3\\xA9"', rust: '"\\u{e9}"', java: '"\\u00E9"' };
    const page = await opened(engine, file);
    for (const [how, text] of Object.entries(ways)) {
      await page.evaluate((hash) => (location.hash = hash), fragment({ how, in: text }));
      await until(page, (way) => document.getElementById("how").value === way && /Well-formed utf-8: 2 bytes/.test(document.getElementById("verdict").textContent) && document.getElementById("reading").textContent === "é", how);
    }
    await page.close();
  },

  "hostile input is text": async (engine, { file }) => {
    const page = await opened(engine, file);
    const broken = () => page.evaluate(() => [window.broken ?? null, document.querySelectorAll("main img, main script, main svg").length]);
    const states = [{ in: HOSTILE }, { in: `Ã©${HOSTILE}Ã©`, tab: "chains" }, { how: HOSTILE, form: HOSTILE, tab: HOSTILE, in: HOSTILE }];
    for (const [nth, state] of states.entries()) {
      // The number says that this state is shown, and not the one before it.
      const text = `${nth}${state.in}`;
      await page.evaluate((hash) => (location.hash = hash), fragment({ ...state, in: text }));
      await until(page, (start) => document.getElementById("reading").textContent.startsWith(start) && document.getElementById("reading").textContent.includes("onerror"), String(nth));
      assert.deepEqual(await broken(), [null, 0]);
    }
    await give(page, `${HOSTILE.replaceAll("/", "")}\u202E.txt`, [0xff, ...Buffer.from(HOSTILE)], "x", 0);
    await until(page, () => /Malformed/.test(document.getElementById("verdict").textContent));
    assert.deepEqual(await broken(), [null, 0]);
    await page.evaluate((text) => {
      const data = new DataTransfer();
      for (const name of ["a", "b"]) data.items.add(new File([text, new Uint8Array([255])], `${text.replaceAll("/", "")}${name}`));
      const files = document.getElementById("files");
      files.files = data.files;
      files.dispatchEvent(new Event("change"));
    }, HOSTILE);
    await until(page, () => document.querySelector("#panel-survey .bars") !== null);
    assert.deepEqual(await broken(), [null, 0]);
    await page.close();
  },

  "a chain is undone by a click": async (engine, { file }) => {
    const page = await opened(engine, file + fragment({ in: "FranÃƒÂ§ais, naÃƒÂ¯vetÃƒÂ©", tab: "chains" }));
    assert.match(await textOf(page, "panel-chains"), /utf-8 read as windows-1252, then utf-8 read as windows-1252/);
    assert.match(await textOf(page, "panel-chains"), /\.encode\('cp1252'\)\.decode\('utf-8'\)/);
    await page.evaluate(() => document.querySelector("#panel-chains .chain button.main").click());
    await until(page, () => document.getElementById("input").value === "Français, naïveté");
    await until(page, () => document.getElementById("panel-chains").textContent.includes("plausible"));
    await page.evaluate(() => history.back());
    await until(page, () => document.getElementById("input").value.includes("Ãƒ"));
    await page.close();
  },

  "by the keyboard alone": async (engine, { file }) => {
    const page = await opened(engine, file + fragment({ in: "é" }));
    const focused = () => page.evaluate(() => document.activeElement.id || document.activeElement.textContent.trim());
    const tabTo = async (id) => {
      for (let presses = 0; presses < 40; presses++) {
        if ((await focused()) === id) return;
        await page.press("Tab");
      }
      throw new Error(`${id} cannot be reached`);
    };
    await page.press("Tab");
    assert.equal(await focused(), "Skip to the result");
    await tabTo("input");
    await page.press("End");
    await page.type("€x");
    await until(page, () => document.getElementById("reading").textContent === "é€x");
    await tabTo("C3");
    for (const key of ["ArrowRight", "ArrowRight"]) await page.press(key);
    await until(page, () => document.activeElement.dataset.at === "2" && document.getElementById("panel-bits").textContent.includes("U+20AC"));
    await page.press("End");
    await until(page, () => document.activeElement.dataset.at === "5");
    await page.press("Home");
    await until(page, () => document.activeElement.dataset.at === "0");
    await tabTo("tab-errors");
    for (const id of [...TABS.slice(1), TABS[0]]) {
      await page.press("ArrowRight");
      assert.equal(await focused(), `tab-${id}`);
      assert.equal(await page.evaluate((name) => document.getElementById(name).hidden, `panel-${id}`), false);
    }
    for (let n = 0; n < 4; n++) await page.press("ArrowRight");
    assert.equal(await focused(), "tab-table");
    await page.press("Tab");
    await page.press("Tab");
    for (let n = 0; n < 3 && !(await page.evaluate(() => document.activeElement.dataset.byte)); n++) await page.press("Tab");
    await page.press("ArrowDown");
    assert.match(await page.evaluate(() => document.querySelector("#panel-table .said").textContent), /^10 = 16/);
    await page.close();
  },

  "a large file does not stop the page, and can be cancelled": async (engine, { file }) => {
    const page = await opened(engine, file);
    const size = Number(process.env.PLACEMAT_LARGE ?? 256) << 20;
    await page.evaluate(() => {
      window.longest = 0;
      let last = performance.now();
      setInterval(() => {
        window.longest = Math.max(window.longest, performance.now() - last);
        last = performance.now();
      }, 10);
    });
    await give(page, "large.txt", [0x61, 0xff, 0x0a], "naïve façade\n", size);
    await page.evaluate(() => (window.longest = 0));
    await until(page, () => document.querySelector("#panel-errors progress") !== null);
    await until(page, () => Number(document.querySelector("#panel-errors progress")?.value) > 1e6 || !document.querySelector("#panel-errors progress"));
    await page.evaluate(() => document.getElementById("tab-table").click());
    assert.ok(await page.evaluate(() => document.querySelectorAll("#bytes [data-at]").length > 100), "the bytes are shown while it is read");
    await page.evaluate(() => document.querySelector("#panel-errors .progress button")?.click());
    await until(page, () => /cancelled|Malformed/.test(document.getElementById("verdict").textContent));
    await page.evaluate(() => {
      document.getElementById("tab-errors").click();
      document.getElementById("form").dispatchEvent(new Event("change"));
    });
    await until(page, () => /Malformed utf-8: 1 error/.test(document.getElementById("verdict").textContent));
    const longest = await page.evaluate(() => window.longest);
    assert.ok(longest < 1500, `the page stood still for ${longest} ms`);
    await page.evaluate(() => [...document.querySelectorAll("#panel-errors .finding button")][0].click());
    await page.close();
  },

  "ten megabytes on one line": async (engine, { file }) => {
    const page = await opened(engine, file);
    await give(page, "line.txt", [0xff], "aé", 10 << 20);
    await until(page, () => /Malformed utf-8: 1 error/.test(document.getElementById("verdict").textContent));
    assert.ok(await page.evaluate(() => document.getElementById("panel-errors").textContent.length < 2000));
    await page.close();
  },

  "a file is repaired, with its report": async (engine, { file }) => {
    const page = await opened(engine, file);
    await give(page, "menu.txt", [...Buffer.from("naïve déjà vu\n"), ...Buffer.from("caf"), 0xe9, 0x0a], "x", 0);
    await until(page, () => /Malformed/.test(document.getElementById("verdict").textContent));
    await until(page, () => document.querySelector("#panel-repair button.main") !== null);
    await page.evaluate(() => document.querySelector("#panel-repair button.main").click());
    await until(page, () => document.querySelectorAll("#panel-repair a[download]").length === 2);
    assert.match(await textOf(page, "panel-repair"), /1 change: 1 byte read as windows-1252/);
    const names = await page.evaluate(() => [...document.querySelectorAll("#panel-repair a[download]")].map((a) => a.download));
    assert.deepEqual(names, ["menu.repaired.txt", "menu.txt.report.json"]);
    await page.close();
  },

  "nothing moves while it loads, and it is painted at once": async (engine, { file }) => {
    if (engine.name !== "chromium") return "only Chromium measures layout shifts";
    const page = await opened(engine, file);
    const measured = await page.evaluate(
      () =>
        new Promise((done) => {
          const shift = [];
          const of = ({ node, previousRect, currentRect }) => `${node?.outerHTML?.slice(0, 80) ?? node?.textContent} ${JSON.stringify(previousRect)} to ${JSON.stringify(currentRect)}`;
          new PerformanceObserver((list) => list.getEntries().forEach((entry) => shift.push(...entry.sources.map(of)))).observe({ type: "layout-shift", buffered: true });
          setTimeout(() => done({ shift, paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? null }), 300);
        }),
    );
    console.log(`  first paint after ${Math.round(measured.paint)} ms`);
    assert.deepEqual(measured.shift, []);
    // Other work on this machine must not make the test fail; what is measured is printed.
    assert.ok(measured.paint < Number(process.env.PLACEMAT_PAINT ?? 3000), `${measured.paint} ms`);
    await page.close();
  },

  "axe finds nothing, in light and dark, under each tab": async (engine, { file, modules }) => {
    if (engine.name !== "chromium") return "one engine suffices";
    for (const dark of [false, true]) {
      const page = await opened(engine, file + fragment({ how: "python", in: "b'na\\xc3\\xafve caf\\xe9! Fran\\xc3\\x83\\xc2\\xa7ais \\xe2\\x80\\x8b'", at: "2" }), { dark });
      for (const id of TABS) {
        await page.evaluate((name) => document.getElementById(name).click(), `tab-${id}`);
        await axe(page, modules);
      }
      await page.evaluate((hash) => (location.hash = hash), fragment({ in: "Le cafÃ© est trÃ¨s bon", tab: "chains" }));
      await until(page, () => document.querySelector("#panel-chains .chain") !== null);
      await axe(page, modules);
      await page.close();
    }
  },

  "over http it works offline from the second time on": async (engine, { http }) => {
    if (engine.name !== "chromium") return "puppeteer takes only Chromium offline";
    const page = await opened(engine, http);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
    await until(page, async () => Boolean(await (await caches.open("placemat")).match(new URL("./", location))));
    await page.close();
    const offline = await engine.open("about:blank");
    await offline.raw.setOfflineMode(true);
    await offline.raw.goto(http, { waitUntil: "load" });
    await until(offline, () => document.documentElement.dataset.ready === "true");
    await offline.close();
  },

  "pictures of each state": async (engine, { file }) => {
    const folder = process.env.SCREENSHOTS;
    if (!folder) return "SCREENSHOTS names no folder";
    mkdirSync(folder, { recursive: true });
    const mixed = { how: "python", in: "b'na\\xc3\\xafve caf\\xe9!\\nd\\xc3\\xa9j\\xc3\\xa0 vu \\xe2\\x82\\xac \\xf0\\x9f\\x98\\x80 \\xc0\\xaf'", at: "2" };
    const moji = { in: "Le cafÃ© est trÃ¨s bon â€“ dÃ©jÃ\u00a0 vu", tab: "chains" };
    const shots = [
      ["light", moji, { width: 1280, height: 900 }],
      ["dark", moji, { width: 1280, height: 900, dark: true }],
      ["wide", { ...mixed, tab: "bits", at: "20" }, { width: 1600, height: 1000 }],
      ["phone", moji, { width: 390, height: 844 }],
      ["tablet", { ...mixed, tab: "errors" }, { width: 820, height: 1180 }],
      ...["errors", "readers", "table", "forms", "repair", "survey"].map((tab) => [`tab-${tab}`, { ...mixed, tab }, { width: 1600, height: 1000 }]),
      ["phone-table", { ...mixed, tab: "table" }, { width: 390, height: 844 }],
      ["dark-table", { ...mixed, tab: "table" }, { width: 1600, height: 1000, dark: true }],
    ];
    for (const [name, state, more] of shots) {
      const page = await opened(engine, file + fragment(state), more);
      await page.shot(join(folder, `${engine.name}-${name}.png`), name.startsWith("phone") ? { fullPage: true } : {});
      if (name === "light" && engine.name === "chromium") await page.raw.pdf({ path: join(folder, "print.pdf"), format: "A4" });
      await page.close();
    }
  },

  "it is small": async (engine, { file }) => {
    assert.ok(statSync(new URL(file)).size < 1.2 * (1 << 20));
  },
};
