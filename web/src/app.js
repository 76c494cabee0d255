// The state of the page, and what happens when it changes.

const TABS = [
  ["errors", "Errors"],
  ["bits", "Bit by bit"],
  ["chains", "What happened"],
  ["readers", "Who would say what"],
  ["table", "Byte table"],
  ["forms", "Every form"],
  ["repair", "Repair"],
  ["survey", "Survey"],
];

const EXAMPLES = [
  ["Mojibake: read as windows-1252", "text", "Le cafÃ© est trÃ¨s bon â€“ dÃ©jÃ\u00a0 vu"],
  ["Mojibake twice", "text", "FranÃƒÂ§ais, naÃƒÂ¯vetÃƒÂ©"],
  ["Windows-1251 read as 1252", "text", "Ïðèâåò, êàê äåëà? Äàâíî íå âèäåëèñü"],
  ["A file with a stray byte", "python", "b'na\\xc3\\xafve caf\\xe9!\\nd\\xc3\\xa9j\\xc3\\xa0 vu'"],
  ["Overlong slash, a filter's hole", "hex", "2F 2E 2E C0 AF 65 74 63"],
  ["A surrogate pair in CESU-8", "hex", "ED A0 BD ED B8 80"],
  ["Characters that are not shown", "json", "pay\\u200bpal \\u202egnp.exe"],
  ["Every length", "text", "A é € 😀"],
];

/** More is left in its file, and read in parts. */
const IN_MEMORY = 1 << 20;

/** Input that is kept in the address, in characters. */
const IN_ADDRESS = 6000;

const engine = new Engine();
const $ = byId;
const state = { how: "text", form: "utf-8", input: "", at: 0, tab: "errors" };

/** The bytes that are shown, or the file that holds them. @type {{bytes: Uint8Array|null, file: File|null, size: number}} */
let source = { bytes: new Uint8Array(0), file: null, size: 0 };
let table = null;
/** Each change has a number: an answer to an older one is not shown. */
let turn = 0;
/** @type {Engine|null} */
let job = null;

const panes = makePanes({ onmove: moved, onpage: (from, focus) => page(from, focus) });

/* What is under the cursor. */

/** Of a form that cannot be read from any place, so much from the start. */
const FROM_START = 4 << 20;

/** The form, once a byte order mark has decided. */
let concrete = "utf-8";

/** The bytes `from..to` and some around them, which begin at `base`. */
async function around(from, to) {
  const midway = FORMS.find(({ name }) => name === concrete)?.midway;
  const base = midway ? Math.max(0, Math.floor(from / 4) * 4 - 64) : 0;
  const end = Math.min(to + 64, base + FROM_START);
  if (source.bytes) return { bytes: source.bytes.subarray(base, end), base };
  return { bytes: new Uint8Array(await source.file.slice(base, end).arrayBuffer()), base };
}

async function moved(at) {
  state.at = at;
  remember();
  const mine = turn;
  if (at >= source.size) return drawBits({ told: [] });
  const { bytes, base } = await around(at, at + 64);
  table?.here(bytes[at - base]);
  const form = base ? concrete : state.form;
  const { answer } = await engine.ask({ ask: "at", form, at: at - base, base }, { bytes });
  if (mine === turn && at === state.at) drawBits(answer);
}

async function page(from, focus = false) {
  const mine = turn;
  const to = Math.min(source.size, from + WINDOW);
  const { bytes, base } = await around(from, to);
  const form = base ? concrete : state.form;
  const { answer } = await engine.ask({ ask: "cells", form, base, from, to }, { bytes });
  if (mine !== turn) return;
  const cells = answer.refused ? { roles: [], items: [], offset: 0 } : answer;
  if (!base && answer.form) concrete = answer.form;
  panes.draw({ from, bytes: bytes.subarray(from - base, to - base), cells, size: source.size });
  if (focus) panes.focus();
  moved(panes.cursor);
}

function go(at) {
  panes.go(at, false);
  const cell = document.querySelector(`#bytes [data-at="${at}"]`);
  cell?.scrollIntoView({ block: "nearest" });
}

