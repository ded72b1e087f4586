// A language model: how it goes on with a text, and what it read before each symbol of it. The text
// stands once more as symbols that can be picked with the mouse, by touch or with arrow keys; what
// was read for the one that is picked glows there, in the field, and in a table by hop or zone.

import { Asking } from "./asking.js";
import { counted, element, percent, visible } from "./dom.js";
import { placeMarks } from "./glow.js";
import { heat } from "./heat.js";

const LENGTH = { character: 120, word: 30 }; // symbols that it goes on with
const CONTEXT = { character: 14, word: 3 }; // symbols that are shown before a place that was read
const MOST = 10; // lines of the table
const TAIL = 40; // characters of the text that stand before what follows them
const DEAR = 8; // bits from which on the line under a symbol is at its darkest
const LEAST = 0.01; // a weight below this does not glow
const QUIET = 500; // milliseconds after which a screen reader is told what was read
const PAUSE = 300; // milliseconds without a change after which the text is gone on with
const END = "<eos>"; // what a line's end is in a model of words

let going = null;

/** The body that asks what a text costs, symbol by symbol. */
export const read = (body) => ({ ...body, surprisal: true });

/** How the text goes on; asked for once the reading is there, for it takes longer. */
export function written(record, { thing }) {
  const more = element("b", { "aria-busy": "true" }, "…");
  going?.forget(); // of the text before
  going = new Asking(
    (came) => {
      more.textContent = joined(record, came.text);
      more.removeAttribute("aria-busy");
    },
    (problem) => more.replaceWith(element("span.problem", {}, problem)),
  );
  going.soon(thing.name, { text: record.text, length: LENGTH[record.unit] }, null, PAUSE);
  return [
    element("p.written", {}, element("span.faint", {}, ending(record.text)), more),
    record.unknown_words.length ? element("p.remark", {}, `It has never seen: ${record.unknown_words.map(visible).join(", ")}.`) : null,
  ];
}

/** What follows a text, as it is to stand behind it. */
function joined({ text, unit }, more) {
  if (unit === "character") return more;
  const lines = more.replaceAll(" \n ", "\n");
  return /\s$/.test(text) || lines.startsWith("\n") ? lines : ` ${lines}`;
}

/** The last words of a text. */
const ending = (text) => (text.length > TAIL ? `… ${text.slice(-TAIL).replace(/^\S*\s+/, "")}` : text);

/** What a screen reader is told of a text. */
export function spoken(record) {
  return `Read ${counted(record.symbols.length + 1, record.unit)}. ${foretold(record.next, record.unit)}`;
}

/** Draw the text symbol by symbol, and what was read for the one that is picked. */
export function reading(record, { field }) {
  return new Reading(record, field).node;
}

class Reading {
  constructor(record, field) {
    Object.assign(this, { record, field, unit: record.unit, alone: null });
    this.symbols = [record.first, ...record.symbols.map((one) => one.symbol)];
    this.options = [...this.symbols.map((symbol, place) => this.#option(symbol, place)), this.#ahead()];
    this.text = element("div.symbols", {
      role: "listbox",
      "aria-label": `Your text, ${this.unit} by ${this.unit}`,
      "aria-orientation": "horizontal",
      onkeydown: (event) => this.#move(event),
      onclick: (event) => this.#at(event, (place) => this.#pick(place)),
      onpointermove: (event) => this.#point(event),
      onpointerleave: () => this.#show(this.picked),
    }, this.#zones());
    this.told = element("div.told");
    this.voice = element("p.unseen", { role: "status" });
    const zones = record.slots ? " A number begins a zone of the memory." : "";
    this.node = element(
      "section.part",
      {},
      element("h3", {}, `What it read, ${this.unit} by ${this.unit}`),
      element("p.remark", {}, `Point at a ${this.unit}, or pick one with a click or the arrow keys: `, element("mark", {}, "what glows"), ` was read before it came. `, element("span.dear", { "--dear": "100%" }, "Underlined"), ` is what came as a surprise.${zones}`),
      this.text,
      this.told,
      this.voice,
    );
    this.#pick(this.symbols.length, false);
  }

  #option(symbol, place) {
    const coded = this.record.symbols[place - 1];
    const dear = coded ? Math.min(1, coded.bits / DEAR) : 0;
    const cost = coded ? `, chance ${percent(coded.probability)}` : "";
    const attributes = { role: "option", tabindex: "-1", "data-place": place, "aria-selected": "false", "aria-label": `${shown(symbol)}${cost}`, "--dear": `${(100 * dear).toFixed(0)}%` };
    return element("span.dear", attributes, /^\n$/.test(symbol) || symbol === END ? "⏎" : symbol);
  }

  /** What comes after the text, which can be picked as well. */
  #ahead() {
    return element("span.ahead", { role: "option", tabindex: "-1", "data-place": this.symbols.length, "aria-selected": "false", "aria-label": "what comes next" }, "next?");
  }

  /** The symbols, put together by the zones that they were written to, each line on its own. */
  #zones() {
    const { slots } = this.record;
    const width = slots ?? this.options.length;
    const groups = [];
    for (let begin = 0; begin < this.options.length; begin += width) {
      const number = begin / width + 1;
      const laid = this.options.slice(begin, begin + width).flatMap((one) => [one, this.#between(one)]);
      groups.push(slots ? element("span.zone", { role: "group", "aria-label": `zone ${number}`, "data-zone": number }, laid) : laid);
    }
    return groups;
  }

  #between(option) {
    if (option.textContent === "⏎") return element("br", { "aria-hidden": "true" });
    return this.unit === "word" ? " " : "";
  }

  #at(event, then) {
    const option = event.target.closest("[data-place]");
    if (option) then(Number(option.dataset.place));
  }

