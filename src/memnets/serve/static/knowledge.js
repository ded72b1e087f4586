// The answer of a knowledge base: how the question was understood, which facts were read, the steps
// of a program of several facts, and why it does not know.

import { counted, element, percent, visible } from "./dom.js";
import { heat } from "./heat.js";

const HOW = {
  name: "by its name",
  alias: "by another form of its name",
  spelling: "by its spelling",
  part: "by a part of its name",
};
const PROGRAM = /^(.*) \((\d+) facts? read\)$/s;
const LEAST = 0.1; // a fact of which no hop read more is folded away
const SHOWN = 12; // facts of a step that are shown at once

/** Whether every step is one of a program, which reads facts exactly. */
export const isProgram = (record) => record.steps.length > 0 && record.steps.every((step) => PROGRAM.test(step.name));

export function knowledge(record) {
  const declined = record.objects.length === 0;
  return [
    declined ? why(record) : null,
    understood(record, declined),
    declined && !record.mentions.length ? null : isProgram(record) ? program(record) : facts(record),
  ];
}

function understood(record, declined) {
  const said = record.mentions.map((mention) => {
    const alike = mention.how === "spelling" ? `, ${percent(mention.likeness)} alike` : "";
    const entities = mention.entities.map((one) => element("b", {}, visible(one)));
    const between = entities.flatMap((one, at) => (at ? [" or ", one] : [one]));
    return element("li", {}, `“${visible(mention.name)}” is `, between, element("small", {}, ` ${HOW[mention.how] ?? mention.how}${alike}`));
  });
  for (const [word, taken] of Object.entries(record.corrected)) {
    said.push(element("li", {}, `“${visible(word)}” was read as `, element("b", {}, visible(taken))));
  }
  if (record.unknown_words.length && !declined) said.push(element("li", {}, `not understood: ${record.unknown_words.map(visible).join(", ")}`));
  if (!said.length) return null;
  return element("section.part", {}, element("h3", {}, "What it recognised"), element("ul.recognised", {}, said));
}

function why({ mentions, unknown_words: unknown }) {
  const words = unknown.map((one) => `“${visible(one)}”`).join(", ");
  const names = mentions.flatMap((mention) => mention.entities).map(visible).join(", ");
  const reasons = mentions.length
    ? [`It knows ${names}, but none of the facts below answers this surely enough.`]
    : ["The question names nothing that this knowledge base knows, so there is no fact to read."];
  if (words) reasons.push(`It does not understand ${words}.`);
  reasons.push(mentions.length ? "Ask in other words, or teach it yours: memnets kb teach." : "Name somebody or something that its facts are about.");
  return element("section.part.why", {}, element("h3", {}, "Why it does not know"), element("p", {}, reasons.join(" ")));
}

function facts(record) {
  const words = record.steps.some((step) => step.name === "words");
  const caption = `A hop is one look at these facts.${words ? " The last column: what the words of the question decide by themselves." : ""}`;
  const table = heat(record.steps, { caption, noun: "fact", least: LEAST, told: ({ text }) => fact(text) });
  return element("section.part", {}, element("h3", {}, "The facts it read"), table);
}

/** "Ada | directed_by | Bo" with its relation set apart. */
function fact(text) {
  const cut = text.split(/ \| |\t/);
  if (cut.length !== 3) return text.startsWith("(") ? element("i", {}, visible(text)) : visible(text);
  const [subject, relation, object] = cut.map(visible);
  return [subject, " ", element("span.relation", {}, relation), " ", object];
}

function program(record) {
  const steps = record.steps.map((step) => {
    const [, what, number] = PROGRAM.exec(step.name);
    const all = step.supports.map((one) => element("li", {}, fact(one.text)));
    const rest = all.slice(SHOWN);
    return element(
      "li",
      {},
      element("p", {}, element("b", {}, visible(what)), " ", element("small", {}, `${counted(Number(number), "fact")} read`)),
      element("ul", {}, all.slice(0, SHOWN)),
      rest.length ? element("details", {}, element("summary", {}, `${rest.length} more`), element("ul", {}, rest)) : null,
    );
  });
  const end = element("li", {}, element("p", {}, element("b", {}, "Answer: "), visible(record.text)));
  return element("section.part", {}, element("h3", {}, "How it came to the answer, fact by fact"), element("ol.program", {}, steps, end));
}
