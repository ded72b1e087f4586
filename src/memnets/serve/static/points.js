// Points: typed a line each, or set, dragged and removed on a pad, where the answer is drawn too.

import { drawn, element } from "./dom.js";

const SIZE = 320;
const EDGE = 24;
const FAINT = 0.05; // what was weighed less beside a choice is not drawn
const MOVED = 0.02; // by an arrow key, of the whole width

export class PointsField {
  constructor(part, changed) {
    this.part = part;
    this.changed = changed;
    this.record = null;
    this.pad = drawn("svg.points", { viewBox: `0 0 ${SIZE} ${SIZE}`, role: "group", "aria-label": "The points, and the answer drawn between them" });
    this.pad.addEventListener("pointerdown", (event) => this.#pressed(event));
    this.area = element("textarea", { id: `field-${part}`, rows: 6, spellcheck: "false", "aria-describedby": `how-${part}`, oninput: () => this.#edited() });
    this.node = element(
      "div.field",
      {},
      element("label", { for: this.area.id }, "Points"),
      element("span.how", { id: `how-${part}` }, "one a line, a comma between its numbers"),
      this.pad,
      element("p.remark.padded", {}, "Click to set a point, drag to move it; with the keyboard, arrow keys move and Delete removes."),
      this.area,
    );
  }

  get typed() {
    return this.area.value;
  }

  get given() {
    return this.area.value.trim() ? this.area.value : null;
  }

  fill(value) {
    const points = Array.isArray(value) ? value.map((one) => [one].flat().map(short).join(",")).join("\n") : value ?? "";
    this.area.value = points;
    this.record = null;
    this.#draw();
  }

  /** Draw an answer between the points. */
  answer(record) {
    this.record = record;
    this.#draw();
  }

  get points() {
    const lines = this.area.value.split("\n").filter((line) => line.trim());
    return lines.map((line) => line.split(/[\s,;]+/).filter(Boolean).map(Number)).filter((one) => one.length && one.every(Number.isFinite));
  }

  #edited() {
    this.record = null;
    this.#draw();
    this.changed();
  }

  #write(points, focused = null) {
    this.area.value = points.map((one) => one.map(short).join(",")).join("\n");
    this.#edited();
    if (focused !== null) this.pad.querySelectorAll("circle")[focused]?.focus();
  }

  #draw() {
    const points = this.points;
    const flat = points.length > 0 && points.every((one) => one.length === 1);
    this.pad.toggleAttribute("data-flat", flat);
    const places = flat ? ranked(points, this.record) : points.filter((one) => one.length === 2);
    this.frame = framed(places, flat);
    const at = places.map((one) => this.frame.out(one));
    this.pad.replaceChildren(
      ...(this.record ? answerLines(this.record, at) : []),
      ...at.map(([x, y], number) => drawn("text", { x: x + 7, y: y - 7 }, String(number + 1))),
      ...at.map(([x, y], number) => this.#dot(x, y, number, points[number], flat)),
    );
  }

  #dot(x, y, number, point, flat) {
    const label = `point ${number + 1} at ${point.join(", ")}`;
    if (flat) return drawn("circle", { cx: x, cy: y, r: 4, role: "img", "aria-label": label });
    return drawn("circle", { cx: x, cy: y, r: 5, tabindex: 0, role: "button", "aria-label": label, onkeydown: (event) => this.#typed(event, number) });
  }

  #typed(event, number) {
    const points = this.points;
    const step = MOVED * this.frame.whole;
    const by = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] }[event.key];
    if (by) points[number] = points[number].map((one, axis) => one + by[axis]);
    else if (event.key === "Delete" || event.key === "Backspace") points.splice(number, 1);
    else return;
    event.preventDefault();
    this.#write(points, Math.min(number, points.length - 1));
  }

  #pressed(event) {
    if (this.pad.hasAttribute("data-flat")) return;
    event.preventDefault();
    const points = this.points;
    const dots = [...this.pad.querySelectorAll("circle")];
    let number = dots.indexOf(event.target);
    if (number < 0) {
      number = points.length;
      points.push(this.#place(event));
      this.#write(points);
    }
    this.pad.querySelectorAll("circle")[number].focus();
    const frame = this.frame; // kept while a point is dragged, else the others would run away
    const drag = (moved) => {
      const now = this.points;
      now[number] = this.#place(moved, frame);
      this.#write(now, number);
    };
    const drop = () => window.removeEventListener("pointermove", drag);
    window.addEventListener("pointermove", drag);
    window.addEventListener("pointerup", drop, { once: true });
    window.addEventListener("pointercancel", drop, { once: true });
  }

  #place(event, frame = this.frame) {
    const box = this.pad.getBoundingClientRect();
    const clamped = (one) => Math.min(SIZE - EDGE / 2, Math.max(EDGE / 2, one));
    return frame.back([
      clamped(((event.clientX - box.left) / box.width) * SIZE),
      clamped(((event.clientY - box.top) / box.height) * SIZE),
    ]);
  }
}

