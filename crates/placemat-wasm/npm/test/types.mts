import { check, Decoder, TextDecoder, EncodingError, truncate, EncoderStream, errors, convert } from "placemat";
import * as inline from "placemat/inline";
const fault = check(new Uint8Array([1]));
if (fault !== null) { const kind: string = fault.kind; const n: number = fault.offset; console.log(kind, n); }
const text: string = new Decoder("utf-8", { onError: "replace", bom: "strip" }).decode(new ArrayBuffer(1), { stream: true });
const d = new TextDecoder("utf-8", { fatal: true }); console.log(d.encoding, text, truncate(new Uint8Array(), 1).length);
try { convert(new Uint8Array(), "utf-8", "utf-16le"); } catch (error) { if (error instanceof EncodingError) console.log(error.offset); }
new EncoderStream("utf-8").readable.getReader(); errors(new DataView(new ArrayBuffer(2)), { limit: 2 });
console.log(inline.check(new SharedArrayBuffer(1)));
// @ts-expect-error a string is not bytes
check("text");
import { TextDecoder as LegacyDecoder } from "placemat/legacy";
import { detect, mojibake } from "placemat/detect";
import { explain, faults, sequences, story, table, unescape, verdicts } from "placemat/explain";
import { mend, RefusedError, undo } from "placemat/mend";
import { nameOf, names } from "placemat/names/inline";
import { Survey } from "placemat/survey";
const encoding: string = new LegacyDecoder("shift_jis").encoding; const sure: number = detect((room) => room.length).confidence;
for (const chain of mojibake("é").chains) for (const { readAs, also } of chain.steps) console.log(readAs, also.join(), chain.likelihood, encoding, sure);
for (const object of explain(new Uint8Array())) if (object.type === "character") console.log(object.name); else if (object.type === "fault") console.log(object.errors[0]?.kind);
console.log(faults(new Uint8Array()).found[0]?.sentence, sequences(new Uint8Array()).length, story(new Uint8Array(), { what: "steps" }), table()[0]?.class, unescape("%41", "url").length, verdicts(new Uint8Array()).length);
try { const { bytes, report } = mend(new Uint8Array(), { structure: "csv", delimiter: ";" }); undo(bytes, report); } catch (error) { if (error instanceof RefusedError) console.log(error.message); }
const survey = new Survey({ field: "text" }); console.log(survey.add(new Uint8Array(), "a"), survey.toJSON(), survey.page("a"), nameOf(65), names([65]));
// @ts-expect-error an unknown notation
unescape("", "nothing");
