// Explanations as `placemat-text` hands them out, blocks of inked text, as elements.

/** @param {{ink: string, text: string}[]} spans */
function line(spans) {
  // The names of characters would be half of the page: it has none but those of controls.
  const words = spans.map(({ ink, text }) => ({ ink, text: text.replace(/ ?<assigned-[0-9A-F]+>/g, "") }));
  return el("bdi", {}, ...words.map(({ ink, text }) => (ink === "plain" ? text : el(`span.ink-${ink}`, {}, text))));
}

const renderers = {
  title: (of) => el("p.title", {}, line(of)),
  section: (of) => el("h3", {}, of),
  heading: (of) => el("h4", {}, of),
  item: (of) => el("h3.item", {}, line(of)),
  text: (of) => el("p.note", {}, line(of)),
  numbered: (of) => el("ol", {}, ...of.map((one) => el("li", {}, line(one)))),
  facts: (of) => el("dl", {}, ...of.flatMap(([label, text]) => [el("dt", {}, label || " "), el("dd", {}, line(text))])),
  columns: ({ heads, headed, rows }) => {
    const side = (n) => (heads[n][2] ? ".right" : "");
    const head = el("tr", {}, ...heads.map(([name], n) => el(`th${side(n)}`, { scope: "col" }, name)));
    const body = rows.map((row) => el("tr", {}, ...row.map((cell, n) => el(`td${side(n)}`, {}, line(cell)))));
    const table = el("table.plain", {}, headed && el("thead", {}, head), el("tbody", {}, ...body));
    return el("div.scroll", { tabindex: 0, role: "group", "aria-label": "Table" }, table);
  },
};

/** @param {{is: string, of: any}[]} blocks */
function blocksOf(blocks, without = []) {
  return blocks.filter(({ is }) => renderers[is] && !without.includes(is)).map(({ is, of }) => renderers[is](of));
}
