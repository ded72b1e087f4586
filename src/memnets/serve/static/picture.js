// A picture to be asked about, and where a model looked: the picture once for each read, dark where
// nothing was taken. Pictures are painted, never addressed, so the page needs no rights to load any.

import { element, visible } from "./dom.js";

const VEIL = 0.8; // how dark a picture is where nothing was taken
const SIDE = 240; // pixels of a painted picture
const MOST = 30_000_000; // bytes of a file
const LARGE = 500_000; // of one that is made smaller before it is sent
const SHRUNK = 640; // pixels of its longer side then

export class PictureField {
  constructor(part, changed) {
    this.part = part;
    this.changed = changed;
    this.data = null;
    this.bitmap = null;
    this.canvas = element("canvas.picked", { role: "img", "aria-label": "The picture that is asked about" });
    this.file = element("input", { type: "file", id: `field-${part}`, accept: "image/*", "aria-describedby": `how-${part}`, onchange: () => this.#take(this.file.files[0]) });
    this.problem = element("p.problem", { role: "alert" });
    this.node = element(
      "div.field.dropping",
      { ondragover: (event) => event.preventDefault(), ondrop: (event) => this.#dropped(event) },
      element("label", { for: this.file.id }, "Picture"),
      element("span.how", { id: `how-${part}` }, "choose a file, or drop one here; it goes to your own server alone"),
      this.canvas,
      this.file,
      this.problem,
    );
  }

  get typed() {
    return "";
  }

  get given() {
    return this.data;
  }

  /** Take an example's picture: base64, with or without "data:image/png;base64," before it. */
  async fill(value) {
    if (!value) return;
    const [, kind, text] = /^(?:data:([^;]*);base64,)?(.*)$/s.exec(value);
    const bytes = Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
    await this.#open(new Blob([bytes], { type: kind || "image/png" }), value);
  }

  #dropped(event) {
    event.preventDefault();
    this.#take(event.dataTransfer.files[0]);
  }

  async #take(file) {
    if (!file) return;
    if (file.size > MOST) {
      this.problem.textContent = `${file.name} has ${(file.size / 1e6).toFixed(1)} MB; up to 30 are taken. Choose a smaller picture.`;
      return;
    }
    const small = file.size > LARGE ? await shrunk(file) : null;
    await this.#open(small ?? file, await asBase64(small ?? file));
    if (this.bitmap) this.changed();
  }

  async #open(blob, data) {
    try {
      this.bitmap = await createImageBitmap(blob);
    } catch {
      this.problem.textContent = `${blob.name ?? "This"} is no picture that this browser can read. Choose a PNG or a JPEG.`;
      return;
    }
    this.problem.textContent = "";
    this.data = data;
    paint(this.canvas, this.bitmap);
  }
}

/** A large picture made small, as models see little of it and a server takes no more. */
async function shrunk(file) {
  const large = await createImageBitmap(file).catch(() => null);
  if (!large) return null;
  const scale = Math.min(1, SHRUNK / Math.max(large.width, large.height));
  const canvas = new OffscreenCanvas(Math.round(large.width * scale), Math.round(large.height * scale));
  canvas.getContext("2d").drawImage(large, 0, 0, canvas.width, canvas.height);
  return canvas.convertToBlob({ type: "image/jpeg", quality: 0.92 });
}

async function asBase64(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (let at = 0; at < bytes.length; at += 32768) text += String.fromCharCode(...bytes.subarray(at, at + 32768));
  return `data:${file.type || "image/png"};base64,${btoa(text)}`;
}

/** Draw where each read looked; the bitmap may be missing, then the places alone are seen. */
export function regions(seen, bitmap) {
  const figures = seen.names.map((name, read) => {
    const canvas = element("canvas", { role: "img", "aria-label": `${name}: looked most at ${place(seen.weights[read])}` });
    paint(canvas, bitmap, seen, read);
    const gate = seen.gates?.[read];
    const told = gate === undefined || gate === 1 ? null : element("small", { title: "how much of what it saw was taken" }, ` ${gate.toFixed(2)}`);
    return element("figure", {}, canvas, element("figcaption", {}, visible(name), told));
  });
  const gated = seen.gates?.some((gate) => gate !== 1);
  const told = gated ? " The number: how much of what it saw was used." : "";
  return [element("p.remark", {}, `Bright is what it took, the frame what it took most of.${told}`), element("div.regions", {}, figures)];
}

function paint(canvas, bitmap, seen = null, read = 0) {
  const [height, width] = seen?.side ?? [bitmap.height, bitmap.width];
  const scale = SIDE / Math.max(height, width);
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const pen = canvas.getContext("2d");
  if (bitmap) pen.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  if (!seen) return;
  pen.drawImage(veil(seen.weights[read]), 0, 0, canvas.width, canvas.height);
  framed(pen, canvas, seen.weights[read]);
  const circle = seen.circles?.[read];
  if (!circle) return;
  pen.strokeStyle = "#ffffff";
  pen.lineWidth = 2;
  pen.setLineDash([6, 5]);
  pen.beginPath();
  pen.arc(circle[0] * scale, circle[1] * scale, circle[2] * scale, 0, 2 * Math.PI);
  pen.stroke();
}

/** Put a frame about the place that was taken most. */
function framed(pen, canvas, weights) {
  const { row, column } = mostTaken(weights);
  const [high, wide] = [canvas.height / weights.length, canvas.width / weights[0].length];
  pen.strokeStyle = "#f5b32f";
  pen.lineWidth = 4;
  pen.strokeRect(column * wide + 2, row * high + 2, wide - 4, high - 4);
}

/** Black that hides what was not taken, a pixel a place; it is smoothed where it is enlarged. */
function veil(weights) {
  const most = Math.max(...weights.flat(), 1e-12);
  const hidden = new OffscreenCanvas(weights[0].length, weights.length);
  const pen = hidden.getContext("2d");
  for (const [y, row] of weights.entries()) {
    for (const [x, one] of row.entries()) {
      pen.fillStyle = `rgba(0, 0, 0, ${VEIL * (1 - Math.min(1, Math.max(0, one / most)))})`;
      pen.fillRect(x, y, 1, 1);
    }
  }
  return hidden;
}

function mostTaken(weights) {
  let [row, column] = [0, 0];
  for (const [y, line] of weights.entries()) {
    for (const [x, one] of line.entries()) if (one > weights[row][column]) [row, column] = [y, x];
  }
  return { row, column };
}

function place(weights) {
  const { row, column } = mostTaken(weights);
  return `row ${row + 1}, column ${column + 1}`;
}
