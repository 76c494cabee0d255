// Three engines behind one face: Chromium and Firefox by puppeteer-core, WebKitGTK by WebDriver.
import { createRequire } from "node:module";
import { spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const PROGRAMS = {
  chromium: ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"],
  firefox: ["/usr/bin/firefox-esr", "/usr/bin/firefox"],
  webkit: ["/usr/bin/WebKitWebDriver"],
};

/** @returns an engine: `open(url)` gives a page with `evaluate`, `press`, `type`, `click`, `close`, `said` (its console) */
export async function launched(name, modules) {
  const program = process.env[`PLACEMAT_${name.toUpperCase()}`] ?? PROGRAMS[name]?.find(existsSync);
  if (!program) throw new Error(`${name} is not installed`);
  return name === "webkit" ? webkit(program) : puppeteer(name, program, modules);
}

async function puppeteer(name, program, modules) {
  const { default: library } = await import(createRequire(join(modules, "package.json")).resolve("puppeteer-core"));
  const browser = await library.launch({
    browser: name === "firefox" ? "firefox" : "chrome",
    executablePath: program,
    headless: true,
    protocolTimeout: 300_000,
    args: name === "firefox" ? [] : ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
  });
  const open = async (url, { dark = false, width = 1280, height = 900, offline = false } = {}) => {
    const page = await browser.newPage();
    const said = [];
    page.on("console", (message) => said.push(`${message.type()}: ${message.text()}`));
    page.on("pageerror", (error) => said.push(`error: ${error.message}`));
    await page.setViewport({ width, height });
    if (name === "chromium") await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }]);
    if (offline) await page.setOfflineMode(true);
    await page.goto(url, { waitUntil: "load" });
    return {
      raw: page,
      said,
      evaluate: (work, ...args) => page.evaluate(work, ...args),
      press: async (keys) => {
        const parts = keys.split("+");
        for (const part of parts.slice(0, -1)) await page.keyboard.down(part);
        await page.keyboard.press(parts.at(-1));
        for (const part of parts.slice(0, -1)) await page.keyboard.up(part);
      },
      type: (text) => page.keyboard.type(text),
      shot: (path, more = {}) => page.screenshot({ path, ...more }),
      close: () => page.close(),
    };
  };
  return { name, open, close: () => browser.close() };
}

const KEYS = { Tab: "\uE004", Enter: "\uE007", ArrowLeft: "\uE012", ArrowUp: "\uE013", ArrowRight: "\uE014", ArrowDown: "\uE015", Home: "\uE011", End: "\uE010", Shift: "\uE008", Control: "\uE009", Space: " " };

/** As much of WebDriver as the tests need. */
async function webkit(program) {
  const port = 20_000 + (process.pid % 20_000);
  // It needs a screen; where there is none, it gets one in memory.
  const display = process.env.DISPLAY ?? `:${90 + (process.pid % 9)}`;
  const screen = process.env.DISPLAY ? null : spawn("Xvfb", [display, "-screen", "0", "1280x1200x24", "-nolisten", "tcp"], { stdio: "ignore" });
  screen?.on("error", () => console.log("webkit: there is no screen, and no Xvfb"));
  const env = { ...process.env, DISPLAY: display, WEBKIT_DISABLE_COMPOSITING_MODE: "1", LIBGL_ALWAYS_SOFTWARE: "1" };
  const driver = spawn(program, [`--port=${port}`], { stdio: "ignore", env });
  const ask = async (method, path, body) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, body: body && JSON.stringify(body) });
    const { value } = await answer.json();
    if (!answer.ok) throw new Error(`${path}: ${value?.message ?? answer.status}`);
    return value;
  };
  for (let tries = 0; ; tries++) {
    try {
      await ask("GET", "/status");
      break;
    } catch (error) {
      if (tries > 100) throw error;
      await new Promise((done) => setTimeout(done, 100));
    }
  }
  const capabilities = { alwaysMatch: { browserName: "MiniBrowser", "webkitgtk:browserOptions": { args: ["--automation"], binary: miniBrowser() } } };
  const { sessionId } = await ask("POST", "/session", { capabilities });
  const at = `/session/${sessionId}`;
  await ask("POST", `${at}/timeouts`, { script: 300_000, pageLoad: 60_000 });
  const run = (script, args) => ask("POST", `${at}/execute/async`, { script, args });
  const keys = (values) => ask("POST", `${at}/actions`, { actions: [{ type: "key", id: "keys", actions: values }] });
  const open = async (url, { width = 1280, height = 900 } = {}) => {
    // Of a wider window the driver sometimes never answers with its picture.
    await ask("POST", `${at}/window/rect`, { width: Math.min(width, 1280), height });
    // There is one window: from the same page with another fragment it would not be loaded anew.
    await ask("POST", `${at}/url`, { url: "about:blank" });
    await ask("POST", `${at}/url`, { url });
    return {
      said: [],
      evaluate: async (work, ...args) => {
        const script = `const done = arguments[arguments.length - 1]; const given = [...arguments].slice(0, -1);
          Promise.resolve().then(() => (${work})(...given)).then((value) => done({ value: value === undefined ? null : value }), (error) => done({ error: String(error) }));`;
        const { value, error } = await run(script, args);
        if (error) throw new Error(error);
        return value;
      },
      press: (all) => {
        const parts = all.split("+").map((key) => KEYS[key] ?? key);
        return keys([...parts.map((value) => ({ type: "keyDown", value })), ...parts.toReversed().map((value) => ({ type: "keyUp", value }))]);
      },
      shot: async (path) => writeFileSync(path, await ask("GET", `${at}/screenshot`), "base64"),
      type: (text) => keys([...text].flatMap((value) => [{ type: "keyDown", value }, { type: "keyUp", value }])),
      close: () => {},
    };
  };
  const close = async () => {
    await ask("DELETE", at).catch(() => {});
    driver.kill();
    screen?.kill();
  };
  return { name: "webkit", open, close };
}

function miniBrowser() {
  const known = ["/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser", "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.0/MiniBrowser", "/usr/lib/aarch64-linux-gnu/webkit2gtk-4.1/MiniBrowser"];
  const found = known.find(existsSync);
  if (!found) throw new Error("WebKitGTK has no MiniBrowser here");
  return found;
}
