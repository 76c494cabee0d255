import placemat = require("placemat");
import legacy = require("placemat/legacy");
import mending = require("placemat/mend/inline");
const fault: placemat.Fault | null = placemat.check(new Uint8Array([1]));
console.log(fault?.kind, new legacy.TextDecoder("koi8-r").encoding, mending.mend(new Uint8Array()).summary);
