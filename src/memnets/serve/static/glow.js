// A text field in which what was read glows. Behind a transparent textarea stands the same text,
// invisible, with a background where it was read; both share one grid cell, so that the field is
// always as high as its text.

import { element } from "./dom.js";

const LEAST = 0.02; // a weight below this does not glow

export class Glowing {
  #marks = [];
  #text = "";

  constructor(attributes, changed) {
    this.behind = element("div.behind", { "aria-hidden": "true" });
    this.area = element("textarea", {
      ...attributes,
      spellcheck: "false",
      oninput: () => {
        this.#follow();
        changed();
      },
    });
    this.node = element("div.glowing", {}, this.behind, this.area);
  }

  get value() {
    return this.area.value;
  }

  set value(text) {
    this.area.value = text;
    this.#marks = [];
    this.#text = this.area.value;
    this.#draw();
  }

  /** Let stretches of the text glow: { begin, end, weight, gold } each, in order. */
  show(marks) {
    this.#marks = marks.map((mark) => ({ ...mark, weight: Math.min(1, Math.abs(mark.weight)) }));
    this.#draw();
  }

  /** Move what glows along with an edit, until the reply to it comes. */
  #follow() {
    const [before, after] = [this.#text, this.area.value];
    let same = 0;
    while (same < Math.min(before.length, after.length) && before[same] === after[same]) same++;
    const grown = after.length - before.length;
    const moved = (place) => (place <= same ? place : Math.max(same, place + grown));
    this.#marks = this.#marks
      .map((mark) => ({ ...mark, begin: moved(mark.begin), end: moved(mark.end) }))
      .filter((mark) => mark.begin < mark.end);
    this.#text = after;
    this.#draw();
  }

  #draw() {
    const parts = [];
    let end = 0;
    for (const mark of this.#marks) {
      if (mark.begin < end || mark.end > this.#text.length) continue;
      parts.push(this.#text.slice(end, mark.begin));
      const shown = this.#text.slice(mark.begin, mark.end);
      const kind = `span${mark.gold ? ".gold" : ""}${mark.weight >= LEAST ? ".lit" : ""}`;
      parts.push(element(kind, { "--weight": `${(100 * mark.weight).toFixed(1)}%` }, shown));
      end = mark.end;
    }
    // The last line counts for the height even when it is empty.
    this.behind.replaceChildren(...parts, this.#text.slice(end), "\u200b");
  }
}

/** Return where the lines of a text stand that hold something: [{ begin, end, text }]. */
export function lines(text) {
  const found = [];
  let begin = 0;
  for (const line of text.split("\n")) {
    if (line.trim()) {
      const at = begin + line.search(/\S/);
      found.push({ begin: at, end: at + line.trim().length, text: line.trim() });
    }
    begin += line.length + 1;
  }
  return found;
}

/** Return marks of slots that are lines of a text. Slots that are not found there are left out. */
export function lineMarks(text, weights, gold = new Set()) {
  const told = lines(text);
  const free = new Set(told.keys());
  const marks = [];
  const claim = (number, slot) => {
    free.delete(number);
    marks.push({ ...told[number], weight: slot.weight, gold: gold.has(number) });
  };
  const left = weights.filter((slot) => {
    const here = told[slot.slot]?.text === slot.text && free.has(slot.slot);
    if (here) claim(slot.slot, slot);
    return !here;
  });
  for (const slot of left.reverse()) { // a memory that holds the latest alone: from the end
    const number = [...free].findLast((one) => told[one].text === slot.text);
    if (number !== undefined) claim(number, slot);
  }
  for (const number of free) {
    if (gold.has(number)) marks.push({ ...told[number], weight: 0, gold: true });
  }
  return marks.sort((one, other) => one.begin - other.begin);
}

/** Return marks of slots that are the words of a text, in its order. */
export function wordMarks(text, weights) {
  const marks = [];
  const lower = text.toLowerCase();
  let from = 0;
  for (const slot of [...weights].sort((one, other) => one.slot - other.slot)) {
    for (const word of [slot.text, slot.text.replace(/\/[^/]*$/, "")]) {
      const begin = word ? lower.indexOf(word.toLowerCase(), from) : -1;
      if (begin < 0) continue;
      from = begin + word.length;
      marks.push({ begin, end: from, weight: slot.weight });
      break;
    }
  }
  return marks;
}

/** Return marks of places of a text that a language model read: a line's end is a word of its own. */
export function placeMarks(text, weights, unit) {
  const places = Array.from(text.matchAll(unit === "character" ? /./gsu : /\n|[^\s]+/g), (one) => ({ begin: one.index, end: one.index + one[0].length }));
  return weights
    .map((one) => ({ ...places[one.slot], weight: one.weight }))
    .filter((mark) => mark.end !== undefined)
    .sort((one, other) => one.begin - other.begin);
}
