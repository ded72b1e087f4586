// Elements, and how numbers and texts are shown. Nothing of a reply is ever read as HTML.

const SVG = "http://www.w3.org/2000/svg";

/** Make an element: element("p.faint", { title: "…" }, "text", other). */
export function element(kind, attributes = {}, ...content) {
  return filled(document.createElement(kind.split(".")[0]), kind, attributes, content);
}

/** Make an element of a drawing. */
export function drawn(kind, attributes = {}, ...content) {
  return filled(document.createElementNS(SVG, kind.split(".")[0]), kind, attributes, content);
}

function filled(node, kind, attributes, content) {
  const classes = kind.split(".").slice(1);
  if (classes.length) node.classList.add(...classes);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name.startsWith("--")) node.style.setProperty(name, value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value != null) node.setAttribute(name, value);
  }
  node.append(...content.flat(Infinity).filter((one) => one != null && one !== ""));
  return node;
}

/** "93.4 %", never rounded to none or to all. */
export function percent(share) {
  const shown = (100 * share).toFixed(1);
  if (shown === "100.0" && share < 1) return "> 99.9 %";
  if (shown === "0.0" && share > 0) return "< 0.1 %";
  return `${shown} %`;
}

/** A weight with two places, as in every heat map of the project. */
export const weight = (number) => number.toFixed(2);

/** "1 fact", "2 facts". */
export const counted = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;

const ACTING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]/gu;

/** A text with signs for what would act instead of being seen. */
export function visible(text) {
  const shown = String(text).replace(ACTING, (one) => `<U+${one.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}>`);
  return /^\s+$/.test(shown) ? shown.replaceAll(" ", "␣").replaceAll("\n", "⏎") : shown;
}

/** What a choice among a few is made with: each is pressed or not, and none may be. */
export function toggles(buttons, chosen) {
  for (const [number, button] of buttons.entries()) {
    button.setAttribute("aria-pressed", String(number === chosen));
  }
}
