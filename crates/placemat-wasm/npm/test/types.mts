import { check, Decoder, TextDecoder, EncodingError, truncate, EncoderStream, errors, convert } from "placemat";
import * as inline from "placemat/inline";
const fault = check(new Uint8Array([1]));
if (fault !== null) { const kind: string = fault.kind; const n: number = fault.offset; console.log(kind, n); }
const text: string = new Decoder("utf-8", { onError: "replace", bom: "strip" }).decode(new ArrayBuffer(1), { stream: true });
const d = new TextDecoder("utf-8", { fatal: true }); console.log(d.encoding, text, truncate(new Uint8Array(), 1).length);
try { convert(new Uint8Array(), "utf-8", "utf-16le"); } catch (error) { if (error instanceof EncodingError) console.log(error.offset); }
new EncoderStream("utf-8").readable.getReader(); errors(new DataView(new ArrayBuffer(2)), { limit: 2 });
console.log(inline.check(new SharedArrayBuffer(1)));
// @ts-expect-error a string is no bytes
check("text");
