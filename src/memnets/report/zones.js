"use strict";
const reads = JSON.parse(document.getElementById("reads").textContent);
const words = [...document.querySelectorAll(".word")];
const zones = [...document.querySelectorAll(".zone")];
const unit = document.getElementById("text").dataset.unit;
const said = document.getElementById("said");

function perCent(share) {
  return `${Math.round(100 * share)} %`;
}

function show(step) {
  const read = reads[step];
  const most = Math.max(...Object.values(read.words), 1e-9);
  const [first, last] = read.readable.length ? read.readable : [0, -1];
  words.forEach((word, s) => {
    const weight = read.words[s] ?? 0;
    word.classList.toggle("read", weight > 0);
    word.classList.toggle("reads", s === step);
    word.classList.toggle("beyond", s !== step && (s < first || s > last));
    word.dataset.weight = Math.round(100 * weight);
    word.style.setProperty("--share", weight / most);
  });
  zones.forEach((zone) => zone.classList.toggle("chosen", zone.dataset.zone in read.zones));
  const chosen = Object.entries(read.zones).map(([zone, alpha]) => `${+zone + 1} (${perCent(alpha)})`);
  const parts = [chosen.length ? `zones ${chosen.join(", ")}` : "no zone of the text was read"];
  if (read.before > 0) parts.push(`${perCent(read.before)} of what was before the text`);
  said.textContent = `At “${words[step].textContent}”, ${unit} ${step + 1}: ${parts.join("; ")}`;
}

words.forEach((word, step) => {
  word.addEventListener("pointerenter", () => show(step));
  word.addEventListener("focus", () => show(step));
});
if (location.hash) show(Number(location.hash.slice(1)) - 1);
