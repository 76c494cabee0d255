// Tests corner cases of the Encoding Standard and Web IDL that WPT does not test, or that WPT can test only in browsers.

import { Count } from "./count.mjs";
import { streamed } from "./vectors.mjs";

const bytes = (...list) => new Uint8Array(list);

/** The name of the class of the error that is thrown. The standard's errors have plain classes, not subclasses. */
function thrown(work) {
  try {
    work();
    return "nothing";
  } catch (error) {
    return error.constructor === TypeError ? "TypeError" : error.constructor === RangeError ? "RangeError" : error.name;
  }
}

/** A buffer whose bytes were transferred. */
function givenAway(view) {
  structuredClone(view.buffer, { transfer: [view.buffer] });
  return view;
}

function decoders({ TextDecoder }, same) {
  const strict = () => new TextDecoder("utf-8", { fatal: true });
  same("labels have ASCII white space around them", () => [["\t\n\f\r utf-8 \t", " UTF8\n"].map((label) => new TextDecoder(label).encoding), ["utf-8", "utf-8"]]);
  same("no other white space", () => [["\u00a0utf-8", "utf-8\u000b", "utf-8\u2028", "", " "].map((label) => thrown(() => new TextDecoder(label))), Array(5).fill("RangeError")]);
  same("labels differ by ASCII case alone", () => [thrown(() => new TextDecoder("\u212aoi8-r")), "RangeError"]);
  same("label undefined, options null", () => [new TextDecoder(undefined, null).encoding, "utf-8"]);
  same("a label that is a symbol", () => [thrown(() => new TextDecoder(Symbol("utf-8"))), "TypeError"]);
  same("a label that is an object", () => [new TextDecoder({ toString: () => "latin1" }).encoding, "windows-1252"]);
  same("options are converted before the label means anything", () => [thrown(() => new TextDecoder("nothing", 1)), "TypeError"]);
  const order = [];
  const options = { get ignoreBOM() { return void order.push("ignoreBOM"); }, get fatal() { return void order.push("fatal"); } };
  new TextDecoder("utf-8", options);
  same("options are read in their order", () => [order, ["fatal", "ignoreBOM"]]);
  same("options that are no object", () => [[1, "x", true].map((value) => thrown(() => new TextDecoder("utf-8", value))), Array(3).fill("TypeError")]);
  same("decode options undefined, null, a function", () => [[undefined, null, () => {}].map((value) => new TextDecoder().decode(bytes(65), value)), ["A", "A", "A"]]);
  same("decode options that are no object", () => [thrown(() => new TextDecoder().decode(bytes(65), 1)), "TypeError"]);
  same("decode of null", () => [thrown(() => new TextDecoder().decode(null)), "TypeError"]);
  same("decode of an array", () => [thrown(() => new TextDecoder().decode([65])), "TypeError"]);
  same("decode of what calls itself a buffer", () => [thrown(() => new TextDecoder().decode({ [Symbol.toStringTag]: "ArrayBuffer", byteLength: 0 })), "TypeError"]);
  same("decode of a DataView, of a part", () => [new TextDecoder().decode(new DataView(bytes(65, 66, 67, 68).buffer, 1, 2)), "BC"]);
  same("a mark is dropped once", () => [new TextDecoder().decode(bytes(0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf, 65)), "\ufeffA"]);
  same("a mark cut in three is dropped", () => [[0xef, 0xbb, 0xbf, 65].map((() => { const decoder = new TextDecoder(); return (byte) => decoder.decode(bytes(byte), { stream: true }); })()), ["", "", "", "A"]]);
  same("a mark kept, byte by byte", () => [(() => { const decoder = new TextDecoder("utf-8", { ignoreBOM: true }); return [0xef, 0xbb, 0xbf].map((byte) => decoder.decode(bytes(byte), { stream: true })).join(""); })(), "\ufeff"]);
  same("half a mark at the end", () => [new TextDecoder().decode(bytes(0xef, 0xbb)), "\ufffd"]);
  same("a mark of UTF-16 in two pieces", () => [(() => { const decoder = new TextDecoder("utf-16"); return decoder.decode(bytes(0xff), { stream: true }) + decoder.decode(bytes(0xfe, 65, 0)); })(), "A"]);
  same("the mark of the other order is text", () => [new TextDecoder("utf-16be").decode(bytes(0xff, 0xfe)), "\ufffe"]);
  same("a mark after the end of a text is a mark again", () => [(() => { const decoder = new TextDecoder(); return decoder.decode(bytes(0xef, 0xbb, 0xbf, 65)) + decoder.decode(bytes(0xef, 0xbb, 0xbf, 66)); })(), "AB"]);
  same("gb18030 keeps what reads as a mark", () => [new TextDecoder("gb18030").decode(bytes(0x84, 0x31, 0x95, 0x33)), "\ufeff"]);
  same("reuse after an error", () => [(() => { const decoder = strict(); const first = thrown(() => decoder.decode(bytes(0xff))); return [first, decoder.decode(bytes(0xc3, 0xa9))]; })(), ["TypeError", "é"]]);
  same("an error at the end forgets what was there", () => [(() => { const decoder = strict(); decoder.decode(bytes(0xe2), { stream: true }); return [thrown(() => decoder.decode()), decoder.decode(bytes(0x82, 0xac).subarray(2))]; })(), ["TypeError", ""]]);
  same("stream: what is incomplete is no error yet", () => [(() => { const decoder = strict(); return decoder.decode(bytes(0xf0, 0x9f), { stream: true }) + decoder.decode(bytes(0x98, 0x80), { stream: true }) + decoder.decode(); })(), "😀"]);
  same("an empty chunk changes nothing", () => [(() => { const decoder = new TextDecoder(); return decoder.decode(bytes(0xc3), { stream: true }) + decoder.decode(bytes(), { stream: true }) + decoder.decode(undefined, { stream: true }) + decoder.decode(bytes(0xa9)); })(), "é"]);
  same("a half pair of UTF-16 in a stream", () => [(() => { const decoder = new TextDecoder("utf-16le"); return [[0x3d], [0xd8, 0x00], [0xde, 0x3d, 0xd8]].map((part) => decoder.decode(bytes(...part), { stream: true })).concat(decoder.decode()); })(), ["", "", "😀", "\ufffd"]]);
  same("maximal subparts", () => [["F0 80 80 41", "ED A0 80", "F4 91", "E2 82", "F0 9F 98 F0 9F 98 80", "C0 AF", "FC 80"].map((hex) => new TextDecoder().decode(Uint8Array.from(hex.split(" "), (byte) => parseInt(byte, 16))).length), [4, 3, 2, 1, 3, 2, 2]]);
  same("windows-1252 reads 80 to 9F", () => [new TextDecoder("latin1").decode(bytes(0x80, 0x81, 0x9f)), "€\u0081Ÿ"]);
  same("the encodings that engines lack", () => [["iso-8859-16", "x-user-defined", "gb18030", "iso-2022-jp", "windows-874", "x-mac-cyrillic"].map((label) => new TextDecoder(label).encoding), ["iso-8859-16", "x-user-defined", "gb18030", "iso-2022-jp", "windows-874", "x-mac-cyrillic"]]);
  same("ISO-8859-8-I keeps its name", () => [new TextDecoder("logical").encoding, "iso-8859-8-i"]);
  same("x-user-defined", () => [new TextDecoder("x-user-defined").decode(bytes(0x7f, 0x80, 0xff)), "\x7f\uf780\uf7ff"]);
  same("gb18030 of 2022", () => [new TextDecoder("gb18030").decode(bytes(0xa6, 0xd9, 0xfe, 0x59, 0x82, 0x35, 0x90, 0x37)), "\ufe10\u9fb4\u9fb4"]);
  same("gbk reads what gb18030 does", () => [new TextDecoder("gbk").decode(bytes(0x80, 0x81, 0x30, 0x81, 0x30)), "€\u0080"]);
  same("Shift_JIS: a trail byte of ASCII comes back", () => [new TextDecoder("sjis").decode(bytes(0x81, 0x41, 0xfc, 0x4c, 0x80)), "、\ufffdL\x80"]);
  same("a buffer that was given away is empty", () => [new TextDecoder().decode(givenAway(bytes(65))), ""]);
  same("so is its DataView", () => [(() => { const view = bytes(65); const data = new DataView(view.buffer); givenAway(view); return new TextDecoder().decode(data); })(), ""]);
  same("fatal and ignoreBOM are booleans", () => [(({ fatal, ignoreBOM }) => [fatal, ignoreBOM])(new TextDecoder("utf-8", { fatal: 1, ignoreBOM: "" })), [true, false]]);
  same("100 000 errors", () => [new TextDecoder().decode(new Uint8Array(100_000).fill(0xff)), "\ufffd".repeat(100_000)]);
}

