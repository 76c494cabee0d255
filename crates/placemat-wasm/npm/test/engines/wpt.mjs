// Runs the tests of web-platform-tests, each file in its own scope and with its own harness.

import { bytesOfBase64, documentOfFrame, documentOfLinks } from "./page.mjs";
import { lightHarness } from "./light.mjs";
import { scopeOf } from "./scope.mjs";

const SHOWN = 6;
const LIMIT = 60_000;

/** The document that a test needs; null if these classes cannot provide it, undefined if it needs none. */
async function documentFor(test, suite, side) {
  if (test.group === "decode") {
    const { body, charset } = test.page;
    return documentOfFrame(new side.classes.TextDecoder(charset), bytesOfBase64(suite.pages[body]));
  }
  if (test.group === "encode") {
    const links = await side.links?.(test.charset);
    return typeof links === "function" ? documentOfLinks(links) : links;
  }
  return undefined;
}

const fetched = (suite) => async (address) => {
  const text = suite.sources[String(address).replace(/^\//, "")];
  if (text === undefined) throw new TypeError(`${address} is not there`);
  return { ok: true, text: async () => text };
};

/** Starts WPT's harness in a scope. `done` resolves to the tests when all have ended. */
function harnessed(suite, side, compile, extra) {
  const scope = scopeOf(compile, side.classes, { fetch: fetched(suite), ...extra });
  scope.run(suite.harness);
  const done = new Promise((resolve) => scope.own.add_completion_callback((tests, status) => resolve({ tests, status })));
  scope.own.setup({ explicit_timeout: true });
  return { scope, done };
}

const shown = (failures) => failures.slice(0, SHOWN).map((test) => `${test.name}: ${test.message}`.slice(0, 300));

function summary(tests) {
  const failed = tests.filter((test) => test.status !== 0);
  return { passed: tests.length - failed.length, failed: failed.length, failures: shown(failed) };
}

const crashed = (error) => ({ passed: 0, failed: 1, failures: [`${error}`] });

/** One scope for all scripts of a file, as in a page. */
const scriptOf = (test, suite) => [...test.scripts.map((name) => suite.sources[name]), test.onload ?? ""].join("\n;");

/** Runs a file that reads or writes every character of an encoding. If another label gave the same text, its result is used again. */
async function characters(test, suite, side, compile, known) {
  let key = null;
  if (test.group === "decode") {
    const { body, charset } = test.page;
    const text = new side.classes.TextDecoder(charset).decode(bytesOfBase64(suite.pages[body]));
    key = JSON.stringify([test.scripts.map((name) => suite.sources[name]), test.onload, text]);
    if (known.has(key)) return known.get(key);
  }
  const found = await everyCharacter(test, suite, side, compile);
  if (key !== null) known.set(key, found);
  return found;
}

async function everyCharacter(test, suite, side, compile) {
  const document = await documentFor(test, suite, side);
  if (document === undefined) return null;
  const { own, tests } = lightHarness();
  const skipped = "common/subset-tests.js";
  const scripts = test.scripts.filter((name) => name !== skipped);
  scopeOf(compile, side.classes, { ...own, document }).run(scriptOf({ ...test, scripts }, suite));
  const { failures, ...counts } = tests();
  return { ...counts, failures: shown(failures) };
}

async function api(test, suite, side, compile) {
  const location = { search: test.search, pathname: `/${test.path}` };
  const { scope, done } = harnessed(suite, side, compile, { location });
  scope.run(scriptOf(test, suite));
  const late = { tests: [{ status: 1, name: "all", message: "no end" }] };
  const end = new Promise((resolve) => setTimeout(resolve, LIMIT, late));
  return summary((await Promise.race([done, end])).tests);
}

/** Runs every file. `side` has `classes`, and `links(charset)` if it can write legacy encodings. */
export async function runWpt(suite, side, compile, only = () => true) {
  const files = {};
  const known = new Map();
  for (const test of suite.tests.filter(only)) {
    const found = await (test.group === "api" ? api : characters)(test, suite, side, compile, known).catch(crashed);
    if (found !== null) files[test.path] = { group: test.group, ...found };
  }
  return files;
}
