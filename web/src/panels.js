// What stands under each tab.

const panel = (id) => byId(`panel-${id}`);
const head = (text) => el("h2", {}, text);
const refused = (answer) => (answer?.refused ? el("p.ink-bad", {}, answer.refused) : null);

/** Errors as the command prints them: the sentence, the place, the line above its carets. */
function drawErrors(answer, go) {
  const found = (answer.found ?? []).map((one) =>
    el(
      "article.finding",
      {},
      el("p", {}, el("strong", {}, one.sentence)),
      el(
        "p.hint",
        {},
        el("button.link", { type: "button", onclick: () => go(one.offset) }, `line ${number(one.line)}, column ${number(one.column)}`),
        `, byte ${number(one.offset)} (${one.kind})`,
      ),
      el(
        "pre",
        { tabindex: 0, role: "group", "aria-label": `line ${one.line}` },
        ...one.excerpt.map(([is, text]) => el(`span.${is}`, {}, text)),
        "\n",
        el("span.caret", {}, " ".repeat(one.caret[0]) + "^".repeat(one.caret[1] - one.caret[0])),
        one.expected ? ` ${one.expected}` : "",
      ),
    ),
  );
  const hidden = (answer.hidden ?? []).map((one) =>
    el(
      "article.finding",
      {},
      el("p", {}, el("strong", {}, one.sentence)),
      el("p.hint", {}, el("button.link", { type: "button", onclick: () => go(one.offset) }, `line ${number(one.line)}, column ${number(one.column)}`)),
    ),
  );
  const more = answer.errors > found.length ? el("p.hint", {}, `${number(answer.errors)} malformed sequences in all.`) : null;
  show(
    panel("errors"),
    head("Errors"),
    refused(answer),
    answer.seeming ? el("p.title", {}, answer.seeming) : null,
    ...found,
    more,
    ...(hidden.length ? [el("h3", {}, "Characters that are not shown"), ...hidden] : []),
    found.length || hidden.length || answer.refused ? null : el("p", {}, "None: every byte is where it belongs."),
  );
}

function drawBits(answer) {
  const tables = answer.tables ? [el("h3", {}, "In the tables of three documents"), ...blocksOf(answer.tables)] : [];
  show(panel("bits"), head("Bit by bit"), refused(answer), ...(answer.told ? blocksOf(answer.told, ["title"]) : []), ...tables);
}

/** Chains: how it came about, each step shown. */
function drawChains(chains, { text, decode, undo }) {
  const mistake = (step, at) =>
    el(
      `li${at === 0 ? ".first" : ""}`,
      {},
      el("q", {}, shownText(step.text, 160)),
      el("div.how", {}, "written in ", el("strong", {}, step.written), step.bytes ? el("code", {}, step.bytes + (step.cut ? " …" : "")) : null),
      el("div.how", {}, "read as ", el("strong", {}, step.read)),
    );
  const one = ({ steps, likely, in_runs, fixes }, n) => {
    const names = steps.map(({ written, read }) => `${written} read as ${read}`);
    const now = steps.length === 1 ? "what is here now" : `what is here now, after ${steps.length} mistakes`;
    const lines = fixes.flatMap(({ language, code }) => [el("h4", {}, language), copied(code)]);
    return el(
      "article.chain",
      {},
      el("h3", {}, names.join(", then ")),
      el("p.hint", {}, `${likely} likely`, in_runs ? "; only parts of the text" : ""),
      el("ol", {}, ...steps.map(mistake), el("li.last", {}, el("q", {}, shownText(text, 160)), el("div.how", {}, now))),
      el("div.actions", {}, el(`button${n === 0 ? ".main" : ""}`, { type: "button", onclick: () => undo(n) }, "Undo it")),
      lines.length ? el("details", { open: n === 0 }, el("summary", {}, "One line that undoes it"), ...lines) : null,
    );
  };
  const nothing = decode ?? el("p", {}, "Nothing that could be told: the text is plausible as it stands.");
  show(panel("chains"), head("What happened"), ...(chains.length ? chains.map(one) : [nothing]));
}

/** Code, and a button that copies it. */
function copied(code) {
  const button = el("button.link", { type: "button", onclick: () => navigator.clipboard?.writeText(code).then(() => (button.textContent = "copied")) }, "copy");
  return el("pre.wrap", { tabindex: 0, role: "group", "aria-label": "code" }, code, "  ", button);
}

function drawReaders(answer) {
  const row = ({ who, how, text, says }) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, who, el("small", {}, how)),
      el("td", {}, says ? el("span.says", {}, says) : shownText(text ?? "", 200)),
    );
  const table = (caption, rows) => el("table.readers", {}, el("caption", {}, caption), el("tbody", {}, ...rows.map(row)));
  show(
    panel("readers"),
    head("Who would say what"),
    refused(answer),
    answer.cut ? el("p.hint", {}, "The first 4096 bytes.") : null,
    answer.programs && table("Programs", answer.programs),
    answer.policies && table("Policies of placemat", answer.policies),
  );
}