function shared({ TextDecoder, TextEncoder }, same) {
  if (typeof SharedArrayBuffer === "undefined") return;
  const view = new Uint8Array(new SharedArrayBuffer(4));
  same("encodeInto shared memory", () => [new TextEncoder().encodeInto("é😀", view), { read: 1, written: 2 }]);
  same("decode shared memory", () => [[new TextDecoder().decode(view), new TextDecoder().decode(view.buffer)], ["é\0\0", "é\0\0"]]);
}

function encoders({ TextEncoder }, same) {
  const encoder = new TextEncoder();
  const into = (text, length) => { const room = new Uint8Array(length); const told = encoder.encodeInto(text, room); return [told.read, told.written, ...room]; };
  same("TextEncoder ignores its arguments", () => [new TextEncoder("latin1").encoding, "utf-8"]);
  same("undefined, null, numbers", () => [[[...encoder.encode()], [...encoder.encode(undefined)], encoder.encode(null).length, encoder.encode(12).length], [[], [], 4, 2]]);
  same("a symbol", () => [thrown(() => encoder.encode(Symbol("a"))), "TypeError"]);
  same("lone surrogates", () => [[...encoder.encode("\ud83d-\ude00\ud83d")], [0xef, 0xbf, 0xbd, 0x2d, 0xef, 0xbf, 0xbd, 0xef, 0xbf, 0xbd]]);
  same("an own buffer for each", () => [(() => { const made = encoder.encode("abc"); return [made.buffer.byteLength, made.byteOffset]; })(), [3, 0]]);
  for (const [text, wanted] of [["😀", [[0, 0], [0, 0], [0, 0], [0, 0], [2, 4]]], ["a€", [[0, 0], [1, 1], [1, 1], [1, 1], [2, 4]]], ["\ud83d", [[0, 0], [0, 0], [0, 0], [1, 3], [1, 3]]], ["é\ude00", [[0, 0], [0, 0], [1, 2], [1, 2], [1, 2]]]]) {
    same(`encodeInto rooms of 0 to 4 bytes: ${escape(text)}`, () => [[0, 1, 2, 3, 4].map((length) => into(text, length).slice(0, 2)), wanted]);
  }
  same("encodeInto leaves what it does not write", () => [into("€", 2), [0, 0, 0, 0]]);
  same("encodeInto of a shorter room goes on until a character does not fit", () => [into("aa€bb", 4), [2, 2, 97, 97, 0, 0]]);
  same("encodeInto converts its source first", () => [(() => { const seen = []; const error = thrown(() => encoder.encodeInto({ toString: () => (seen.push("source"), "") }, null)); return [error, ...seen]; })(), ["TypeError", "source"]]);
  same("encodeInto of one argument", () => [thrown(() => encoder.encodeInto("a")), "TypeError"]);
  same("encodeInto what calls itself a Uint8Array", () => [thrown(() => encoder.encodeInto("a", { [Symbol.toStringTag]: "Uint8Array", length: 4 })), "TypeError"]);
  same("encodeInto what has another name", () => [(() => { const room = bytes(0); Object.defineProperty(room, Symbol.toStringTag, { value: "other" }); return encoder.encodeInto("a", room).written; })(), 1]);
  same("encodeInto a buffer that was given away", () => [encoder.encodeInto("a", givenAway(bytes(0))), { read: 0, written: 0 }]);
  same("encodeInto long text, exact room", () => [(() => { const text = "aé€😀".repeat(5000); const room = new Uint8Array(50_000); return encoder.encodeInto(text, room); })(), { read: 25_000, written: 50_000 }]);
}

