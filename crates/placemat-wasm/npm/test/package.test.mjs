// Tests the package as it is installed, on Node.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import * as placemat from "placemat";

const { allNames } = await import(new URL("src/memory.js", import.meta.resolve("placemat/package.json")));

const hex = (text) => Uint8Array.from(text.trim().split(/\s+/).filter(Boolean), (byte) => parseInt(byte, 16));

/** The lines of the library's vectors that say how bytes are decoded: `{ form, bytes, items, where }`. */
function* vectors() {
  const folder = new URL(process.env.PLACEMAT_VECTORS);
  for (const name of readdirSync(folder).sort()) {
    const lines = readFileSync(new URL(name, folder), "utf8").split("\n");
    if (!name.endsWith(".txt") || !lines.some((line) => line.startsWith("form "))) continue;
    let form;
    for (const [at, line] of lines.entries()) {
      const fact = line.split("#")[0];
      if (fact.startsWith("form ")) form = fact.slice(5).trim();
      const parts = /^([0-9A-F ]+)[|>](.*)$/.exec(fact);
      if (form === undefined || parts === null) continue;
      yield { form, bytes: hex(parts[1]), items: parts[2].trim().split(/\s+/).filter(Boolean), where: `${name}:${at + 1}` };
    }
  }
}

test("every vector reads the same at every split, and its errors are told", () => {
  let count = 0;
  for (const { form, bytes, items, where } of vectors()) {
    const faults = items.filter((item) => item.includes("@")).map((item) => {
      const [, kind, offset, length] = /^(.*)@(\d+)\+(\d+)$/.exec(item);
      return { kind, offset: Number(offset), length: Number(length) };
    });
    assert.deepEqual(placemat.errors(bytes, { encoding: form }), faults, where);
    assert.deepEqual(placemat.check(bytes, form), faults[0] ?? null, where);
    const points = items.map((item) => (item.startsWith("U+") ? parseInt(item.slice(2), 16) : 0xfffd));
    const expected = new Uint8Array(Uint32Array.from(points).buffer);
    const converter = new placemat.Converter(form, "ucs-4le", { onError: "replace" });
    for (let at = 0; at <= bytes.length; at++) {
      const first = converter.convert(bytes.subarray(0, at), { stream: true });
      const second = converter.convert(bytes.subarray(at));
      assert.deepEqual(new Uint8Array([...first, ...second]), expected, `${where} cut at ${at}`);
    }
    converter.dispose();
    count += 1;
  }
  console.log(`${count} vectors`);
  assert.ok(count > 500, `${count} vectors`);
});

test("TextDecoder is that of the platform", () => {
  const samples = ["", "EF BB BF 61", "61 C3 A9 F0 9F 98 80", "F0 9F 98", "E2 82 41", "ED A0 80", "C0 80", "FF FE 61 00", "3D D8", "3D D8 00 DE", "00"];
  for (const label of ["utf-8", "UTF8", "utf-16le", "utf-16be", "unicode-1-1-utf-8"]) {
    for (const ignoreBOM of [false, true]) {
      for (const sample of samples.map(hex)) {
        const own = new placemat.TextDecoder(label, { ignoreBOM });
        const platform = new TextDecoder(label, { ignoreBOM });
        assert.deepEqual([own.encoding, own.fatal, own.ignoreBOM], [platform.encoding, false, ignoreBOM]);
        assert.equal(own.decode(sample), platform.decode(sample), `${label} ${sample}`);
        for (let at = 0; at <= sample.length; at++) {
          const text = own.decode(sample.subarray(0, at), { stream: true }) + own.decode(sample.subarray(at));
          assert.equal(text, platform.decode(sample), `${label} ${sample} cut at ${at}`);
        }
      }
    }
  }
});

test("a fatal TextDecoder says where, and then begins anew", () => {
  const decoder = new placemat.TextDecoder("utf-8", { fatal: true });
  const place = { name: "TypeError", kind: "missing-continuation", offset: 2, length: 1 };
  assert.throws(() => decoder.decode(hex("6E 61 EF 76 65")), place);
  assert.throws(() => decoder.decode(hex("FF")), TypeError);
  assert.equal(decoder.decode(hex("C3 A9")), "é");
});

