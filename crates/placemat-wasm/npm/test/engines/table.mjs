// node table.mjs REPORTS SUITE WPT PAGE: writes the page that compares engines, and fails if this package gives a wrong answer in one.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [reports, suitePath, wpt, page] = process.argv.slice(2);

const ENGINES = {
  chromium: "Chromium",
  firefox: "Firefox",
  webkit: "WebKitGTK",
  node: "Node",
  "node-newest": "Node, newest",
  deno: "Deno",
  bun: "Bun",
  workerd: "workerd",
};
const GROUPS = { api: "tests of the API", decode: "pages read by an encoding", encode: "links written in an encoding" };

const suite = JSON.parse(readFileSync(suitePath, "utf8"));
const found = {};
for (const engine of Object.keys(ENGINES)) {
  const path = join(reports, `${engine}.json`);
  if (existsSync(path)) found[engine] = JSON.parse(readFileSync(path, "utf8"));
}

const present = Object.keys(found).filter((engine) => found[engine].absent === undefined);
const titled = (engine) => `${ENGINES[engine]} ${found[engine].version ?? ""}`.trim();
const row = (cells) => `| ${cells.join(" | ")} |`;
const table = (head, rows) => [row(head), row(head.map((_, at) => (at === 0 ? "---" : "--:"))), ...rows.map(row)].join("\n");
const number = (value) => String(value).replace(/\B(?=(\d{3})+$)/g, " ");
/** Text from a report, with escapes for invisible characters and those that are not ASCII. */
function quoted(text) {
  const plain = text.replace(/[^\x20-\x7e]/gu, (character) => `\\u{${character.codePointAt(0).toString(16)}}`);
  return `\`${plain.replaceAll("|", "\\|").replaceAll("`", "'").slice(0, 160)}\``;
}

/** Tests that fail because the engine lacks a class that the test uses: Float16Array, SharedArrayBuffer. */
const isOfEngine = (failure) => /self\[type\] is not a constructor|Can't find variable: SharedArrayBuffer|SharedArrayBuffer is not defined|Transfer list is not supported/.test(failure);

function group(wptFiles, name) {
  const files = Object.values(wptFiles).filter((file) => file.group === name);
  if (files.length === 0) return null;
  const sum = (count) => files.reduce((all, file) => all + count(file), 0);
  const lacking = sum((file) => file.failures.filter(isOfEngine).length);
  return { passed: sum((file) => file.passed), failed: sum((file) => file.failed) - lacking, lacking };
}

function cell(result) {
  if (result === null) return "has none";
  const wrong = result.failed === 0 ? "" : `, **${number(result.failed)} wrong**`;
  return `${number(result.passed)}${wrong}${result.lacking > 0 ? `, ${result.lacking} not possible` : ""}`;
}

const asked = ({ asked: all, wrong }) => cell({ passed: all - wrong, failed: wrong });

function summary() {
  const rows = [];
  for (const engine of present) {
    const report = found[engine];
    for (const [side, name] of [["own", "placemat"], ["platform", "its own"]]) {
      const { wpt: files, vectors, edges } = report[side];
      const legacy = Object.keys(report.legacy.differ).length;
      const differ = side === "own" ? "" : legacy === 0 ? "none" : `**${legacy}** of ${report.legacy.encodings}`;
      rows.push([`${titled(engine)}: ${name}`, ...Object.keys(GROUPS).map((key) => cell(group(files, key))), asked(vectors), side === "own" ? asked(report.package) : "", asked(edges), differ]);
    }
  }
  for (const engine of Object.keys(found)) {
    if (!present.includes(engine)) rows.push([ENGINES[engine], `not run: ${found[engine].absent}`, "", "", "", "", "", ""]);
  }
  return table(["", "WPT: API", "WPT: reading pages", "WPT: writing links", "our vectors, by TextDecoder and TextEncoder", "our vectors, the whole package", "corners", "encodings that differ"], rows);
}