/* The whole. */

/** Say what the bytes are. */
function verdict(answer) {
  const heading = $("verdict");
  const good = answer.errors === 0;
  heading.className = good ? "good" : "bad";
  const what = answer.refused ?? `${good ? "Well-formed" : "Malformed"} ${state.form}: ${good ? "" : `${plural(answer.errors, "error")} in `}${plural(source.size, "byte")}`;
  show(heading, source.size || answer.refused ? what : "Nothing yet");
  const found = answer.detected;
  const looks = found && source.size ? `Looks like ${found.encoding}${found.confidence < 1 ? `, ${Math.round(100 * found.confidence)} % sure` : ""}${found.line_ending === "none" ? "" : `; lines end with ${found.line_ending}`}.` : "";
  show($("detected"), looks || "\u00a0");
  document.title = source.size ? `${what} · placemat` : "placemat: what are these bytes?";
}

async function everything() {
  const mine = ++turn;
  const fresh = () => mine === turn;
  const from = state.at - (state.at % WINDOW);
  concrete = state.form;
  if (!FORMS.find(({ name }) => name === concrete)?.midway) await page(0);
  panes.cursor = state.at;
  await page(from < source.size ? from : 0);
  if (!fresh()) return;
  drawRepair();
  if (source.bytes) await judge(source.bytes, fresh);
  else await judgeFile(source.file, fresh);
}

async function judge(bytes, fresh) {
  const ask = async (question) => (await engine.ask(question, { bytes })).answer;
  const findings = await ask({ ask: "findings", form: state.form });
  if (!fresh()) return;
  verdict(findings);
  drawErrors(findings, go);
  count("errors", (findings.errors ?? 0) + (findings.hidden?.length ?? 0));
  const chains = await ask({ ask: "chains" });
  if (!fresh()) return;
  const text = new TextDecoder().decode(bytes.subarray(0, 1000));
  drawChains(chains, { text, decode: decoding(findings), undo });
  count("chains", chains.length);
  drawReaders(await ask({ ask: "readers" }));
  const all = await ask({ ask: "table", form: state.form });
  if (!fresh()) return;
  table = drawTable(all, bytes) ?? null;
  table?.here(bytes[state.at]);
  drawForms(await ask({ ask: "verdicts", form: state.form }));
}

/** Bytes that are in a legacy encoding: offer to read them. */
function decoding({ detected, errors }) {
  if (!errors || !detected || ["unknown", "binary", "utf-8"].includes(detected.encoding)) return null;
  return el(
    "div",
    {},
    el("p", {}, `These bytes are not UTF-8. They look like `, el("strong", {}, detected.encoding), "."),
    el("div.actions", {}, el("button.main", { type: "button", onclick: () => decodeAs(detected.encoding) }, `Read them as ${detected.encoding}`)),
  );
}

async function decodeAs(encoding) {
  const { answer } = await engine.ask({ ask: "decode", encoding }, { bytes: source.bytes });
  if (answer.refused) show($("hint"), answer.refused);
  else setText(textOf(answer.hex));
}

async function undo(nth) {
  const { answer } = await engine.ask({ ask: "undo", nth }, { bytes: source.bytes });
  if (answer.refused) show($("hint"), answer.refused);
  else setText(textOf(answer.hex));
}

const bytesOf = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const textOf = (hex) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytesOf(hex));

/** A new text, which the button Back takes back. */
function setText(text) {
  Object.assign(state, { how: "text", form: "utf-8", input: text, at: 0 });
  source.file = null;
  remember(true);
  fromState();
}

/* Long jobs. */

/** Run a job beside the page, with its progress and a button to cancel it, in `place`. */
async function long(place, total, question, files) {
  job?.stop();
  const mine = (job = new Engine());
  const bar = el("progress", { max: total || 1, value: 0, "aria-label": "Progress" });
  const read = el("span", {}, size(0));
  const cancel = el("button", { type: "button", onclick: () => mine.stop() }, "Cancel");
  show(place, el("div.progress", {}, bar, read, cancel));
  const progress = (n) => {
    bar.value = n % (total || 1);
    show(read, `${size(n)} read`);
  };
  const { answer, outputs } = await mine.ask(question, { files, progress });
  mine.stop();
  if (job === mine) job = null;
  return { answer, outputs: outputs ?? [] };
}

