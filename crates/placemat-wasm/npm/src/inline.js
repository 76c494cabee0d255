// The plain module within JavaScript: no file to fetch, and nothing to wait for. Building the package writes bytes.js.

import { start } from "./memory.js";
import base64 from "./bytes.js";

const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
start(new WebAssembly.Instance(new WebAssembly.Module(bytes)));

export * from "./api.js";
