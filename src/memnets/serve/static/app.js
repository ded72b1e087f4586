// The page: picks a thing, lays out its fields, asks after every change, and shows what came.

import { complained } from "./answer.js";
import { Asking, present, things } from "./asking.js";
import { element, toggles, visible } from "./dom.js";
import { fieldOf } from "./fields.js";
import * as state from "./state.js";
import { hint, view } from "./views.js";
import { read } from "./writing.js";

const SETTLED = 300; // milliseconds without a change after which the address follows
const QUIET = 700; // milliseconds without a change after which a screen reader is told
const PICTURES = ["image", "picture"]; // parts that no address can hold
const EXAMPLES = 3; // that are shown before the others are asked for
const LABEL = 40; // characters of an example on its button
const at = (id) => document.getElementById(id);

class Playground {
  constructor(all) {
    this.all = all;
    this.asking = new Asking((record, asked) => this.#heard(record, asked), (problem) => this.#failed(problem));
    at("thing").append(...all.map((one) => element("option", { value: one.name }, one.title && one.title !== one.name ? `${one.name}: ${one.title}` : one.name)));
    at("thing").addEventListener("change", () => {
      this.#settle();
      history.pushState(null, "", state.written(at("thing").value, {}));
      this.open(at("thing").value, null);
    });
    at("share").addEventListener("click", () => this.#share());
    at("fields").addEventListener("submit", (event) => event.preventDefault());
    window.addEventListener("hashchange", () => this.#arrived());
    this.#arrived();
  }

  #arrived() {
    const { name, typed } = state.read(location.hash);
    this.open(this.all.some((one) => one.name === name) ? name : this.all[0].name, typed);
  }

  /** Lay out the fields of a thing, with what an address holds, or its first example. */
  async open(name, typed) {
    this.thing = this.all.find((one) => one.name === name);
    this.asking.forget();
    at("thing").value = name;
    at("hint").textContent = hint(this.thing);
    const optional = this.thing.may_take ?? [];
    const parts = [...this.thing.takes, ...optional];
    this.fields = new Map(parts.map((one) => [one, fieldOf(one, optional.includes(one), () => this.changed())]));
    at("fields").replaceChildren(...[...this.fields.values()].map((one) => one.node));
    this.#layExamples();
    at("answer").replaceChildren();
    at("evidence").replaceChildren();
    const example = typed ? typed.example : 0;
    if (this.thing.examples[example]) await this.#take(Number(example));
    if (typed) this.#put(typed);
    this.changed();
  }

  #layExamples() {
    const buttons = this.thing.examples.map((body, number) =>
      element("button", { type: "button", onclick: () => this.#take(number).then(() => this.changed()) }, named(body, number)),
    );
    this.examples = buttons;
    const folded = buttons.slice(buttons.length > EXAMPLES + 1 ? EXAMPLES : buttons.length);
    for (const button of folded) button.hidden = true;
    const unfold = () => {
      for (const button of folded) button.hidden = false;
      folded[0].focus();
      more.remove();
    };
    const more = element("button.more", { type: "button", onclick: unfold }, `${folded.length} more`);
    const all = [element("span", {}, "Try"), ...buttons, ...(folded.length ? [more] : [])];
    at("examples").replaceChildren(...(buttons.length ? all : []));
  }

  async #take(number) {
    const thing = this.thing;
    await this.#fill(thing.examples[number]);
    if (thing !== this.thing) return; // another was chosen while a picture was read
    this.taken = { number, typed: this.#typed() };
  }

  async #fill(body) {
    this.taken = null;
    await Promise.all([...this.fields.values()].map((field) => field.fill(body[field.part])));
  }

  /** Put what an address holds into its fields; a picture is an example's. */
  #put(typed) {
    for (const [part, field] of this.fields) if (part in typed && !PICTURES.includes(part)) field.fill(typed[part]);
  }

  #typed() {
    return Object.fromEntries([...this.fields].map(([part, field]) => [part, field.typed]));
  }