async function judgeFile(file, fresh) {
  for (const [id, title] of [["chains", "What happened"], ["readers", "Who would say what"], ["forms", "In every form"]]) {
    show(byId(`panel-${id}`), head(title), el("p", {}, "For texts of up to 1 MiB. Paste the part that you wonder about."));
    count(id, 0);
  }
  const all = (await engine.ask({ ask: "table", form: state.form })).answer;
  if (!fresh()) return;
  table = drawTable(all, new Uint8Array(0)) ?? null;
  show($("verdict"), `Reading ${file.name} …`);
  $("verdict").className = "";
  const place = byId("panel-errors");
  const { answer } = await long(place, file.size, { ask: "check", form: state.form, file: 0 }, [file]);
  if (!fresh()) return;
  verdict(answer);
  drawErrors(answer, go);
  count("errors", answer.errors ?? 0);
}

function drawRepair() {
  const mojibake = el("input", { type: "checkbox", id: "mojibake" });
  const place = el("div", { "aria-live": "polite" });
  const name = source.file?.name ?? "text.txt";
  const run = async () => {
    const blob = source.file ?? new Blob([source.bytes]);
    const question = { ask: "repair", file: 0, name, mojibake: mojibake.checked };
    const { answer, outputs } = await long(place, 2 * blob.size, question, [blob]);
    if (answer.refused || answer.left) return show(place, el("p.ink-bad", {}, answer.refused ?? `Left as it is: ${answer.left}.`));
    const lost = answer.lost ? ` ${plural(answer.lost, "error")} became U+FFFD: what stood there is lost.` : "";
    show(
      place,
      el("p", {}, el("strong", {}, answer.changes ? `${plural(answer.changes, "change")}: ${answer.summary}.` : "Nothing to repair."), lost),
      el("div.actions", {}, download(outputs[0] ?? new Blob(), repairedName(name), "Download the repaired file"), download(outputs[1] ?? new Blob(), `${name}.report.json`, "Download the report")),
      el("p.hint", {}, "The report has every change with its original bytes; ", el("code", {}, "placemat repair --undo"), " puts them back."),
    );
  };
  show(
    panel("repair"),
    head("Repair"),
    el("p", {}, "What is malformed is diagnosed where it stands: bytes of another encoding are read in it, pairs of surrogates are joined, and the rest becomes U+FFFD. What is well-formed stays as it is."),
    el("div.actions", {}, el("button.main", { type: "button", onclick: run }, "Repair"), el("label", {}, mojibake, " undo mojibake too")),
    place,
  );
}

const repairedName = (name) => name.replace(/(\.[^.]*)?$/, (end) => `.repaired${end}`);

async function survey(files, title) {
  select("survey");
  const names = files.map((file) => file.webkitRelativePath || file.name);
  const total = files.reduce((sum, file) => sum + file.size, 0);
  const { answer, outputs } = await long(panel("survey"), total, { ask: "survey", names, title }, files);
  drawSurvey(answer, outputs[0] ?? new Blob(), title);
}

/* Input. */

const utf16 = (text) => {
  const units = new Uint8Array(2 * text.length);
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    units[2 * at] = unit & 0xff;
    units[2 * at + 1] = unit >> 8;
  }
  return units;
};

/** Read what is typed. */
async function typed() {
  const mine = ++turn;
  const { answer } = await engine.ask({ ask: "typed", how: state.how, form: state.how === "text" || state.how === "code-points" ? state.form : "utf-8" }, { bytes: utf16(state.input) });
  if (mine !== turn) return;
  const hint = $("hint");
  if (answer.refused) {
    hint.className = "hint ink-bad";
    show(hint, answer.refused);
    return;
  }
  hint.className = "hint";
  const label = WAYS.find(({ name }) => name === answer.guess)?.label;
  show(hint, ...(label ? [`Is that typed as “${label}”? `, el("button.link", { type: "button", onclick: () => typeAs(answer.guess) }, "Read it so")] : [""]));
  const bytes = bytesOf(answer.hex);
  source = { bytes, file: null, size: bytes.length };
  if (state.at >= bytes.length) state.at = 0;
  await everything();
}