const described = (object, key) => { const { enumerable, configurable } = Object.getOwnPropertyDescriptor(object, key) ?? {}; return [enumerable, configurable]; };

function interfaces(classes, same) {
  for (const [label, kind] of Object.entries(classes)) {
    if (kind === undefined) {
      same(`${label} is there`, () => [false, true]);
      continue;
    }
    same(`${label}: its tag`, () => [[kind.prototype[Symbol.toStringTag], described(kind.prototype, Symbol.toStringTag)], [label, [false, true]]]);
    same(`${label}: its length and name`, () => [[kind.length, kind.name], [0, label]]);
    same(`${label}: called without new`, () => [thrown(() => kind()), "TypeError"]);
    same(`${label}.prototype.encoding`, () => [described(kind.prototype, "encoding"), [true, true]]);
    same(`${label}.prototype.encoding of another object`, () => [thrown(() => Reflect.get(kind.prototype, "encoding", {})), "TypeError"]);
    same(`${label}: no own property`, () => [Reflect.ownKeys(new kind()), []]);
    same(`${label}: can be extended`, () => [new (class extends kind {})().encoding, "utf-8"]);
  }
  const { TextDecoder, TextEncoder } = classes;
  same("lengths of functions", () => [[TextDecoder.prototype.decode.length, TextEncoder.prototype.encode.length, TextEncoder.prototype.encodeInto.length], [0, 0, 2]]);
  same("functions are enumerable", () => [Object.keys(TextDecoder.prototype).sort(), ["decode", "encoding", "fatal", "ignoreBOM"]]);
  same("functions of another object", () => [[thrown(() => TextDecoder.prototype.decode.call({})), thrown(() => TextEncoder.prototype.encode.call({}))], ["TypeError", "TypeError"]]);
}

