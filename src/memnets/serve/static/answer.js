// The answer itself: in large letters, how sure it is, what else it might have been, and what has to
// be known with it.

import { element, percent, visible } from "./dom.js";

const LONG = 28; // characters from which on an answer is set smaller

/** Draw an answer; `right` is what an unedited example names as right, if it does. */
export function answered(record, right = null) {
  const text = visible(record.text);
  const declined = record.objects?.length === 0;
  return [
    record.caution ? element("p.caution", {}, visible(record.caution)) : null,
    element(
      `p.answer${text.length > LONG ? ".long" : ""}`,
      {},
      text || element("span.faint", {}, "(nothing)"),
      right === null ? null : judged(record.text, right),
    ),
    declined || record.probability == null ? null : sure(record.probability),
    rivals(record.runners_up ?? []),
    ...remarks(record).map((one) => element("p.remark", {}, one)),
  ];
}

/** Say in place of the answer what is missing or went wrong. */
export function complained(text, kind = "problem") {
  return element(`p.${kind}`, {}, visible(text));
}

/** What a screen reader is told of an answer. */
export function spoken(record) {
  const top = (record.steps ?? []).map((step) => {
    const most = step.supports.reduce((one, other) => (one && Math.abs(one.weight) >= Math.abs(other.weight) ? one : other), null);
    return most ? `${step.name} read most of ${most.text}` : null;
  });
  const few = top.length <= 6 ? top.filter(Boolean) : [];
  const sure = record.probability == null ? "" : `, ${percent(record.probability)}`;
  return [`Answer: ${record.text}${sure}`, ...few].map(visible).join(". ");
}

function sure(probability) {
  const filled = element("span.filled", { "--share": `${(100 * probability).toFixed(1)}%` });
  return element("p.sure", {}, element("span.bar", { "aria-hidden": "true" }, filled), `${percent(probability)} sure`);
}

function rivals(runnersUp) {
  if (!runnersUp.length) return element("p.rivals");
  const each = runnersUp.slice(0, 4).map(([text, share]) => element("li", {}, element("span", {}, visible(text) || "(nothing)"), " ", element("small", {}, percent(share))));
  return element("div.rivals", {}, element("span", {}, "then"), element("ol", {}, each));
}

/** Whether it is right; of a whole sentence, of which there may be others, only what the data say. */
function judged(text, right) {
  const parts = (list) => list.split(", ").sort().join(", ");
  if (parts(text) === parts(right)) return element("small.good", {}, "✓ right");
  const sentence = right.split(/\s+/).filter((word) => /\p{L}{2}/u.test(word)).length > 3;
  return sentence
    ? element("small.others", {}, `The data say: ${visible(right)}`)
    : element("small.bad", {}, `✗ right is ${visible(right) || "nothing"}`);
}

function remarks(record) {
  const read = record.steps?.[0]?.supports.length ?? 0;
  const said = [];
  if (record.unread) said.push(`Only the last ${read.toLocaleString("en")} of ${(record.unread + read).toLocaleString("en")} sentences were read: the memory holds no more.`);
  if (record.unknown_words?.length && !("objects" in record)) {
    const what = record.unit ? `Unknown ${record.unit}s` : "Words it has never seen, read as nothing";
    said.push(`${what}: ${record.unknown_words.map(visible).join(", ")}.`);
  }
  return said;
}
