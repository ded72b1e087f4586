// Sentences of documents that share the rarest words with a question, where they stand.

import { element, visible } from "./dom.js";

const WORD = /[\p{L}\p{N}_]+(?:['’][\p{L}\p{N}_]+)*/gu;
const LONG = 420; // characters of a sentence that are shown at once

/** The sentences that were found; null of a reply that is no search. */
export function sentencesOf(record) {
  return record.sentences ?? null;
}

export function documents(found) {
  if (!found.length) {
    return [element("p.answer.long", {}, "I don't know"), element("p.remark", {}, "No sentence shares a telling word with this question. Ask with words that the documents use.")];
  }
  const best = found[0].score;
  const items = found.map((one) =>
    element(
      "li",
      {},
      element("p.where", {}, element("b", {}, visible([one.title, ...(one.headings ?? [])].join(" › "))), ` ${visible(one.file)}, line ${one.line}`),
      sentence(one),
      element("p.sure", {}, element("span.bar", { "aria-hidden": "true" }, element("span.filled", { "--share": `${(100 * one.score) / best}%` })), `weight ${one.score.toFixed(2)}`),
    ),
  );
  return [element("p.remark", {}, "The sentences that best match the question, weighed by what other documents taught. Nothing is made up."), element("ol.found", {}, items)];
}

function sentence(one) {
  const pieces = marked(one.text, new Set(one.matched));
  if (one.text.length <= LONG) return element("p.sentence", {}, pieces);
  const short = marked(`${one.text.slice(0, LONG)} …`, new Set(one.matched));
  return element("details", {}, element("summary.sentence", {}, short), element("p.sentence", {}, pieces));
}

/** The text with the words that it shares with the question set off. */
function marked(text, shared) {
  const pieces = [];
  let end = 0;
  for (const word of text.matchAll(WORD)) {
    const plain = word[0].toLowerCase();
    const same = [...shared].some((one) => plain === one || plain.replace(/['’].*$/, "") === one || plain === `${one}s`);
    if (!same) continue;
    pieces.push(visible(text.slice(end, word.index)), element("mark", {}, visible(word[0])));
    end = word.index + word[0].length;
  }
  return [...pieces, visible(text.slice(end))];
}
