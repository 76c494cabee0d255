// Reads the module from the package's folder.

import { readFileSync } from "node:fs";
import { build, start } from "./memory.js";

start(new WebAssembly.Instance(new WebAssembly.Module(readFileSync(new URL(`../${build()}`, import.meta.url)))));

export * from "./api.js";
