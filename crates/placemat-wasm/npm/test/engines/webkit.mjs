// Drives WebKitGTK by WebDriver: a page in Debian's MiniBrowser.

import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

const DRIVER = "/usr/bin/WebKitWebDriver";

function miniBrowser() {
  const folder = "/usr/lib/x86_64-linux-gnu";
  const found = existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith("webkit")) : [];
  return found.map((name) => `${folder}/${name}/MiniBrowser`).find(existsSync);
}

async function ask(port, method, path, body) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, body: body && JSON.stringify(body) });
  const { value } = await response.json();
  if (!response.ok) throw new Error(`WebDriver: ${value.error}: ${value.message}`);
  return value;
}

async function session(port, binary) {
  const options = { "webkitgtk:browserOptions": { binary, args: ["--automation"] } };
  for (let tries = 0; ; tries++) {
    try {
      return await ask(port, "POST", "/session", { capabilities: { alwaysMatch: options } });
    } catch (error) {
      if (tries === 20) throw error;
      await pause(500);
    }
  }
}

/** Opens a URL. Resolves to the version, and to a function that closes the browser. */
export async function openWebKit(address) {
  const binary = miniBrowser();
  if (binary === undefined || !existsSync(DRIVER) || !existsSync("/usr/bin/Xvfb")) throw new Error("webkit2gtk-driver and xvfb are not installed");
  const display = `:${90 + (process.pid % 9)}`;
  const screen = spawn("Xvfb", [display, "-screen", "0", "1024x768x24", "-nolisten", "tcp"], { stdio: "ignore" });
  const port = 4400 + (process.pid % 500);
  const environment = { ...process.env, DISPLAY: display, WEBKIT_DISABLE_COMPOSITING_MODE: "1", LIBGL_ALWAYS_SOFTWARE: "1" };
  const driver = spawn(DRIVER, [`--port=${port}`], { stdio: "ignore", env: environment });
  const close = () => [driver, screen].forEach((child) => child.kill());
  try {
    const { sessionId, capabilities } = await session(port, binary);
    await ask(port, "POST", `/session/${sessionId}/url`, { url: address });
    const end = async () => {
      await ask(port, "DELETE", `/session/${sessionId}`).catch(() => {});
      close();
    };
    return { version: capabilities.browserVersion, close: end };
  } catch (error) {
    close();
    throw error;
  }
}
