// Tests the vectors of this project, each whole, byte by byte, and cut at every index.

import { Count, cuts, hex, outcome, shown } from "./count.mjs";

const isPoint = (item) => item.startsWith("U+");
const number = (item) => (isPoint(item) ? parseInt(item.slice(2), 16) : 0xfffd);
const itemsOf = (text) => text.split(" ").filter(Boolean);
const isText = (items) => items.every((item) => number(item) < 0x110000);
const stringOf = (items) => items.map((item) => String.fromCodePoint(number(item))).join("");
const ucs4 = (items) => new Uint8Array(Uint32Array.from(items.map(number)).buffer);

/** Whether no two adjacent items form a surrogate pair, which a string could not keep as two items. */
const staysApart = (items) => !/[\ud800-\udbff] [\udc00-\udfff]/.test(items.map((item) => (isText([item]) ? stringOf([item]) : "?")).join(" "));

/** Decodes pieces, each except the last with `stream`. */
function through(pieces, push) {
  const out = pieces.map((piece) => push(piece, { stream: true }));
  out.push(push(undefined));
  return out;
}

const bytesThrough = (pieces, push) => shown(through(pieces, push).flatMap((piece) => [...piece]));

/** The vectors that the platform's classes can decode, by the label and options of the decoder. */
const PLATFORM = {
  "utf-8": ["utf-8", true],
  "utf-8/bom": ["utf-8", false],
  "utf-16le": ["utf-16le", true],
  "utf-16be": ["utf-16be", true],
  "windows-1252": ["windows-1252", true],
};

/** Tests the platform's classes, or this package's in their place. */
export async function platformVectors(tables, { TextDecoder, TextEncoder, TextDecoderStream }) {
  const count = new Count();
  for (const [form, way, source, text] of tables.forms) {
    if (PLATFORM[form] === undefined || way.startsWith("refuses")) continue;
    const [label, ignoreBOM] = PLATFORM[form];
    const items = itemsOf(text);
    const bytes = hex(source);
    if (way !== "writes") await decoded(count, { TextDecoder, TextDecoderStream }, { label, ignoreBOM }, bytes, items, `${form} ${source}`);
    if (form === "utf-8" && way !== "reads") encoded(count, TextEncoder, stringOf(items), source);
  }
  return { ...count };
}

async function decoded(count, { TextDecoder, TextDecoderStream }, { label, ignoreBOM }, bytes, items, where) {
  const text = stringOf(items);
  const isGood = items.every(isPoint);
  const decoder = outcome(() => new TextDecoder(label, { ignoreBOM }));
  for (const pieces of cuts(bytes)) {
    const lengths = `in ${pieces.map((piece) => piece.length)}`;
    count.same(`${where} ${lengths}`, outcome(() => through(pieces, (piece, options) => decoder.decode(piece, options)).join("")), text);
    const fatal = outcome(() => {
      const strict = new TextDecoder(label, { ignoreBOM, fatal: true });
      return through(pieces, (piece, options) => strict.decode(piece, options)).join("");
    });
    if (isGood) count.same(`${where} fatal ${lengths}`, fatal, text);
    else count.same(`${where} fatal ${lengths}`, typeof fatal, "object");
    if (TextDecoderStream === undefined) continue;
    const found = await (async () => streamed(new TextDecoderStream(label, { ignoreBOM }), pieces))().catch((error) => `${error}`);
    count.same(`${where} as a stream ${lengths}`, found, text);
  }
}

/** The output of a stream for pieces, joined. */
export async function streamed(stream, pieces) {
  const writer = stream.writable.getWriter();
  const written = (async () => {
    for (const piece of pieces) await writer.write(piece);
    await writer.close();
  })();
  written.catch(() => {});
  const reader = stream.readable.getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += value;
  }
}

function encoded(count, TextEncoder, text, source) {
  const encoder = new TextEncoder();
  count.same(`encode ${source}`, shown(encoder.encode(text)), source);
  const room = new Uint8Array(hex(source).length);
  const { read, written } = encoder.encodeInto(text, room);
  count.same(`encodeInto ${source}`, [read, written, shown(room)], [text.length, room.length, source]);
}

/** Tests everything else in this package. */
export function packageVectors(tables, placemat) {
  const count = new Count();
  for (const [form, way, source, text] of tables.forms) {
    const vector = { form, way, bytes: hex(source), items: itemsOf(text), where: `${form} ${way} ${source} ${text}` };
    if (way === "both" || way === "reads") read(count, placemat, vector);
    if (way === "both" || way.startsWith("writes")) written(count, placemat, vector);
    if (way.startsWith("refuses")) refused(count, placemat, vector);
  }
  others(count, placemat, tables);
  policies(count, placemat, tables);
  return { ...count };
}