  /** Look at what the mouse points at; not at what comes to lie under one that rests. */
  #point(event) {
    const where = `${event.screenX} ${event.screenY}`;
    if (event.pointerType === "mouse" && where !== this.pointed) this.#at(event, (place) => this.#show(place));
    this.pointed = where;
  }

  #move(event) {
    const to = this.#neighbour(event.key);
    if (to === null) return;
    event.preventDefault();
    this.#pick(to);
  }

  #neighbour(key) {
    const last = this.options.length - 1;
    const steps = { ArrowLeft: this.picked - 1, ArrowRight: this.picked + 1, Home: 0, End: last };
    if (key in steps) return Math.min(last, Math.max(0, steps[key]));
    if (key !== "ArrowUp" && key !== "ArrowDown") return null;
    const here = this.options[this.picked].getBoundingClientRect();
    const down = key === "ArrowDown" ? 1 : -1;
    const far = (box) => (down * (box.top - here.top) <= here.height / 2 ? Infinity : 50 * Math.abs(box.top - here.top) + Math.abs(box.left - here.left));
    const distances = this.options.map((one) => far(one.getBoundingClientRect()));
    const nearest = Math.min(...distances);
    return nearest === Infinity ? this.picked : distances.indexOf(nearest);
  }

  /** Let one symbol be the picked one: it stays when the mouse has gone. */
  #pick(place, focused = true) {
    if (this.picked !== undefined) {
      this.options[this.picked].tabIndex = -1;
      this.options[this.picked].setAttribute("aria-selected", "false");
    }
    this.picked = place;
    this.options[place].tabIndex = 0;
    this.options[place].setAttribute("aria-selected", "true");
    if (focused) this.options[place].focus();
    this.#show(place);
    clearTimeout(this.saying);
    if (focused) this.saying = setTimeout(() => (this.voice.textContent = this.#said(place)), QUIET);
  }

  /** Show what was expected at a place, and read for it. */
  #show(place) {
    if (this.seen === place) return;
    this.seen = place;
    for (const [number, option] of this.options.entries()) option.classList.toggle("seen", number === place);
    const steps = this.#steps(place);
    this.told.replaceChildren(...this.#expected(place), ...this.#table(place, steps).filter(Boolean));
    this.told.style.minHeight = `${this.told.offsetHeight}px`; // nothing below, or around the mouse, jumps
    this.#glow(steps);
  }

  #now(place) {
    return place === this.symbols.length ? this.record.next : this.record.symbols[place - 1] ?? { likeliest: [], read: [] };
  }

  #expected(place) {
    const now = this.#now(place);
    const coming = place === this.symbols.length;
    const chips = now.likeliest.map(([symbol, share]) => element("li", { "--share": `${(100 * share).toFixed(1)}%` }, element("span", {}, shown(symbol)), element("small", {}, percent(share))));
    const name = element("b", {}, `“${shown(this.symbols[place] ?? "")}”`);
    if (place === 0) return [element("p.came", {}, name, ` is the first ${this.unit}: nothing came before it.`)];
    const came = coming ? "After your text it expects:" : [name, ` had a chance of `, element("b", {}, percent(now.probability)), ` (${now.bits.toFixed(1)} bits). It expected:`];
    return [element("p.came", {}, came), element("ol.next", {}, chips)];
  }

  /** The reads at a place, as steps of a heat map; all slots of all reads in each. */
  #steps(place) {
    const { read } = this.#now(place);
    return (read ?? []).map(({ name, places, weights }) => ({
      name,
      supports: places.map((slot, number) => ({ slot, text: this.#context(slot), weight: weights[number] })),
    }));
  }

  #context(place) {
    const before = this.symbols.slice(Math.max(0, place - CONTEXT[this.unit]), place).map((one) => (one === " " ? one : shown(one)));
    return [...before, shown(this.symbols[place])].join(this.unit === "word" ? " " : "");
  }

  #table(place, steps) {
    if (place === 0) return [];
    const { read } = this.#now(place);
    if (read === null) return [element("p.remark", {}, `Of a text as long as this one, what was read is told of the last 500 ${this.unit}s alone.`)];
    if (!steps.some((step) => step.supports.length)) return [element("p.remark", {}, "Nothing was read: the memory was empty still, or this model has none that could be looked into.")];
    return [element("h3", {}, "What was read for it"), ...this.#heat(steps)];
  }

  #heat(steps) {
    const own = steps.filter(isOwn);
    const kind = (own[0] ?? steps[0]).name.replace(/ \d+$/, "");
    const cached = own.length < steps.length ? " Beside the model, the neural cache finds places where its state was like this one; the chances do not count it." : "";
    const caption = `A line is a place of your text: in bold the ${this.unit} that was read, before it what stood there.${own.length ? ` Choose a ${kind}, and it alone glows.` : ""}${cached}`;
    const rank = ({ weights }) => Math.max(...weights.slice(0, own.length || steps.length));
    const told = (row) => {
      const symbol = shown(this.symbols[row.slot]);
      return [element("span.faint", {}, row.text.slice(0, row.text.length - symbol.length)), element("b", {}, symbol)];
    };
    const chose = (column) => this.#glow(steps, column);
    return heat(steps, { caption, noun: this.unit, told, chose, most: MOST, rank, shade: Math.sqrt });
  }

  /**
   * Light the places that were read: at one step, or, without one, by the model's own memory. Of many
   * places each is read but little, so that the light goes by the root.
   */
  #glow(steps, column = null) {
    const own = steps.filter(isOwn);
    const looked = column === null ? (own.length ? own : steps) : [steps[column]];
    const most = new Map();
    for (const { supports } of looked) for (const { slot, weight } of supports) most.set(slot, Math.max(weight, most.get(slot) ?? 0));
    const lit = new Map([...most].filter(([, weight]) => weight >= LEAST).map(([slot, weight]) => [slot, Math.sqrt(weight)]));
    for (const [place, option] of this.options.entries()) {
      option.classList.toggle("lit", lit.has(place));
      option.style.setProperty("--weight", `${(100 * Math.min(1, lit.get(place) ?? 0)).toFixed(1)}%`);
    }
    this.field.show(placeMarks(this.record.text, [...lit].map(([slot, weight]) => ({ slot, weight })), this.unit));
  }

  #said(place) {
    const steps = this.#steps(place).filter((step) => step.supports.length);
    const top = steps.map(({ name, supports }) => {
      const most = supports.reduce((one, other) => (other.weight > one.weight ? other : one));
      return `${name} read most of ${most.text}, ${percent(most.weight)}`;
    });
    return [foretold(this.#now(place), this.unit), ...top].filter(Boolean).join(". ");
  }
}

/** Whether a read is the model's own. */
const isOwn = (step) => step.name !== "neural cache";

const shown = (symbol) => (symbol === END ? "⏎" : visible(symbol));

function foretold({ likeliest }, unit) {
  return likeliest.length ? `Expected ${unit}: ${likeliest.map(([symbol, share]) => `${shown(symbol)} ${percent(share)}`).join(", ")}` : "";
}
