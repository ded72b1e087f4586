// What was read, as a table: slots down and steps across where the steps are few; steps down and
// slots across, as narrow cells, where every word that was said is a step; a picture of both where
// there are too many for a table.

import { counted, element, toggles, visible, weight } from "./dom.js";

export const FEW = 8; // steps that stand beside each other
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

const strongest = (row) => Math.max(...row.weights.map(Math.abs));

/** The slots that are shown at once; the others play no part. */
function worthShowing(all) {
  if (all.length <= SHORT) return new Set(all);
  const rank = (row) => (row.gold ? 10 : 0) + strongest(row);
  const ranked = [...all].sort((one, other) => rank(other) - rank(one));
  return new Set(ranked.filter((row, place) => place === 0 || rank(row) > LEAST).slice(0, MOST));
}

/**
 * Draw what was read. Options: `caption`; `noun`, what a slot is; `told(row)`, how it is written;
 * `gold`, texts that are evidence; `rank(row)`, by which the first stand at the top, `most` of them
 * unfolded; `shade`, from a weight to how bright it is; `aligned`, whether steps go down and slots
 * across; `chose(column)`, told which step is looked at, null for all.
 */
export function heat(steps, options) {
  const all = rows(steps);
  if (!all.length) return [element("p.remark", {}, "Nothing was there to be read.")];
  if (options.rank || (steps.length <= FEW && !options.aligned)) return narrow(steps, all, options);
  return steps.length * all.length <= CELLS ? wide(steps, all, options) : plotted(steps, all);
}

function narrow(steps, found, { caption, noun = "slot", told = (row) => visible(row.text), gold, chose, rank, most, shade }) {
  const all = rank ? [...found].sort((one, other) => rank(other) - rank(one)) : found;
  const shown = rank ? new Set(all.filter((row, place) => place === 0 || rank(row) > LEAST).slice(0, most)) : worthShowing(all);
  const buttons = choosers(steps, chose);
  const isGold = (row) => row.gold || gold?.has(row.text);
  const line = (row) => {
    const name = element("th", { scope: "row" }, isGold(row) ? star() : null, told(row));
    return element("tr", { hidden: !shown.has(row) && !isGold(row) }, name, row.weights.map((one) => cell(one, null, shade)));
  };
  const body = element("tbody", {}, all.map(line));
  const columns = steps.map((step, column) => element("th", { scope: "col" }, buttons[column] ?? visible(step.name)));
  const head = element("tr", {}, element("th", { scope: "col" }, noun), columns);
  return [
    element("p.remark", {}, caption),
    scrolling(element("table.heat", { "aria-label": caption }, element("thead", {}, head), body), caption),
    all.some(isGold) ? element("p.remark", {}, "★ what the data name as evidence") : null,
    unfolding(body, noun, rank ? "read less" : "hardly read"),
  ];
}

/** A button that shows the lines that are folded away; null where there are none. */
function unfolding(body, noun, how) {
  const folded = [...body.querySelectorAll("tr[hidden]")];
  if (!folded.length) return null;
  const unfold = () => {
    for (const line of folded) line.hidden = false;
    button.remove();
  };
  const text = `Show ${counted(folded.length, noun)} that ${folded.length === 1 ? "was" : "were"} ${how}`;
  const button = element("button", { type: "button", onclick: unfold }, text);
  return button;
}

function wide(steps, all, { caption, chose, corner = "step" }) {
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
  const table = element("table.heat.wide", { "aria-label": caption }, element("thead", {}, head), element("tbody", {}, body));
  return [element("p.remark", {}, caption), scrolling(table, caption)];
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
  const table = element("table.heat", { "aria-label": "What each step read most" }, element("thead", {}, head), element("tbody", {}, most));
  return [
    element("p.remark", {}, `Each column is a step (${counted(steps.length, "step")}), each line a slot (${counted(all.length, "slot")}).`),
    canvas,
    element("details", {}, element("summary", {}, "What each step read most, in words"), scrolling(table, "What each step read most")),
  ];
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

function cell(one, about = null, shade = (share) => share) {
  const share = Math.min(1, Math.abs(one));
  const attributes = { "--weight": `${(100 * shade(share)).toFixed(1)}%`, title: `${about ? `${about}: ` : ""}${one.toFixed(4)}` };
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