test("arguments are refused as the standard refuses them", () => {
  for (const label of ["utf-9", "", "utf-8\0", null]) assert.throws(() => new placemat.TextDecoder(label), RangeError);
  assert.throws(() => new placemat.TextDecoder("utf-8", 1), TypeError);
  assert.throws(() => new placemat.TextDecoder().decode("text"), TypeError);
  assert.throws(() => new placemat.TextEncoder().encodeInto("a", new Uint16Array(1)), TypeError);
  assert.throws(() => new placemat.Decoder("utf-8", { onError: "guess" }), RangeError);
  assert.throws(() => new placemat.Encoder("us-ascii", { bom: "add" }), RangeError);
});

test("TextEncoder is that of the platform", () => {
  const [own, platform] = [new placemat.TextEncoder(), new TextEncoder()];
  for (const text of ["", "a", "é€😀", "\ud83d", "\ude00\ud83d", "€😀", "aé€😀".repeat(50), undefined, 5, null]) {
    assert.deepEqual(own.encode(text), platform.encode(text));
    if (typeof text !== "string") continue; // Node refuses values that the standard converts to strings.
    for (let length = 0; length < 24; length++) {
      const [ours, theirs] = [new Uint8Array(length), new Uint8Array(length)];
      assert.deepEqual(own.encodeInto(text, ours), platform.encodeInto(text, theirs), `${text} in ${length}`);
      assert.deepEqual(ours, theirs);
    }
  }
});

test("encoders write what decoders read", () => {
  for (const [encoding, text, bytes] of [
    ["mutf-8", "\0😀", "C0 80 ED A0 BD ED B8 80"],
    ["wtf-8", "a\ud800", "61 ED A0 80"],
    ["utf-16be", "é", "00 E9"],
    ["utf-7", "1 + 1", "31 20 2B 2D 20 31"],
  ]) {
    assert.deepEqual(new placemat.Encoder(encoding).encode(text), hex(bytes), encoding);
    assert.equal(new placemat.Decoder(encoding).decode(hex(bytes)), text, encoding);
  }
  assert.throws(() => new placemat.Encoder("us-ascii").encode("aé"), { kind: "unencodable" });
  assert.deepEqual(new placemat.Encoder("us-ascii", { unencodable: "ncr" }).encode("é"), hex("26 23 32 33 33 3B"));
});

test("functions for whole texts", () => {
  assert.deepEqual(placemat.repair(hex("6E 61 EF 76 65")), new TextEncoder().encode("na\ufffdve"));
  assert.deepEqual(placemat.repair(hex("93 61"), { onError: "cp1252" }), new TextEncoder().encode("“a"));
  assert.deepEqual(placemat.convert(hex("C3 A9"), "utf-8", "utf-16le"), hex("E9 00"));
  assert.deepEqual(placemat.truncate(hex("63 61 66 C3 A9"), 4), hex("63 61 66"));
  assert.equal(placemat.boundary(hex("C3 A9 61"), 1), 0);
  assert.throws(() => placemat.boundary(hex("61"), 0, "utf-7"), RangeError);
  assert.deepEqual(placemat.errors(hex("FF 61 FF"), { limit: 1 }), [{ kind: "invalid-byte", offset: 0, length: 1 }]);
  for (const limit of [Infinity, 2 ** 40]) assert.equal(placemat.errors(hex("FF 61 FF"), { limit }).length, 2);
  for (const limit of [0, -1, NaN]) assert.deepEqual(placemat.errors(hex("FF"), { limit }), []);
  assert.equal(placemat.errors(new Uint8Array(2 ** 20 + 9).fill(0xff)).length, 2 ** 20);
  assert.equal(placemat.label("UTF 8"), "utf-8");
  assert.equal(placemat.label("latin1", "whatwg"), "windows-1252");
  assert.equal(placemat.label("nothing"), null);
});

