// Drives Chromium and Firefox by WebDriver BiDi.

import { existsSync } from "node:fs";

const PLACES = { chromium: ["/usr/bin/chromium", "chrome"], firefox: ["/usr/bin/firefox-esr", "firefox"] };

/** Opens a URL. Resolves to the version, and to a function that closes the browser. */
export async function openBrowser(engine, address) {
  const [executablePath, browser] = PLACES[engine];
  if (!existsSync(executablePath)) throw new Error(`${executablePath} is not installed`);
  const { default: puppeteer } = await import("puppeteer-core");
  const args = browser === "chrome" ? ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] : [];
  const running = await puppeteer.launch({ browser, executablePath, protocol: "webDriverBiDi", headless: true, args });
  const version = /\d+(\.\d+)+/.exec(await running.version())?.[0] ?? "";
  const page = await running.newPage();
  await page.goto(address, { waitUntil: "domcontentloaded" });
  return { version, close: () => running.close() };
}