function typeAs(how) {
  state.how = how;
  remember(true);
  fromState();
}

async function openFile(file) {
  state.at = 0;
  source = { bytes: null, file, size: file.size };
  if (file.size <= IN_MEMORY) {
    try {
      source.bytes = new Uint8Array(await file.arrayBuffer());
    } catch {
      return show($("hint"), "This file cannot be read.");
    }
  }
  $("input").hidden = true;
  $("file").hidden = false;
  show($("file"), el("strong", {}, shownText(file.name, 200)), el("br"), el("span.faint", {}, size(file.size)), el("br"), el("button.link", { type: "button", onclick: closeFile }, "Close it"));
  remember();
  await everything();
}

function closeFile() {
  job?.stop();
  fromState();
  $("input").focus();
}

/** One file is opened, several are surveyed. */
function take(files, title) {
  if (!files.length) return;
  if (files.length === 1 && !title) openFile(files[0]);
  else survey(files, title || plural(files.length, "file"));
}

/** Files below what was dropped. */
async function filesOf(entries) {
  const found = [];
  for (const entry of entries) {
    if (entry.isFile) {
      const file = await new Promise((done) => entry.file(done, () => done(null)));
      if (file) {
        Object.defineProperty(file, "webkitRelativePath", { value: entry.fullPath.replace(/^\//, "") });
        found.push(file);
      }
    } else if (entry.isDirectory) {
      const reader = entry.createReader();
      for (;;) {
        const some = await new Promise((done) => reader.readEntries(done, () => done([])));
        if (!some.length) break;
        found.push(...(await filesOf(some)));
      }
    }
  }
  return found;
}

/* The address. */

/** Keep the state in the address; what is too long for it is not kept. */
function remember(asNew = false) {
  const kept = new URLSearchParams();
  if (!source.file && state.input && state.input.length <= IN_ADDRESS) {
    // An address holds no surrogate by itself: such a text is kept as bytes.
    const isWhole = !/\p{Surrogate}/u.test(state.input);
    const hex = isWhole ? "" : [...(source.bytes ?? [])].map(hexOf).join("");
    kept.set("how", isWhole ? state.how : "hex");
    kept.set("in", isWhole ? state.input : hex);
  }
  if (state.form !== "utf-8") kept.set("form", state.form);
  if (state.at) kept.set("at", state.at);
  if (state.tab !== "errors") kept.set("tab", state.tab);
  const hash = `#${kept}`;
  if (hash === location.hash || (hash === "#" && !location.hash)) return;
  try {
    history[asNew ? "pushState" : "replaceState"](null, "", hash);
  } catch {
    location.replace(hash);
  }
}

function recall() {
  const kept = new URLSearchParams(location.hash.slice(1));
  const is = (name, known, other) => (known.includes(kept.get(name)) ? kept.get(name) : other);
  state.how = is("how", WAYS.map(({ name }) => name), "text");
  state.form = is("form", FORMS.map(({ name }) => name), "utf-8");
  state.tab = is("tab", TABS.map(([id]) => id), "errors");
  state.input = kept.get("in") ?? "";
  state.at = Math.max(0, Math.floor(Number(kept.get("at")) || 0));
}

/** Show the state. */
function fromState() {
  $("how").value = state.how;
  $("form").value = state.form;
  $("input").value = state.input;
  $("input").hidden = false;
  $("file").hidden = true;
  source.file = null;
  select(state.tab);
  return typed();
}

/* Tabs. */

const tabOf = (id) => byId(`tab-${id}`);

function select(id, focus = false) {
  state.tab = id;
  for (const [other] of TABS) {
    const isIt = other === id;
    tabOf(other).setAttribute("aria-selected", String(isIt));
    tabOf(other).tabIndex = isIt ? 0 : -1;
    panel(other).hidden = !isIt;
  }
  if (focus) tabOf(id).focus();
  // Only the row of tabs is moved: `scrollIntoView` would move a page that is higher than its window, too.
  const row = $("tabs");
  row.scrollLeft = tabOf(id).offsetLeft - row.offsetLeft - (row.clientWidth - tabOf(id).clientWidth) / 2;
  remember();
}

function count(id, n) {
  const label = TABS.find(([known]) => known === id)[1];
  show(tabOf(id), label, n && id === "errors" ? el("span.count", {}, number(n)) : null);
}

function makeTabs() {
  for (const [id, label] of TABS) {
    $("tabs").append(el("button", { type: "button", role: "tab", id: `tab-${id}`, "aria-controls": `panel-${id}`, onclick: () => select(id) }, label));
    $("panels").append(el("div", { role: "tabpanel", id: `panel-${id}`, "aria-labelledby": `tab-${id}`, tabindex: 0, hidden: true }, head(label)));
  }
  $("tabs").addEventListener("keydown", (event) => {
    const at = TABS.findIndex(([id]) => id === state.tab);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: TABS.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    select(TABS[(to + TABS.length) % TABS.length][0], true);
  });
}

/* The start. */

let WAYS = [];
let FORMS = [];

function listen() {
  let waiting = 0;
  $("input").addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      state.input = $("input").value;
      remember();
      typed().then(() => remember());
    }, 120);
  });
  $("how").addEventListener("change", () => typeAs($("how").value));
  $("form").addEventListener("change", () => {
    state.form = $("form").value;
    remember();
    if (source.file || state.how !== "text") everything();
    else typed();
  });
  $("examples").addEventListener("change", () => {
    const example = EXAMPLES[$("examples").value];
    if (!example) return;
    Object.assign(state, { how: example[1], input: example[2], form: "utf-8", at: 0 });
    $("examples").value = "";
    remember(true);
    fromState();
  });
  $("open-files").addEventListener("click", () => $("files").click());
  $("open-folder").addEventListener("click", () => $("folder").click());
  $("files").addEventListener("change", () => take([...$("files").files]));
  $("folder").addEventListener("change", () => {
    const files = [...$("folder").files];
    take(files, files[0]?.webkitRelativePath.split("/")[0]);
  });
  addEventListener("hashchange", () => (recall(), fromState()));
  addEventListener("popstate", () => (recall(), fromState()));
  addEventListener("dragover", (event) => {
    event.preventDefault();
    $("drop").hidden = false;
  });
  addEventListener("dragleave", (event) => event.relatedTarget ?? ($("drop").hidden = true));
  addEventListener("drop", async (event) => {
    event.preventDefault();
    $("drop").hidden = true;
    const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
    const folder = entries.find((entry) => entry.isDirectory);
    const files = entries.length ? await filesOf(entries) : [...event.dataTransfer.files];
    const text = event.dataTransfer.getData("text");
    if (files.length) take(files, folder?.name);
    else if (text) setText(text);
  });
}

async function start() {
  makeTabs();
  show(panel("survey"), head("Survey"), el("p", {}, "Drop a folder or several files, or choose them with the buttons: their encodings, byte order marks, line endings, scripts and errors as charts."));
  for (const [at, [label]] of EXAMPLES.entries()) $("examples").append(el("option", { value: at }, label));
  const { answer } = await engine.ask({ ask: "names" });
  WAYS = answer.ways;
  FORMS = answer.forms;
  show($("how"), ...WAYS.map(({ name, label }) => el("option", { value: name }, label)));
  show($("form"), ...FORMS.map(({ name }) => el("option", { value: name }, name)));
  show($("version"), answer.version);
  recall();
  if (!location.hash) Object.assign(state, { input: EXAMPLES[0][2], tab: "chains" });
  listen();
  await fromState();
  document.documentElement.dataset.ready = "true";
  // Offline from the next time on, where the page came over http.
  if (location.protocol.startsWith("http")) navigator.serviceWorker?.register("sw.js").catch(() => {});
}

start();
