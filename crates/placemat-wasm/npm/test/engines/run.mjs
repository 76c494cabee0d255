// The tests that run in every engine, with this package's classes and with the engine's own.

import { runEdges } from "./edges.mjs";
import { runLegacy } from "./legacy.mjs";
import { ownSide, platformSide } from "./sides.mjs";
import { packageVectors, platformVectors } from "./vectors.mjs";
import { runWpt } from "./wpt.mjs";

/** The names of the encodings in the table of WPT's tests, without `replacement`, which only refuses text. */
function encodings(suite) {
  const source = suite.sources["encoding/resources/encodings.js"];
  const groups = JSON.parse(source.slice(source.indexOf("["), source.lastIndexOf("]") + 1));
  return groups.flatMap((group) => group.encodings.map(({ name }) => name.toLowerCase())).filter((name) => name !== "replacement");
}

async function sideOf(suite, side, compile) {
  return {
    wpt: await runWpt(suite, side, compile),
    vectors: await platformVectors(suite.tables, side.classes),
    edges: await runEdges(side.classes),
  };
}

/** `compile(source, parameter)` makes a function; `links(charset)` makes a document in that encoding, if the engine has documents. */
export async function runAll({ placemat, suite, compile, links }) {
  const [own, platform] = [ownSide(placemat), platformSide(links)];
  const started = Date.now();
  return {
    own: await sideOf(suite, own, compile),
    package: packageVectors(suite.tables, placemat),
    platform: await sideOf(suite, platform, compile),
    legacy: runLegacy(encodings(suite), own.classes, platform.classes),
    seconds: Math.round((Date.now() - started) / 1000),
  };
}
