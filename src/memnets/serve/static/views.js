// Which view a record gets: told by what it holds, not by the name of its kind, so that a new family
// is drawn as far as its record is known, and shown plainly where it is not.

import { answered, spoken } from "./answer.js";
import { documents, sentencesOf } from "./documents.js";
import { element, visible } from "./dom.js";
import { lineMarks, wordMarks } from "./glow.js";
import { FEW, heat, weightsAt } from "./heat.js";
import { knowledge } from "./knowledge.js";
import { regions } from "./picture.js";
import { legend } from "./points.js";
import { reading, spoken as overheard, written } from "./writing.js";

const HINTS = {
  documents: "Ask in your own words. Sentences that share the rarest of them are shown where they stand.",
  knowledge: "Ask in your own words. Under the answer stand the facts that were read for it.",
  lines: "Change a sentence or the question: the answer follows at once. The brighter a sentence glows, the more of it was read.",
  text: "Change the text: the answer follows at once. Beside it stands what was read.",
  writing: "Begin a text, and the model goes on with it. Below its answer, point at any place of your text to see what it had read before that came.",
  bits: "Write vectors of bits with a space between them, such as 10110100 01101001: beside them stands where the machine wrote and read at every step.",
  points: "Set and drag points: the answer is drawn between them. The fainter a line, the less sure it is.",
  picture: "Choose a picture. It is shown once for each read, dark where the model did not look.",
};
const KNOWN = ["question", "text", "probability", "runners_up", "steps", "unknown_words", "gold", "unread", "unit", "caution"];

/** What a newcomer is told of a thing, in two sentences. */
export function hint(thing) {
  const takes = new Set(thing.takes);
  if (thing.kind === "documents") return HINTS.documents;
  if (thing.kind === "kb") return HINTS.knowledge;
  if (thing.gives === "text") return HINTS.writing;
  if (takes.has("points")) return HINTS.points;
  if (takes.has("image") || takes.has("picture")) return HINTS.picture;
  if (thing.kind.startsWith("sequences")) return HINTS.bits;
  return takes.has("text") ? HINTS.text : takes.size > 1 ? HINTS.lines : "";
}

/**
 * Draw a reply. `asked` tells of what: { thing, fields (by part), gold (of an unedited example) }.
 * Returns { answer, evidence, said }: two lists of elements, and a sentence for screen readers.
 */
export function view(record, asked) {
  const sentences = sentencesOf(record);
  if (sentences) return { answer: [], evidence: documents(sentences), said: `${sentences.length} sentences found` };
  const { thing, fields, gold } = asked;
  if (thing.gives === "text") {
    return { answer: written(record, asked), evidence: [reading(record, { field: fields.get("text") })], said: overheard(record) };
  }
  if (!Array.isArray(record.steps)) return { answer: [], evidence: [plain(record)], said: "Answered" };
  const evidence = "objects" in record ? knowledge(record) : read(record, fields, gold);
  const answer = answered(record, gold?.answer ?? null);
  return { answer: isTagged(record) ? [tagged(record), ...answer.slice(2)] : answer, evidence, said: spoken(record) };
}

function read(record, fields, gold) {
  const picture = fields.get("image") ?? fields.get("picture");
  if (record.regions) return [part("Where it looked", regions(record.regions, picture?.bitmap))];
  if (record.points) {
    fields.get("points").answer(record);
    const table = heat(record.steps.map(numbered), { caption: "Each line is a choice, each column a point; the brighter, the more it was weighed.", corner: "choice", aligned: true });
    return [element("p.remark", {}, legend(record)), part("What it weighed", table)];
  }
  const other = Object.fromEntries(Object.entries(record).filter(([name]) => !KNOWN.includes(name)));
  const rest = Object.keys(other).length ? [part("Besides", plain(other))] : [];
  return [...evidenceOf(record, fields, gold), ...rest];
}

/** A choice whose points are called by their numbers alone. */
const numbered = (step) => ({ ...step, supports: step.supports.map((one) => ({ ...one, text: one.text.replace(/ \(.*$/, "") })) });

function evidenceOf(record, fields, gold) {
  if (!record.steps.length) return [element("p.remark", {}, "This model reads no memory, so there is nothing to show.")];
  const supports = new Set(gold?.supports ?? []);
  const golden = new Set(record.steps[0].supports.filter((one) => supports.has(one.slot)).map((one) => one.text));
  const aligned = record.steps.length > FEW || squeezed(record.steps.map((step) => step.name)) === squeezed([record.text]);
  const field = [...fields.values()].find((one) => one.show && one.part !== "question");
  const glow = glowing(record, field, aligned, supports);
  const options = { gold: golden, aligned, chose: glow, noun: field?.ofLines ? "sentence" : "word" };
  const choose = glow ? (aligned ? " Choose a line, and what it read glows in your text." : " Choose one, and what it read alone glows in your text.") : "";
  const caption = aligned ? `Each line is a step, each column a part of what it could read; the brighter, the more was read.${choose}` : `A hop is one look at all of this; the brighter, the more was read.${choose}`;
  return [part(aligned ? "What it read, step by step" : "What it read", heat(record.steps, { caption, ...options }))];
}

/** What lets the text glow as one step read it, or all; null where the slots are none of its words. */
function glowing(record, field, aligned, gold) {
  const marks = (weights) => (field.ofLines ? lineMarks(field.typed, weights, gold) : wordMarks(field.typed, weights));
  const all = field ? weightsAt(record.steps, null) : [];
  if (!field || marks(all).length * 2 < all.length) return null;
  const glow = (column) => field.show(aligned && column === null ? [] : marks(weightsAt(record.steps, column)));
  glow(null);
  return glow;
}

const squeezed = (words) => words.join("").replace(/\s/g, "");

function part(title, ...content) {
  return element("section.part", {}, element("h3", {}, title), content);
}

/** Whether the answer gives each word of a sentence its tag. */
function isTagged(record) {
  const words = record.text.split(" ");
  return words.length > 0 && words.every((word) => /.\/\S/.test(word)) && record.steps[0]?.supports.length === words.length;
}

function tagged(record) {
  const words = record.text.split(" ").map((word) => {
    const at = word.lastIndexOf("/");
    return element("li", {}, visible(word.slice(0, at)), element("small", {}, visible(word.slice(at + 1))));
  });
  return element("ul.tagged", {}, words);
}

/** What no view is known for, as a table of names and values. */
function plain(record) {
  const lines = Object.entries(record).map(([name, value]) =>
    element("tr", {}, element("th", { scope: "row" }, visible(name)), element("td", {}, visible(typeof value === "string" ? value : JSON.stringify(value)))),
  );
  return element("table.plain", {}, element("tbody", {}, lines));
}

