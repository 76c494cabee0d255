// Tests the entries besides the main one, on Node.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import * as main from "placemat";
import { detect, mojibake } from "placemat/detect";
import * as explaining from "placemat/explain";
import * as legacy from "placemat/legacy";
import { mend, RefusedError, undo } from "placemat/mend";
import { Survey } from "placemat/survey";

const hex = (text) => Uint8Array.from(text.trim().split(/\s+/).filter(Boolean), (byte) => parseInt(byte, 16));
const utf8 = (text) => new TextEncoder().encode(text);
const latin1 = (text) => Uint8Array.from(text, (character) => character.charCodeAt(0));

test("legacy encodings read as on the web, at every split", () => {
  for (const [label, bytes, text] of [
    ["shift_jis", "93 FA 96 7B 81 FF 41", "日本\ufffdA"],
    ["sjis", "B1", "ｱ"],
    ["gb18030", "84 31 95 33 81 30 81 30", "\ufeff\x80"],
    ["gbk", "C4 E3 BA C3 80", "你好€"],
    ["big5", "A7 41 88 62", "你Ê̄"],
    ["euc-kr", "C7 D1", "한"],
    ["euc-jp", "8F B0 A1 C6 FC", "丂日"],
    ["iso-2022-jp", "1B 24 42 46 7C 1B 28 42 41", "日A"],
    ["koi8-r", "C4 C1", "да"],
    ["latin1", "80 E9", "€é"],
    ["x-user-defined", "80", "\uf780"],
    ["windows-1252", "81", "\x81"],
  ]) {
    const decoder = new main.TextDecoder(label);
    const input = hex(bytes);
    for (let at = 0; at <= input.length; at++) {
      const read = decoder.decode(input.subarray(0, at), { stream: true }) + decoder.decode(input.subarray(at));
      assert.equal(read, text, `${label} cut at ${at}`);
    }
  }
});

test("every label of the web is that of the platform, but the replacement encoding, which is a RangeError", () => {
  let count = 0;
  for (const label of ["866", "cp1252", "ansi_x3.4-1968", "csisolatin2", "greek8", "logical", "visual", "l5", "dos-874", "cp1258", "x-sjis", "windows-31j", "korean", "ks_c_5601-1987", "csbig5", "x-gbk", "chinese", "utf-16", "unicode", "x-mac-ukrainian"]) {
    assert.equal(new legacy.TextDecoder(`\t${label.toUpperCase()} `).encoding, new TextDecoder(label).encoding, label);
    count += 1;
  }
  assert.equal(count, 20);
  for (const label of ["replacement", "iso-2022-kr", "hz-gb-2312"]) assert.throws(() => new legacy.TextDecoder(label), RangeError);
});

test("a fatal decoder of a legacy encoding says where", () => {
  const decoder = new legacy.TextDecoder("euc-jp", { fatal: true });
  assert.throws(() => decoder.decode(hex("41 A4 FF 42")), { name: "TypeError", offset: 1, length: 2 });
  assert.equal(decoder.decode(hex("41")), "A");
});

test("every error of a legacy encoding, and where its text may be cut", () => {
  const bytes = hex("93 FA 81 FF 96 7B 81");
  assert.deepEqual(
    legacy.errors(bytes, { encoding: "shift_jis" }).map(({ offset, length }) => [offset, length]),
    [[2, 2], [6, 1]],
  );
  assert.equal(legacy.errors(bytes, { encoding: "shift_jis", limit: 1 }).length, 1);
  assert.deepEqual(legacy.errors(hex("C4 C1"), { encoding: "koi8-r" }), []);
  assert.deepEqual([0, 1, 2, 3, 5, 6].map((at) => main.boundary(bytes, at, "sjis")), [0, 0, 2, 2, 4, 6]);
  assert.deepEqual(main.truncate(hex("D6 D0 CE C4"), 3, "gbk"), hex("D6 D0"));
  assert.equal(main.boundary(hex("E9 E9"), 1, "windows-1252"), 1);
  assert.throws(() => main.boundary(bytes, 1, "utf-7"), RangeError);
});

