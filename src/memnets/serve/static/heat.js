// What was read, as a table: slots down and steps across where the steps are few; steps down and
// slots across, as narrow cells, where every word that was said is a step; a picture of both where
// there are too many for a table.

import { counted, element, toggles, visible, weight } from "./dom.js";

const FEW = 8; // steps that stand beside each other
const SHORT = 20; // a memory of so many slots is shown whole
const LEAST = 0.005; // of a longer one, a slot that no step read by more is left out
const MOST = 50;
const CELLS = 1600;

/** The slots of some steps: [{ slot, text, gold, weights }], in the order of the memory. */
export function rows(steps) {
  const found = new Map();
  for (const [column, step] of steps.entries()) {
    for (const { slot, text, weight, gold } of step.supports) {
      const row = found.get(slot) ?? { slot, text, gold: false, weights: steps.map(() => 0) };
      row.weights[column] = weight;
      row.gold ||= Boolean(gold);
      found.set(slot, row);
    }
  }
  return [...found.values()].sort((one, other) => one.slot - other.slot);
}

/** How much each slot was read at one step, or at most where none is chosen. */
export function weightsAt(steps, column) {
  const at = (row) => (column === null ? Math.max(...row.weights.map(Math.abs)) : row.weights[column]);
  return rows(steps).map((row) => ({ slot: row.slot, text: row.text, weight: at(row) }));
}

function worthShowing(all) {
  if (all.length <= SHORT) return all;
  const rank = (row) => (row.gold ? 10 : 0) + Math.max(...row.weights.map(Math.abs));
  const kept = all.filter((row) => rank(row) > LEAST).sort((one, other) => rank(other) - rank(one));
  return kept.slice(0, MOST).sort((one, other) => one.slot - other.slot);
}

/** Draw what was read; `chose(column)` is told which step is looked at, null for all. */
export function heat(steps, options = {}) {
  const all = rows(steps);
  if (!all.length) return element("p.faint", {}, "Nothing was there to be read.");
  if (steps.length <= FEW) return narrow(steps, all, options);
  return steps.length * all.length <= CELLS ? wide(steps, all, options) : plotted(steps, all);
}

function narrow(steps, all, { caption, heading = "read", told = (row) => visible(row.text), gold, chose }) {
  const shown = worthShowing(all);
  const buttons = choosers(steps, chose);
  const isGold = (row) => row.gold || gold?.has(row.text);
  const body = shown.map((row) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, isGold(row) ? star() : null, told(row)),
      row.weights.map((one) => cell(one)),
    ),
  );
  const columns = steps.map((step, column) => element("th", { scope: "col" }, buttons[column] ?? visible(step.name)));
  const head = element("tr", {}, element("th", { scope: "col" }, heading), columns);
  const table = element("table.heat", {}, element("caption", {}, caption), element("thead", {}, head), element("tbody", {}, body));
  return element("div", {}, scrolling(table, caption), remarks(all.length - shown.length, shown.some(isGold)));
}

function wide(steps, all, { caption, chose, corner = "said" }) {
  const buttons = choosers(steps, chose);
  const body = steps.map((step, column) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, buttons[column] ?? visible(step.name)),
      all.map((row) => cell(row.weights[column], `${step.name}, ${row.text}`)),
    ),
  );
  const source = all.map((row) => element("th", { scope: "col" }, element("span", {}, visible(row.text))));
  const head = element("tr", {}, element("td", {}, corner), source);
  const table = element("table.heat.wide", {}, element("caption", {}, caption), element("thead", {}, head), element("tbody", {}, body));
  return scrolling(table, caption);
}

function plotted(steps, all) {
  const canvas = element("canvas.plot", { role: "img", "aria-label": `${counted(steps.length, "step")} across, ${counted(all.length, "slot")} down: the brighter, the more was read. A table below names what each step read most.` });
  canvas.width = steps.length;
  canvas.height = all.length;
  paint(canvas, all);
  const most = steps.map((step) => {
    const top = step.supports.reduce((one, other) => (Math.abs(other.weight) > Math.abs(one.weight) ? other : one));
    return element("tr", {}, element("th", { scope: "row" }, visible(step.name)), element("td.word", {}, visible(top.text)), cell(top.weight));
  });
  const head = element("tr", {}, ["step", "read most", "weight"].map((name) => element("th", { scope: "col" }, name)));
  const table = element("table.heat", {}, element("caption.unseen", {}, "What each step read most"), element("thead", {}, head), element("tbody", {}, most));
  return element(
    "div",
    {},
    element("p.remark", {}, `Each column is a step (${counted(steps.length, "step")}), each line a slot (${counted(all.length, "slot")}).`),
    canvas,
    element("details", {}, element("summary", {}, "What each step read most, in words"), scrolling(table, "What each step read most")),
  );
}

function paint(canvas, all) {
  const pen = canvas.getContext("2d");
  for (const [y, row] of all.entries()) {
    for (const [x, one] of row.weights.entries()) {
      const share = Math.min(1, Math.abs(one));
      if (share < LEAST) continue;
      pen.fillStyle = `rgba(214, 140, 0, ${share})`;
      pen.fillRect(x, y, 1, 1);
    }
  }
}

function cell(one, about = null) {
  const share = Math.min(1, Math.abs(one));
  const attributes = { "--weight": `${(100 * share).toFixed(1)}%`, title: `${about ? `${about}: ` : ""}${one.toFixed(4)}` };
  return element(share < 0.005 ? "td.none" : "td", attributes, element("span", {}, weight(one)));
}

/** A button for each step; pressed, it shows that step alone, and pressed again all of them. */
function choosers(steps, chose) {
  if (!chose) return [];
  let chosen = null;
  const choose = (column) => {
    chosen = chosen === column ? null : column;
    toggles(buttons, chosen);
    chose(chosen);
  };
  const buttons = steps.map((step, column) =>
    element("button", { type: "button", onclick: () => choose(column) }, visible(step.name)),
  );
  toggles(buttons, null);
  return buttons;
}

/** A table that scrolls by itself where it is too wide, also with the keyboard. */
export function scrolling(table, label) {
  return element("div.scrolling", { tabindex: "0", role: "region", "aria-label": label }, table);
}

function star() {
  return element("span.star", { role: "img", "aria-label": "evidence:" }, "★ ");
}

function remarks(leftOut, gold) {
  const said = [];
  if (gold) said.push("★ what the data name as evidence");
  if (leftOut) said.push(`${counted(leftOut, "slot")} that ${leftOut === 1 ? "was" : "were"} hardly read ${leftOut === 1 ? "is" : "are"} left out`);
  return said.length ? element("p.remark", {}, said.join("; ")) : null;
}