  /** Whether what is asked is an example as it came; its number, or null. */
  get #example() {
    const same = this.taken && JSON.stringify(this.taken.typed) === JSON.stringify(this.#typed());
    return same && this.#pictured ? this.taken.number : null;
  }

  /** Whether the picture, if there is one, is still an example's. */
  get #pictured() {
    const example = this.thing.examples[this.taken?.number];
    return PICTURES.every((part) => !this.fields.has(part) || this.fields.get(part).given === example?.[part]);
  }

  /** What the address holds: what is typed, and for a picture the number of its example. */
  get #address() {
    const kept = Object.entries(this.#typed()).filter(([part]) => !PICTURES.includes(part));
    const example = this.#hasPicture() && this.taken && this.#pictured ? [["example", this.taken.number]] : [];
    return state.written(this.thing.name, Object.fromEntries([...example, ...kept]));
  }

  changed() {
    const example = this.#example;
    toggles(this.examples, example);
    this.address = this.#address;
    clearTimeout(this.settling);
    this.settling = setTimeout(() => this.#settle(), SETTLED);
    at("shared").textContent = "";
    const body = {};
    for (const [part, field] of this.fields) {
      if (field.given === null) return this.#waiting(part);
      if (field.given !== undefined) body[part] = field.given;
    }
    at("answer").setAttribute("aria-busy", "true");
    const gold = example === null ? null : this.thing.gold?.[example];
    this.asking.soon(this.thing.name, this.thing.gives === "text" ? read(body) : body, { thing: this.thing, fields: this.fields, gold });
  }

  /** Let the address hold what is typed; not at every keystroke, which browsers do not let pass. */
  #settle() {
    clearTimeout(this.settling);
    if (this.address) history.replaceState(null, "", this.address);
    this.address = null;
  }

  #hasPicture() {
    return PICTURES.some((part) => this.fields.has(part));
  }

  #waiting(part) {
    this.asking.forget();
    const what = { question: "Type a question.", image: "Choose a picture.", picture: "Choose a picture.", points: "Set a point." };
    this.#show({ answer: [complained(what[part] ?? `Write the ${part}.`, "faint")], evidence: [], said: "" });
  }

  #heard(record, asked) {
    this.#show(view(record, asked));
  }

  #failed(problem) {
    this.#show({ answer: [complained(problem)], evidence: [], said: problem });
  }

  #show({ answer, evidence, said }) {
    at("answer").setAttribute("aria-busy", "false");
    at("answer").replaceChildren(...answer.filter(Boolean));
    at("evidence").replaceChildren(...evidence.filter(Boolean));
    if (!evidence.length) for (const field of this.fields.values()) field.show?.([]);
    clearTimeout(this.saying);
    this.saying = setTimeout(() => (at("said").textContent = said), QUIET);
  }

  async #share() {
    this.#settle();
    const lost = this.#hasPicture() && !this.#pictured ? " The picture is not in it." : "";
    try {
      await navigator.clipboard.writeText(location.href);
      at("shared").textContent = `Copied: it opens what you see here.${lost}`;
    } catch {
      at("shared").textContent = `Copy the address of this page: it holds all that you see.${lost}`;
    }
  }
}

/** What an example is called: its question, or how it begins. */
function named(body, number) {
  const text = body.question ?? body.text;
  if (typeof text !== "string") return String(number + 1);
  const line = visible(text.replaceAll("\n", " "));
  return line.length > LABEL ? `${line.slice(0, LABEL)} …` : line;
}

async function start() {
  try {
    const all = await things();
    if (!all.length) throw new Error("Nothing is served here. Start the server with the folder of a run: memnets serve runs/NAME");
    at("start").remove();
    at("room").hidden = false;
    new Playground(all);
  } catch (error) {
    at("start").replaceChildren(complained(error.message), error.status === 401 ? door() : "");
  }
}

/** A field for the token without which the server tells nothing. */
function door() {
  const field = element("input", { type: "password", id: "token", autocomplete: "off" });
  const enter = (event) => {
    event.preventDefault();
    present(field.value);
    start();
  };
  return element("form.door", { onsubmit: enter }, element("label", { for: "token" }, "Token"), field, element("button", {}, "Enter"));
}

start();