/** Files of WPT, corners and encodings where an engine's own classes are wrong. */
function details(engine) {
  const { platform, legacy } = found[engine];
  const lines = [];
  // Pages that differ only in the label have the same failures.
  const alike = new Map();
  for (const [path, file] of Object.entries(platform.wpt)) {
    if (file.failed === 0) continue;
    const told = `${number(file.failed)} of ${number(file.passed + file.failed)}; first ${quoted(file.failures[0])}`;
    alike.set(told, [...(alike.get(told) ?? []), path.replace("encoding/", "")]);
  }
  for (const [told, [first, ...others]] of alike) {
    lines.push(`- WPT \`${first}\`${others.length === 0 ? "" : ` and ${others.length} like it`}: ${told}`);
  }
  for (const [name, result] of [["vectors", platform.vectors], ["corners", platform.edges]]) {
    for (const failure of result.failures) lines.push(`- ${name}: ${quoted(failure)}`);
    const rest = result.wrong - result.failures.length;
    if (rest > 0) lines.push(`- ${name}: ${rest} more`);
  }
  for (const [name, { whole, pieces, lacks, first }] of Object.entries(legacy.differ)) {
    const count = whole === pieces ? number(whole) : `${number(whole)} (${number(pieces)} when the bytes come in pieces)`;
    lines.push(`- ${name}: ${lacks === undefined ? `${count} short sequences of bytes; first ${quoted(first)}` : "it has none"}`);
  }
  return `### ${titled(engine)}\n\n${lines.length === 0 ? "Nothing wrong was found." : lines.join("\n")}\n`;
}

function leftOut() {
  const reasons = {};
  for (const [path, reason] of suite.left) (reasons[reason] ??= []).push(path);
  return Object.entries(reasons).map(([reason, paths]) => `- ${paths.length === 1 ? "one file" : `${paths.length} files`}: ${reason}: \`${paths[0].replace("encoding/", "")}\`${paths.length > 1 ? ", …" : ""}`).join("\n");
}

/** The wrong answers of this package, in any engine. */
function faults() {
  const all = Object.keys(found).filter((engine) => found[engine].failed).map((engine) => `${engine}: ${found[engine].failed}`);
  for (const engine of present) {
    const { own, package: whole, legacy } = found[engine];
    for (const [path, file] of Object.entries(own.wpt)) {
      const wrong = file.failures.filter((failure) => !isOfEngine(failure));
      if (wrong.length === 0 && file.failed > file.failures.length) wrong.push(`${file.failed} failures`);
      if (wrong.length > 0) all.push(`${engine}: ${path}: ${wrong[0]}`);
    }
    for (const failure of [...own.vectors.failures, ...own.edges.failures, ...whole.failures]) all.push(`${engine}: ${failure}`);
    for (const [name, result] of Object.entries(legacy.differ)) if (result.own !== undefined) all.push(`${engine}: ${name}: ${result.own}`);
    if (group(own.wpt, "api").passed < 5000 || whole.asked < 20_000 || own.edges.asked < 80) all.push(`${engine}: too little was asked`);
  }
  return all;
}

const text = `# Who reads text exactly

Made by \`cargo xtask web all\`, which runs everything below in each engine; CI runs Node and Chromium. The same tests are asked twice: with
this package's classes in the place of the engine's, and with the engine's own. Numbers are answers that were right; **wrong** ones are counted beside them.

${summary()}

- WPT: the \`encoding/\` tests of web-platform-tests as ${wpt} carries them: the tests of the API, its pages of every character of the legacy
  encodings (read by a \`TextDecoder\`), and its links (written by a document's encoding; here by \`Encoder\`). Only browsers have encoders of their own for
  legacy encodings, and only in documents. Not possible: an engine without \`Float16Array\`, \`SharedArrayBuffer\` or transfers cannot run the test.
- Our vectors: \`conformance/vectors.tsv\` and its sisters, whole, byte by byte, and cut in two at every index, fatal and not, and through \`TextDecoderStream\`.
- Corners: what the Encoding Standard and Web IDL say of labels, options, marks, reuse after an error, shared and given-away buffers,
  \`encodeInto\` of short rooms, surrogates between chunks, and property descriptors.
- Encodings that differ: all sequences of two bytes (of three and four in EUC-JP and gb18030), in one piece and in pieces of seven bytes,
  read by the engine and by this package, which reads every page of WPT rightly.

Of WPT's files, these are not about the API and are not run:

${leftOut()}

## Where each engine's own classes are wrong

${present.map(details).join("\n")}`;
writeFileSync(page, text);
const wrong = faults();
for (const fault of wrong.slice(0, 40)) console.error(fault);
process.exit(wrong.length === 0 ? 0 : 1);
