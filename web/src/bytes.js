// The two panes: the bytes by role, and their text; one cursor in both.

/** Bytes that are shown at once. */
const WINDOW = 512;

const columns = () => (matchMedia("(max-width: 43.99rem)").matches ? 8 : 16);

/** @param {{onmove: (at: number) => void, onpage: (from: number) => void}} told */
function makePanes({ onmove, onpage }) {
  const grid = byId("bytes");
  const reading = byId("reading");
  const pager = byId("pager");
  /** What is shown: where it begins, its bytes, and the items. */
  let shown = { from: 0, bytes: new Uint8Array(0), cells: { roles: [], items: [], offset: 0 }, size: 0 };
  let cursor = 0;
  /** @type {HTMLElement[]} */
  let marks = [];

  const cellAt = (at) => grid.querySelector(`[data-at="${at}"]`);
  const itemAt = (at) => shown.cells.items.find(({ offset, length }) => offset <= at && at < offset + length);

  /** Mark the sequence at the cursor in both panes. */
  function mark() {
    for (const element of marks) element.classList.remove("same");
    const old = grid.querySelector('[tabindex="0"]');
    old?.setAttribute("tabindex", "-1");
    old?.setAttribute("aria-selected", "false");
    const cell = cellAt(cursor) ?? cellAt(shown.from);
    cell?.setAttribute("tabindex", "0");
    cell?.setAttribute("aria-selected", "true");
    const item = itemAt(cursor);
    if (!item) return;
    marks = [...reading.querySelectorAll(`[data-item="${item.offset}"]`)];
    for (let at = item.offset; at < item.offset + item.length; at++) marks.push(cellAt(at));
    marks = marks.filter(Boolean);
    for (const element of marks) element.classList.add("same");
  }

  function move(at, focus) {
    if (at < 0 || at >= shown.size) return;
    cursor = at;
    if (at < shown.from || at >= shown.from + shown.bytes.length) {
      onpage(at - (at % WINDOW), focus);
      return;
    }
    mark();
    if (focus) cellAt(at)?.focus();
    onmove(at);
  }

  grid.addEventListener("keydown", (event) => {
    const pages = { PageUp: -WINDOW, PageDown: WINDOW }[event.key];
    const ctrl = event.ctrlKey || event.metaKey;
    const to = pages ? Math.max(0, Math.min(shown.size - 1, cursor + pages)) : step(event.key, cursor, shown.size, columns(), ctrl);
    if (to === null) return;
    event.preventDefault();
    move(to, true);
  });
  grid.addEventListener("click", ({ target }) => {
    const cell = target.closest("[data-at]");
    if (cell) move(Number(cell.dataset.at), true);
  });
  reading.addEventListener("click", ({ target }) => {
    const item = target.closest("[data-item]");
    if (item) move(Number(item.dataset.item), false);
  });

  function drawBytes() {
    const { from, bytes, cells } = shown;
    const wide = columns();
    const faults = new Set();
    for (const { offset, length, is } of cells.items) if (is === "fault") for (let at = 0; at < length; at++) faults.add(offset + at);
    const rows = [];
    for (let start = 0; start < bytes.length; start += wide) {
      const row = el("div.line", { role: "row" });
      row.append(el("span.place", { role: "rowheader" }, (from + start).toString(16).toUpperCase().padStart(4, "0")));
      for (let at = start; at < Math.min(start + wide, bytes.length); at++) {
        const role = faults.has(from + at) ? "never" : (cells.roles[from + at - cells.offset] ?? "plain");
        row.append(
          el(`span.b.${role}`, { role: "gridcell", tabindex: -1, "aria-selected": "false", "data-at": from + at, "aria-label": `${hexOf(bytes[at])}, ${words[role] ?? role}, byte ${from + at}` }, hexOf(bytes[at])),
        );
      }
      rows.push(row);
    }
    show(grid, ...(rows.length ? rows : [el("div.line.faint", { role: "row" }, el("span", { role: "gridcell", tabindex: 0 }, "no bytes"))]));
  }

  function drawReading() {
    const text = document.createDocumentFragment();
    for (const { offset, length, is, text: glyph, plain } of shown.cells.items) {
      const item = { "data-item": offset };
      const bytes = () => [...shown.bytes.subarray(Math.max(0, offset - shown.from), offset - shown.from + length)].map(hexOf).join(" ");
      if (is === "fault") text.append(el("span.fault", { ...item, title: glyph }, bytes()));
      else if (is === "shift") text.append(el("span.mark", item, "shift"));
      else if (plain) text.append(el("span", item, glyph));
      else text.append(el("span.mark", item, glyph), ...(glyph === "LF" ? ["\n"] : []));
    }
    show(reading, text.childNodes.length ? text : el("span.faint", {}, "no text"));
    reading.dir = "auto";
  }

  function drawPager() {
    const { from, bytes, size: all } = shown;
    if (all <= WINDOW) return show(pager, plural(all, "byte"));
    const go = (label, to) => el("button", { type: "button", disabled: to < 0 || to >= all || to === from, "aria-label": label, onclick: () => onpage(to) }, label === "Earlier bytes" ? "←" : "→");
    show(pager, go("Earlier bytes", from - WINDOW), `${number(from)} – ${number(from + bytes.length)} of ${size(all)}`, go("Later bytes", from + WINDOW));
  }

  return {
    /** Show a window. */
    draw(next) {
      shown = next;
      if (cursor < shown.from || cursor >= shown.from + Math.max(1, shown.bytes.length)) cursor = shown.from;
      drawBytes();
      drawReading();
      drawPager();
      mark();
    },
    go: move,
    /** Go back to a byte without telling. */
    set cursor(at) {
      cursor = at;
    },
    get cursor() {
      return cursor;
    },
    focus: () => cellAt(cursor)?.focus(),
  };
}

const words = {
  ascii: "ASCII",
  lead: "lead",
  limited: "lead that not every byte may follow",
  continuation: "continuation",
  never: "malformed",
  plain: "shift",
};
