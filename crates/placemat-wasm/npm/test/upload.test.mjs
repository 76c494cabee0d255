// Tests the example of a form, with a minimal document.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { check } from "placemat";

test("a file that is not UTF-8 keeps the form from being sent", async () => {
  const page = readFileSync(new URL("examples/upload.html", import.meta.resolve("placemat/package.json")), "utf8");
  const [, script] = /<script type="module">([^]*)<\/script>/.exec(page);
  const listeners = [];
  const input = {
    files: [],
    addEventListener: (_, listener) => listeners.push(listener),
    setCustomValidity: (message) => (input.validity = message),
  };
  const output = {};
  const document = { querySelector: (name) => ({ input, output })[name] };
  new Function("check", "document", script.replace(/^\s*import .*$/m, ""))(check, document);
  const choose = async (bytes) => {
    input.files = [new Blob([Uint8Array.from(bytes)])];
    await listeners[0]();
    return [input.validity, output.textContent];
  };
  const message = "This file is not UTF-8: missing-continuation at byte 1.";
  assert.deepEqual(await choose([0x61, 0xe9, 0x21]), [message, message]);
  assert.deepEqual(await choose([0x61]), ["", ""]);
});
