// Runs all tests in Node, Deno and Bun: PLACEMAT_SUITE is the file of the suite, PLACEMAT_REPORT the file for the report.

import { readFileSync, writeFileSync } from "node:fs";
import * as placemat from "placemat/legacy";
import { runAll } from "./run.mjs";

const version = globalThis.Deno?.version.deno ?? globalThis.Bun?.version ?? process.versions.node;
const suite = JSON.parse(readFileSync(process.env.PLACEMAT_SUITE, "utf8"));
const compile = (source, parameter) => new Function(parameter, source);
// Promises that a test of streams leaves rejected on purpose are not failures of the harness.
process.on("unhandledRejection", () => {});
const report = await runAll({ placemat, suite, compile });
writeFileSync(process.env.PLACEMAT_REPORT, JSON.stringify({ version, ...report }));
process.exit(0);