test("the inline entry is the same", async () => {
  const inline = await import("placemat/inline");
  assert.deepEqual(Object.keys(inline), Object.keys(placemat));
  assert.throws(() => new placemat.TextDecoder("koi8-r"), { name: "RangeError", message: /placemat\/legacy/ });
  assert.deepEqual(inline.check(hex("61 FF")), { kind: "invalid-byte", offset: 1, length: 1 });
});

test("the types name every kind of error", () => {
  const types = readFileSync(new URL("src/index.d.ts", import.meta.resolve("placemat/package.json")), "utf8");
  const named = [...types.split("export type Kind =")[1].split(";")[0].matchAll(/"(.*?)"/g)].map((match) => match[1]);
  assert.deepEqual(named, allNames().kinds);
});

test("streams join characters that chunks divide", async () => {
  const through = async (chunks, stream) => {
    const writer = stream.writable.getWriter();
    const written = (async () => {
      for (const chunk of chunks) await writer.write(chunk);
      await writer.close();
    })();
    written.catch(() => {}); // The reader reports this error.
    const out = [];
    for await (const chunk of stream.readable) out.push(chunk);
    await written;
    return out;
  };
  const halves = [hex("61 F0 9F"), hex("98 80 FF")];
  assert.equal((await through(halves, new placemat.TextDecoderStream())).join(""), "a😀\ufffd");
  assert.equal((await through(halves, new placemat.DecoderStream("utf-8", { onError: "skip" }))).join(""), "a😀");
  const encoded = await through(["a\ud83d", "\ude00"], new placemat.TextEncoderStream());
  assert.deepEqual(encoded.flatMap((chunk) => [...chunk]), [0x61, 0xf0, 0x9f, 0x98, 0x80]);
  const utf16 = await through(["a", "é"], new placemat.EncoderStream("utf-16be"));
  assert.deepEqual(utf16.flatMap((chunk) => [...chunk]), [0, 0x61, 0, 0xe9]);
  await assert.rejects(through([hex("FF")], new placemat.TextDecoderStream("utf-8", { fatal: true })), TypeError);
});

test("what is disposed of is over, and thousands of streams need little memory", () => {
  const decoder = new placemat.Decoder();
  decoder.dispose();
  decoder.dispose();
  assert.throws(() => decoder.decode(hex("61")), TypeError);
  const before = process.memoryUsage().arrayBuffers;
  for (let at = 0; at < 20_000; at++) placemat.check(hex("61"));
  assert.ok(process.memoryUsage().arrayBuffers - before < 8 << 20);
});

test("a stream of 100 MB needs no more memory than one of 1 MB", () => {
  const chunk = new Uint8Array(1 << 20).fill(0x61);
  const decoder = new placemat.TextDecoder();
  const buffers = () => process.memoryUsage().arrayBuffers + process.memoryUsage().external;
  decoder.decode(chunk, { stream: true });
  const before = buffers();
  let [units, most] = [0, 0];
  for (let at = 0; at < 100; at++) {
    units += decoder.decode(chunk, { stream: true }).length;
    most = Math.max(most, buffers() - before);
  }
  assert.equal(units, 100 << 20);
  assert.ok(most < 64 << 20, `${most} bytes`);
});

test("a string that cannot be made leaves nothing behind for the next text", () => {
  const { fromCharCode } = String;
  const { decode } = TextDecoder.prototype;
  const long = new Uint8Array(200_000).fill(0x61);
  long.set(hex("E2 82"), (1 << 16) - 2);
  const decoders = [new placemat.TextDecoder(), new placemat.Decoder("utf-8", { bom: "strip", onError: "replace" })];
  for (const decoder of decoders) {
    const tooLong = () => {
      throw new RangeError("Invalid string length");
    };
    String.fromCharCode = tooLong;
    TextDecoder.prototype.decode = tooLong;
    try {
      assert.throws(() => decoder.decode(long), RangeError);
    } finally {
      String.fromCharCode = fromCharCode;
      TextDecoder.prototype.decode = decode;
    }
    assert.equal(decoder.decode(hex("EF BB BF 61")), "a");
  }
});