test("legacy encodings are written, streamed and checked", async () => {
  assert.deepEqual(new legacy.Encoder("cp437").encode("é½"), hex("82 AB"));
  assert.deepEqual(new legacy.Encoder("koi8-r", { unencodable: "ncr" }).encode("ж€"), utf8("\0&#8364;").map((byte, at) => (at === 0 ? 0xd6 : byte)));
  assert.throws(() => new legacy.Encoder("shift_jis").encode("a😀"), { kind: "unencodable" });
  assert.deepEqual(legacy.convert(hex("93 FA"), "shift_jis", "euc-jp"), hex("C6 FC"));
  assert.deepEqual(legacy.check(hex("41 FD 42"), "shift_jis"), { kind: "invalid-byte", offset: 1, length: 1 });
  const stream = new legacy.DecoderStream("shift_jis");
  const writer = stream.writable.getWriter();
  const written = (async () => {
    for (const chunk of [hex("93"), hex("FA 96 7B")]) await writer.write(chunk);
    await writer.close();
  })();
  let text = "";
  for await (const chunk of stream.readable) text += chunk;
  await written;
  assert.equal(text, "日本");
});

test("detection, from bytes and from a source", () => {
  const text = utf8("naïve café, crème brûlée");
  assert.equal(detect(text).encoding, "utf-8");
  let at = 0;
  const source = (room) => {
    const piece = text.subarray(at, (at += Math.min(3, room.length)));
    room.set(piece);
    return piece.length;
  };
  assert.deepEqual(detect(source), detect(text));
  assert.throws(() => detect(() => {
    throw new Error("the disk is gone");
  }), { message: "the disk is gone" });
  const russian = legacy.convert(utf8("Съешь же ещё этих мягких французских булок, да выпей чаю."), "utf-8", "windows-1251");
  assert.equal(detect(russian).encoding, "windows-1251");
});

test("mojibake is undone, and the chain is told", () => {
  const twice = mojibake("cafÃƒÂ© crÃƒÂ¨me");
  assert.equal(twice.text, "café crème");
  assert.deepEqual(twice.chains[0].steps.map(({ encoding, readAs, text }) => [encoding, readAs, text]), [
    ["utf-8", "windows-1252", "cafÃ© crÃ¨me"],
    ["utf-8", "windows-1252", "café crème"],
  ]);
  const { steps, text } = mojibake("Ïðèâåò, ìèð!").chains[0];
  assert.deepEqual([steps[0].encoding, steps[0].readAs, text], ["windows-1251", "windows-1252", "Привет, мир!"]);
  const [part] = mojibake("Série, SÃ©rie … DivisÃ£o").chains;
  assert.deepEqual([part.steps[0].inParts, part.text], [true, "Série, Série … Divisão"]);
  assert.deepEqual(mojibake("naïve café").chains, []);
  assert.equal(mojibake("half \ud83d").text, "half \ud83d");
});

test("explanations are the command's objects", () => {
  const [fault, ...rest] = explaining.explain(hex("C0 AF"));
  assert.deepEqual([fault.type, fault.errors[0].kind, rest.at(-1).type], ["fault", "overlong", "summary"]);
  assert.equal(explaining.table().length, 256);
  assert.throws(() => explaining.table("utf-16le"), RangeError);
  assert.ok(explaining.verdicts(hex("ED A0 80")).some(({ form, well_formed: isGood }) => form === "wtf-8" && isGood));
  assert.equal(explaining.sequences(hex("63 E9 21"))[1].meant, "é");
  assert.match(explaining.story(hex("C3 A9"), { page: true }), /^<!DOCTYPE html>/);
  for (const what of ["nope", "", null]) {
    assert.throws(() => explaining.story(hex("C3 A9"), { what }), { message: `what: one of explain, steps, verdicts, table is expected, not ${what}` });
  }
  assert.deepEqual(explaining.unescape("%C3%A9", "url"), hex("C3 A9"));
  assert.deepEqual(explaining.unescape("U+20AC", "code-points"), hex("E2 82 AC"));
  assert.throws(() => explaining.unescape("%zz", "url"), RangeError);
});