function read(count, placemat, { form, bytes, items, where }) {
  const faults = items.filter((item) => !isPoint(item)).map((item) => {
    const [, kind, offset, length] = /^(.*)@(\d+)\+(\d+)$/.exec(item);
    return { kind, offset: Number(offset), length: Number(length) };
  });
  count.same(`errors ${where}`, placemat.errors(bytes, { encoding: form }), faults);
  count.same(`check ${where}`, placemat.check(bytes, form), faults[0] ?? null);
  const converter = new placemat.Converter(form, "ucs-4le", { onError: "replace" });
  const strict = new placemat.Converter(form, "ucs-4le");
  const decoder = new placemat.Decoder(form, { onError: "replace" });
  const first = faults.length > 0 ? { thrown: `${faults[0].kind}@${faults[0].offset}+${faults[0].length}` } : shown(ucs4(items));
  for (const pieces of cuts(bytes)) {
    const at = `${where} in ${pieces.map((piece) => piece.length)}`;
    count.same(at, outcome(() => bytesThrough(pieces, (piece, options) => converter.convert(piece, options))), shown(ucs4(items)));
    count.same(`stop: ${at}`, outcome(() => bytesThrough(pieces, (piece, options) => strict.convert(piece, options))), first);
    if (isText(items)) count.same(`text: ${at}`, outcome(() => through(pieces, (piece, options) => decoder.decode(piece, options)).join("")), stringOf(items));
  }
  for (const codec of [converter, strict, decoder]) codec.dispose();
}

function written(count, placemat, { form, way, bytes, items, where }) {
  const code = /^writes with U\+(\w+)$/.exec(way)?.[1];
  const options = code === undefined ? {} : { unencodable: `replace=${String.fromCodePoint(parseInt(code, 16))}` };
  const converter = new placemat.Converter("ucs-4le", form, options);
  for (const pieces of cuts(ucs4(items))) {
    count.same(where, outcome(() => bytesThrough(pieces, (piece, options) => converter.convert(piece, options))), shown(bytes));
  }
  converter.dispose();
  if (!isText(items) || !staysApart(items)) return;
  const encoder = new placemat.Encoder(form, options);
  for (const pieces of cuts(stringOf(items))) {
    const found = outcome(() => bytesThrough(pieces, (piece, options) => encoder.encode(piece ?? "", options)));
    count.same(`from a string: ${where} in ${pieces.map((piece) => piece.length)}`, found, shown(bytes));
  }
  encoder.dispose();
}

function refused(count, placemat, { form, way, items, where }) {
  const offset = 4 * Number(way.slice("refuses ".length));
  const found = outcome(() => shown(placemat.convert(ucs4(items), "ucs-4le", form)));
  count.same(where, found, { thrown: `unencodable@${offset}+4` });
}

const unescaped = (label) =>
  label.replaceAll("\\t", "\t").replaceAll("\\0", "\0").replace(/\\u\{(\w+)\}/g, (_, code) => String.fromCodePoint(parseInt(code, 16)));
const READERS = new Set(["lenient", "whatwg", "iana", "mysql", "oracle"]);

function others(count, placemat, { boundaries, truncations, verdicts, labels }) {
  for (const [source, , floors] of boundaries) {
    const wanted = floors.split(" ").map(Number);
    wanted.forEach((floor, at) => count.same(`boundary ${source} at ${at}`, placemat.boundary(hex(source), at), floor));
  }
  for (const [source, limit, kept] of truncations) {
    count.same(`truncate ${source} to ${limit}`, placemat.truncate(hex(source), Number(limit)).length, Number(kept));
  }
  for (const [source, said] of verdicts) {
    for (const [form, wanted] of said.split(" ").map((verdict) => verdict.split("="))) {
      const fault = placemat.check(hex(source), form);
      count.same(`check ${source} as ${form}`, fault === null ? "ok" : `${fault.kind}@${fault.offset}`, wanted);
    }
  }
  for (const [text, said] of labels) {
    for (const [reader, wanted] of said.split(" ").map((answer) => answer.split("="))) {
      if (READERS.has(reader)) count.same(`label ${text} to ${reader}`, placemat.label(unescaped(text), reader) ?? "-", wanted);
    }
  }
}

function policies(count, placemat, tables) {
  for (const { bytes: source, error, policies: all } of tables.policies) {
    const bytes = hex(source);
    for (const [policy, text] of all) {
      const items = itemsOf(text);
      const wanted = policy === "stop" && error !== "" ? { thrown: error } : stringOf(items);
      const decoder = outcome(() => new placemat.Decoder("utf-8", { onError: policy }));
      for (const pieces of cuts(bytes)) {
        const found = outcome(() => through(pieces, (piece, options) => decoder.decode(piece, options)).join(""));
        count.same(`${policy}: ${source}`, found, wanted);
      }
    }
  }
}
