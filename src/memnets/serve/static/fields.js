// What is typed, dropped or drawn: a field for each thing that an answerer takes. A field has
// `node`, `typed` (for the address), `given` (for the server; null while nothing is there yet),
// `fill` (what an example or an address holds), and `show`, where it can glow.

import { element } from "./dom.js";
import { Glowing, lines } from "./glow.js";
import { PictureField } from "./picture.js";
import { PointsField } from "./points.js";

const LABELS = {
  story: ["Story", "one sentence a line, the oldest first"],
  sentences: ["Sentences", "one a line; the answer is chosen among them"],
  facts: ["Facts", "subject, relation and object a line, with a TAB between; may be empty"],
  steps: ["Steps", "one a line, such as k12 v3"],
  question: ["Question", ""],
  text: ["Text", ""],
};

/** Return the field of a part that is taken. */
export function fieldOf(part, optional, changed) {
  if (part === "image" || part === "picture") return new PictureField(part, changed);
  if (part === "points") return new PointsField(part, changed);
  return new TextField(part, optional, changed);
}

class TextField {
  constructor(part, optional, changed) {
    this.part = part;
    this.optional = optional;
    this.ofLines = !["question", "text"].includes(part);
    const [label, how] = LABELS[part] ?? [part, ""];
    const attributes = { id: `field-${part}`, name: part, "aria-describedby": how && `how-${part}` };
    if (part === "question") {
      this.input = element("input", { ...attributes, type: "text", spellcheck: "false", oninput: changed });
      this.box = this.input;
    } else {
      this.glowing = new Glowing(attributes, changed);
      this.glowing.node.classList.toggle("tall", this.ofLines && !optional);
      this.box = this.glowing.node;
    }
    this.node = element(
      "div.field",
      {},
      element("label", { for: attributes.id }, label),
      how && element("span.how", { id: `how-${part}` }, how),
      this.box,
    );
  }

  get typed() {
    return (this.glowing ?? this.input).value;
  }

  get given() {
    const typed = this.typed;
    if (!typed.trim()) return this.optional ? undefined : null;
    return this.ofLines ? lines(typed).map((line) => line.text) : typed;
  }

  fill(value) {
    (this.glowing ?? this.input).value = Array.isArray(value) ? value.join("\n") : value ?? "";
  }

  show(marks) {
    this.glowing?.show(marks);
  }
}