/** The 16 × 16 table; bytes that occur are underlined, the one at the cursor is framed. */
function drawTable(answer, bytes) {
  if (answer.refused) return show(panel("table"), head("All 256 bytes"), el("p", {}, answer.refused));
  const grid = answer.find(({ is }) => is === "grid").of;
  const said = el("p.said", { role: "status" });
  const counts = new Uint32Array(256);
  for (const byte of bytes) counts[byte]++;
  const tell = (byte) => {
    const n = counts[byte];
    show(said, `${grid.cells[byte].title}. `, el("span.faint", {}, n ? `${plural(n, "time")} here.` : "Not here."));
  };
  const cell = ({ ink, upper, lower }, byte) =>
    el(
      `td.${ink}${counts[byte] ? ".seen" : ""}`,
      { "data-byte": byte, tabindex: byte ? -1 : 0, role: "gridcell", title: hexOf(byte) },
      `${upper || "\u00a0"} `,
      el("small", {}, lower),
    );
  const rows = Array.from({ length: 16 }, (_, high) =>
    el("tr", { role: "row" }, el("th", { role: "rowheader", scope: "row" }, `${high.toString(16).toUpperCase()}_`, el("small", {}, grid.lengths[high])), ...grid.cells.slice(16 * high, 16 * high + 16).map((one, low) => cell(one, 16 * high + low))),
  );
  const heads = el("tr", { role: "row" }, el("td", { role: "presentation" }), ...Array.from({ length: 16 }, (_, low) => el("th", { role: "columnheader", scope: "col" }, `_${low.toString(16).toUpperCase()}`)));
  const table = el("table.grid", { role: "grid", "aria-label": "All 256 bytes" }, el("thead", { role: "rowgroup" }, heads), el("tbody", { role: "rowgroup" }, ...rows));
  const cellOf = (byte) => table.querySelector(`[data-byte="${byte}"]`);
  const reach = (target) => target.closest("[data-byte]") && tell(Number(target.closest("[data-byte]").dataset.byte));
  table.addEventListener("pointerover", ({ target }) => reach(target));
  table.addEventListener("focusin", ({ target }) => reach(target));
  table.addEventListener("keydown", (event) => {
    const at = Number(event.target.dataset.byte);
    const to = step(event.key, at, 256, 16, event.ctrlKey);
    if (to === null || to < 0 || to > 255) return;
    event.preventDefault();
    event.target.tabIndex = -1;
    cellOf(to).tabIndex = 0;
    cellOf(to).focus();
  });
  const rest = blocksOf(answer.filter(({ is }) => is === "section" || is === "columns"));
  show(panel("table"), head("All 256 bytes"), ...blocksOf(answer.filter(({ is }) => is === "text")), said, el("div.scroll", {}, table), ...rest);
  return {
    /** Frame the byte at the cursor. */
    here(byte) {
      table.querySelector(".here")?.classList.remove("here");
      if (byte === undefined) return show(said, "Point at a byte, or move with the arrow keys.");
      cellOf(byte).classList.add("here");
      tell(byte);
    },
  };
}

function drawForms(answer) {
  show(panel("forms"), head("In every form"), refused(answer), ...(answer.told ? blocksOf(answer.told, ["title"]) : []));
}

/** A link to what is in memory. */
function download(blob, name, label) {
  const href = URL.createObjectURL(blob);
  return el("a", { href, download: name }, label);
}

const TONES = { good: ".good", old: ".old", bad: ".bad" };

function drawSurvey(answer, page, title) {
  if (answer.refused) return show(panel("survey"), head("Survey"), el("p.ink-bad", {}, answer.refused));
  const { headlines, charts } = answer.charts;
  const chart = ({ title, note, measures, main, whole, rows }) => {
    const row = ({ label, tone, values }) => {
      const share = values[main] / Math.max(1, whole[main]);
      const bar = el(`div.bar${TONES[tone] ?? ""}`);
      bar.style.width = `${100 * share}%`;
      return el("tr", {}, el("th", { scope: "row" }, el("bdi", {}, label)), el("td.track", {}, bar), el("td.right-text", {}, number(values[main])), el("td.right-text.faint", {}, share > 0 && share < 0.01 ? "<1 %" : `${Math.round(100 * share)} %`));
    };
    return [el("h3", {}, title, " ", el("small.faint", {}, `${note}, ${measures[main]}`)), el("table.bars", {}, el("tbody", {}, ...rows.map(row)))];
  };
  const worst = (answer.worst ?? []).map((one) => el("li", {}, el("bdi", {}, shownText(one.path ?? "", 120)), `: ${plural(one.errors, "error")}, ${one.encoding}`));
  show(
    panel("survey"),
    head("Survey"),
    el("p.title", {}, shownText(title, 120)),
    ...headlines.map((text) => el("p", {}, `${text}.`)),
    el("div.actions", {}, download(page, "survey.html", "Download as a page"), download(new Blob([JSON.stringify(answer.json, null, 1)]), "survey.json", "Download as JSON")),
    ...charts.flatMap(chart),
    ...(worst.length ? [el("h3", {}, "Files with the most errors"), el("ol", {}, ...worst)] : []),
  );
}