/** The pieces that a stream yields. */
async function pieces(stream, chunks) {
  const writer = stream.writable.getWriter();
  const reader = stream.readable.getReader();
  const write = (async () => {
    for (const chunk of chunks) await writer.write(chunk);
    await writer.close();
  })();
  write.catch(() => {});
  const out = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return out;
      out.push(typeof value === "string" ? value : [...value]);
    }
  } catch (error) {
    return [...out, error.constructor === TypeError ? "TypeError" : error.name];
  }
}

function streams({ TextDecoderStream, TextEncoderStream }, same) {
  if (TextDecoderStream === undefined || TextEncoderStream === undefined) return;
  const euro = [0xe2, 0x82, 0xac];
  same("a pair of surrogates in two chunks", async () => [await pieces(new TextEncoderStream(), ["a\ud83d", "\ude00b"]), [[97], [0xf0, 0x9f, 0x98, 0x80, 98]]]);
  same("half a pair, then none", async () => [await pieces(new TextEncoderStream(), ["\ud83d", "", "x"]), [[0xef, 0xbf, 0xbd, 120]]]);
  same("half a pair at the end", async () => [await pieces(new TextEncoderStream(), ["\ud83d"]), [[0xef, 0xbf, 0xbd]]]);
  same("two first halves", async () => [await pieces(new TextEncoderStream(), ["\ud83d", "\ud83d", "\ude00"]), [[0xef, 0xbf, 0xbd], [0xf0, 0x9f, 0x98, 0x80]]]);
  same("chunks that are no strings", async () => [await pieces(new TextEncoderStream(), [1, null]), [[49], [110, 117, 108, 108]]]);
  same("no empty chunks", async () => [await pieces(new TextEncoderStream(), ["", ""]), []]);
  same("a chunk that is a symbol", async () => [await pieces(new TextEncoderStream(), [Symbol("a")]), ["TypeError"]]);
  same("bytes one by one", async () => [await pieces(new TextDecoderStream(), euro.map((byte) => bytes(byte))), ["€"]]);
  same("what is incomplete at the end", async () => [await pieces(new TextDecoderStream(), [bytes(65, 0xe2)]), ["A", "\ufffd"]]);
  same("an error is plain", async () => [await pieces(new TextDecoderStream("utf-8", { fatal: true }), [bytes(0xff)]), ["TypeError"]]);
  same("an error at the end", async () => [await pieces(new TextDecoderStream("utf-8", { fatal: true }), [bytes(65), bytes(0xe2)]), ["A", "TypeError"]]);
  same("a chunk that is no buffer", async () => [await pieces(new TextDecoderStream(), ["text"]), ["TypeError"]]);
  same("a stream of UTF-16", async () => [await streamed(new TextDecoderStream("utf-16be"), [bytes(0xfe), bytes(0xff, 0xd8), bytes(0x3d, 0xde, 0)]), "😀"]);
}

/** Asks all questions. A question that throws counts as a wrong answer. */
export async function runEdges(classes) {
  const count = new Count();
  const questions = [];
  for (const group of [decoders, encoders, shared, interfaces, streams]) {
    try {
      group(classes, (where, pair) => questions.push([where, pair]));
    } catch (error) {
      count.fail(group.name, `${error}`, "an end");
    }
  }
  for (const [where, pair] of questions) {
    try {
      count.same(where, ...(await pair()));
    } catch (error) {
      count.same(where, `${error}`, "an answer");
    }
  }
  return { ...count };
}