/** A coordinate as it is typed. */
const short = (number) => Number(Number(number).toFixed(4));

const SAID = {
  tour: "The order of a round tour that visits every point once.",
  polygon: "The corners of the hull about all points, in order.",
  triangles: "Three numbers for each triangle.",
  order: "From the least to the greatest.",
};

/** What the numbers of an answer are, and how it is drawn. */
export function legend(record) {
  return `${SAID[record.shape] ?? ""} Drawn on the pad: full lines are the answer, dashed ones what was weighed beside it.`;
}

/** Numbers as high as the place they were given, or in a row before there is an answer. */
function ranked(points, record) {
  const rank = new Map((record?.chosen ?? []).map((number, place) => [number, place + 1]));
  return points.map(([one], number) => [one, rank.get(number + 1) ?? 0]);
}

/** Return how places of the plane and of the pad go together; up is up. */
function framed(points, flat) {
  const within = !flat && points.every((point) => point.every((one) => one >= 0 && one <= 1));
  const axis = (number) => points.map((point) => point[number]);
  const least = within ? [0, 0] : [Math.min(...axis(0)), Math.min(...axis(1))];
  const wide = [0, 1].map((number) => (within ? 1 : Math.max(...axis(number)) - least[number]));
  const whole = flat ? wide.map((one) => one || 1) : [0, 1].map(() => Math.max(...wide) || 1); // a plane is not stretched
  const room = SIZE - 2 * EDGE;
  return {
    whole: whole[0],
    out: ([x, y]) => [EDGE + (room * (x - least[0])) / whole[0], SIZE - EDGE - (room * (y - least[1])) / whole[1]],
    back: ([x, y]) => [least[0] + ((x - EDGE) * whole[0]) / room, least[1] + ((SIZE - EDGE - y) * whole[1]) / room],
  };
}

function answerLines(record, at) {
  return linesOf(record).filter((line) => at[line.start] && at[line.end]).map(({ start, end, weight, chosen }) =>
    drawn(
      `line.${chosen ? "chosen" : "beside"}`,
      { x1: at[start][0], y1: at[start][1], x2: at[end][0], y2: at[end][1], "--weight": weight.toFixed(3) },
      drawn("title", {}, `${start + 1} to ${end + 1}: ${weight.toFixed(4)}`),
    ),
  );
}

/** What is drawn: what was weighed beside the choices first, then the answer. */
function linesOf({ steps, chosen, shape }) {
  const weights = steps.map((step) => step.supports.map((one) => one.weight));
  const places = chosen.map((number) => number - 1);
  if (shape === "triangles") return triangles(weights, places);
  const said = places.slice(1).map((end, step) => ({ start: places[step], end, weight: weights[step + 1]?.[end + 1] ?? 1, chosen: true }));
  if (shape === "tour" && places.length > 2) said.push({ start: places.at(-1), end: places[0], weight: 1, chosen: true });
  const beside = places.flatMap((start, step) =>
    (weights[step + 1] ?? [])
      .slice(1)
      .map((weight, end) => ({ start, end, weight, chosen: false }))
      .filter((line) => line.weight > FAINT && line.end !== start && line.end !== places[step + 1]),
  );
  return [...beside, ...said];
}

function triangles(weights, places) {
  const sides = [];
  for (let first = 0; first + 2 < places.length; first += 3) {
    const three = places.slice(first, first + 3);
    const sure = Math.min(...three.map((point, corner) => weights[first + corner][point + 1]));
    three.forEach((start, corner) => sides.push({ start, end: three[(corner + 1) % 3], weight: sure, chosen: true }));
  }
  return sides;
}
