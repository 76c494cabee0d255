// What the page of the npm package says, with the package that is installed.
import assert from "node:assert/strict";
import { check, convert, repair, TextDecoder } from "placemat";
import * as inline from "placemat/inline";

const bytes = Uint8Array.from([0x41, 0x42, 0xe2, 0x82]);
const { kind, offset, length } = check(bytes);
console.log(kind, offset, length);
assert.equal(offset, 2);
assert.equal(check(Uint8Array.of(0x41)), null);
assert.throws(() => new TextDecoder("utf-8", { fatal: true }).decode(bytes), { kind, offset, length });
assert.equal(Buffer.from(repair(bytes)).toString(), "AB\ufffd");
assert.equal(Buffer.from(inline.repair(bytes)).toString(), "AB\ufffd");
assert.equal(typeof convert, "function");
console.log("the npm package: all right");
