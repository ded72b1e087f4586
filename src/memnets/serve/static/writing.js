// A language model: how it goes on with a text, and what it reads of the text at every place. A
// slider walks over the text; at each place the model is asked anew with what stands before it.

import { Asking } from "./asking.js";
import { element, percent, visible } from "./dom.js";
import { placeMarks } from "./glow.js";
import { heat } from "./heat.js";

const SHOWN = 8; // places that each reader read most

/** The body that asks for a continuation of a text. */
export const goOn = (body, length = 120) => ({ ...body, length });

export function written(record) {
  return [
    element("p.written", {}, element("span.faint", {}, record.question), element("b", {}, record.text)),
    record.unknown_words.length ? element("p.remark", {}, `It has never seen: ${record.unknown_words.map(visible).join(", ")}.`) : null,
  ];
}

/** Draw what was read for the next symbol, and a slider to read at earlier places. */
export function reading(record, { thing, field }) {
  const text = record.question;
  const places = placesOf(text, record.unit);
  const told = element("div");
  const where = element("output", { for: "place" });
  const slider = element("input", { type: "range", id: "place", min: 1, max: Math.max(1, places.length), value: places.length });
  const asking = new Asking(
    (earlier, end) => show(earlier, text.slice(0, end)),
    (problem) => told.replaceChildren(element("p.problem", {}, problem)),
  );
  const unit = record.unit ?? "symbol";
  const shown = (number) => {
    where.textContent = ` after ${unit} ${number} of ${places.length}: ${visible(text.slice(0, places[number - 1]).slice(-24))}`;
  };
  slider.addEventListener("input", () => {
    const end = places[slider.value - 1];
    shown(Number(slider.value));
    asking.soon(thing.name, goOn({ text: text.slice(0, end) }, 1), end);
  });
  function show(now, before) {
    const next = element("ol.next", {}, now.runners_up.map(([symbol, share]) => element("li", { "--share": percent(share).replace(/[<> ]/g, "") }, element("span", {}, visible(symbol)), element("small", {}, percent(share)))));
    const steps = now.steps.map((step) => ({ ...step, supports: most(step.supports) }));
    const caption = `A line a place of your text: what stood there, and the ${unit} that followed.`;
    const table = now.steps.length ? heat(steps, { caption, noun: "what stood there → what followed", least: 0 }) : element("p.remark", {}, "This model has no memory that could be looked into.");
    const title = element("h3", {}, `The next ${unit}`);
    told.replaceChildren(element("div", {}, title, next, element("h3", {}, "What it read for that"), table));
    field.show(now.steps.length ? placeMarks(before, now.steps[0].supports, now.unit) : []);
  }
  shown(places.length);
  show(record, text);
  return element("section.part", {}, element("p.walk", {}, element("label", { for: "place" }, "Read at"), slider, where), told);
}

function most(supports) {
  const kept = [...supports].sort((one, other) => other.weight - one.weight).slice(0, SHOWN);
  return kept.sort((one, other) => one.slot - other.slot);
}

/** Where each symbol of a text ends. */
function placesOf(text, unit) {
  if (unit === "character") return Array.from({ length: text.length }, (_, at) => at + 1);
  return Array.from(text.matchAll(/\S+\s*/g), (one) => one.index + one[0].length);
}