test("faults have places and sentences", () => {
  const { errors, found } = explaining.faults(hex("61 0A 62 E9 21"));
  assert.equal(errors, 1);
  assert.deepEqual([found[0].line, found[0].column, found[0].sentence], [2, 2, "E9 begins a sequence of 3 bytes, but 21 cannot follow"]);
});

test("names come with their entry", async () => {
  assert.match(explaining.explain(utf8("€"))[0].name, /^<assigned-/);
  const stories = [{}, { what: "steps" }, { page: true }];
  for (const options of stories) assert.doesNotMatch(explaining.story(utf8("a€"), options), /assigned-/);
  const { nameOf, names } = await import("placemat/names");
  assert.equal(nameOf("€"), "EURO SIGN");
  assert.deepEqual(names([0x41, 0x378, 0xd55c]), ["LATIN CAPITAL LETTER A", null, "HANGUL SYLLABLE HAN"]);
  assert.equal(explaining.explain(utf8("€"))[0].name, "EURO SIGN");
  for (const options of stories) {
    assert.match(explaining.story(utf8("a€"), options), /U\+0061\S* LATIN SMALL LETTER A[^]*U\+20AC\S* EURO SIGN/);
  }
});

test("text is mended, and the original put back", () => {
  const broken = new Uint8Array([...utf8("naïve café\nand another caf"), 0xe9, 10]);
  const mended = mend(broken);
  assert.deepEqual(mended.bytes, utf8("naïve café\nand another café\n"));
  assert.deepEqual([mended.summary, mended.lossy, mended.changes.length], ["1 byte read as windows-1252", false, 1]);
  assert.deepEqual(undo(mended.bytes, mended.report), broken);
  assert.throws(() => undo(broken, mended.report), RangeError);
  assert.throws(() => mend(latin1("Grüße aus Köln")), RefusedError);
  assert.deepEqual(mend(utf8("cafÃ©"), { mojibake: true }).bytes, utf8("café"));
  assert.deepEqual(mend(utf8('{"a": "caf\\u00c3\\u00a9"}'), { mojibake: true, structure: "jsonl" }).bytes, utf8('{"a": "caf\\u00e9"}'));
});

test("surveys add up, and merge", () => {
  const survey = new Survey();
  assert.equal(survey.add(utf8("naïve\n"), "a.txt"), true);
  assert.equal(survey.add(hex("89 50 4E 47 00"), "b.png"), false);
  const { files, files_skipped: skipped, texts } = survey.toJSON();
  assert.deepEqual([files, skipped, texts], [1, 1, 1]);
  survey.merge(survey.toJSON());
  assert.equal(survey.toJSON().texts, 2);
  assert.match(survey.page("mine"), /^<!DOCTYPE html>/);
  survey.dispose();
  assert.throws(() => survey.toJSON(), RangeError);
});

test("CommonJS and the inline entries are the same", async () => {
  const require = createRequire(import.meta.url);
  for (const name of ["", "/legacy", "/detect", "/explain", "/mend", "/survey"]) {
    const keys = Object.keys(await import(`placemat${name}`)).sort();
    for (const kind of ["", "/inline"]) {
      assert.deepEqual(Object.keys(require(`placemat${name}${kind}`)).sort(), keys, `${name}${kind}`);
      assert.deepEqual(Object.keys(await import(`placemat${name}${kind}`)).sort(), keys, `${name}${kind}`);
    }
  }
  assert.equal(require("placemat/legacy").convert(hex("E9"), "cp1250", "utf-8").length, 2);
  assert.equal(require("placemat/mend/inline").mend(utf8("a")).changes.length, 0);
});

test("what browsers load works where streams unpack", async () => {
  const { check } = await import(new URL("entries/index.web.js", import.meta.resolve("placemat/package.json")));
  assert.deepEqual(check(hex("61 FF")), { kind: "invalid-byte", offset: 1, length: 1 });
});
