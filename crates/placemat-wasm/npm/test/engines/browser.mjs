// Runs all tests in a page, and sends the report to the server.

import { runAll } from "./run.mjs";

const documents = new Map();

/** An empty document in an encoding. */
function links(charset) {
  if (!documents.has(charset)) {
    documents.set(charset, new Promise((resolve) => {
      const frame = document.createElement("iframe");
      frame.onload = () => resolve(frame.contentDocument);
      frame.src = `/blank?charset=${encodeURIComponent(charset)}`;
      document.body.append(frame);
    }));
  }
  return documents.get(charset);
}

const compile = (source, parameter) => new Function(parameter, source);
const report = async () => {
  const placemat = await import("placemat/legacy");
  const suite = await (await fetch("/suite.json")).json();
  return runAll({ placemat, suite, compile, links });
};
addEventListener("unhandledrejection", (event) => event.preventDefault());
const engine = new URLSearchParams(location.search).get("engine");
const told = await report().catch((error) => ({ failed: `${error}\n${error.stack}` }));
await fetch(`/report?engine=${engine}`, { method: "POST", body: JSON.stringify(told) });
