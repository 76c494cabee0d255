// Compares how the engine and this package decode all short byte sequences in every encoding of the Encoding Standard.

import { shown } from "./count.mjs";

const LINE = 10;

/** Lines of bytes. Each line starts in the encoding's initial state. */
function* sequences(name) {
  if (name === "iso-2022-jp") {
    for (const escape of ["$B", "$@", "(J", "(I", "(B"]) {
      const start = [0x1b, escape.charCodeAt(0), escape.charCodeAt(1)];
      const step = escape[0] === "$" ? 1 : 8;
      for (let first = 0x20; first < 0x80; first++) {
        for (let second = 0x20; second < 0x80; second += step) yield [...start, first, second, 0x1b, 0x28, 0x42];
      }
    }
    return;
  }
  for (let first = 0x80; first < 0x100; first++) {
    for (let second = 0; second < 0x100; second++) if (second !== LINE) yield [first, second];
  }
  if (name === "euc-jp") {
    for (let second = 0xa0; second < 0x100; second++) for (let third = 0xa0; third < 0x100; third++) yield [0x8f, second, third];
  }
  if (name === "gb18030" || name === "gbk") {
    for (let first = 0x81; first < 0xff; first++) {
      for (let third = 0x81; third < 0xff; third += 5) for (let at = 0; at < 10; at += 3) yield [first, 0x30 + at, third, 0x39 - at];
    }
  }
}

function bytesOf(name) {
  const all = [];
  for (const line of sequences(name)) all.push(...line, LINE);
  return Uint8Array.from(all);
}

/** Decodes in one piece, and in pieces of 7 bytes, which cut every sequence somewhere. */
function readings(TextDecoder, name, bytes) {
  const whole = new TextDecoder(name).decode(bytes);
  const decoder = new TextDecoder(name);
  const pieces = [];
  for (let at = 0; at < bytes.length; at += 7) pieces.push(decoder.decode(bytes.subarray(at, at + 7), { stream: true }));
  pieces.push(decoder.decode());
  return [whole, pieces.join("")];
}

const code = (text) => JSON.stringify(text ?? "").replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** The number of lines that differ, and the first of them. */
function differences(name, ours, theirs) {
  if (ours === theirs) return { count: 0 };
  const [left, right] = [ours.split("\n"), theirs.split("\n")];
  const wrong = left.flatMap((line, at) => (line === right[at] ? [] : [at]));
  const [first] = wrong;
  let at = 0;
  let bytes = [];
  for (const line of sequences(name)) {
    if (at === first) bytes = line;
    at += 1;
  }
  return { count: wrong.length, first: `${shown(bytes)} is ${code(left[first])}, read as ${code(right[first])}` };
}

/** For each encoding where the engine differs: the number of lines in one piece and in pieces, or why the engine does not have it. */
export function runLegacy(names, own, platform) {
  const found = {};
  let lines = 0;
  for (const name of names) {
    const bytes = bytesOf(name);
    const ours = readings(own.TextDecoder, name, bytes);
    lines += ours[0].split("\n").length - 1;
    if (ours[0] !== ours[1]) found[name] = { own: "its pieces differ from the whole" };
    try {
      const [whole, pieces] = readings(platform.TextDecoder, name, bytes).map((text, at) => differences(name, ours[at], text));
      const first = whole.first ?? pieces.first;
      if (first !== undefined) found[name] = { ...found[name], whole: whole.count, pieces: pieces.count, first };
    } catch (error) {
      found[name] = { ...found[name], lacks: error.name };
    }
  }
  return { encodings: names.length, lines, differ: found };
}
