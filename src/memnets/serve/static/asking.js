// What goes to the server and comes back. One question is under way at a time, and the next one to
// go is always the latest; a reply to an earlier one is dropped.

const PAUSE = 25; // milliseconds between the last keystroke and the question
const PATIENCE = 30_000;

let shown = sessionStorage.getItem("token"); // of a server that asks for one; till the tab is closed

/** Show a token with every request from now on. */
export function present(token) {
  shown = token;
  sessionStorage.setItem("token", token);
}

/** Return the things that may be asked. */
export async function things() {
  return (await reply("v1/things")).things;
}

/** Return the answer of a thing to a body. */
export function ask(name, body) {
  return reply(`v1/${encodeURIComponent(name)}/ask`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
}

async function reply(address, options = {}) {
  let came;
  try {
    const headers = { ...options.headers, ...(shown ? { Authorization: `Bearer ${shown}` } : {}) };
    came = await fetch(address, { ...options, headers, signal: AbortSignal.timeout(PATIENCE) });
  } catch (error) {
    if (error.name === "TimeoutError") throw new Error("No answer came within half a minute. Ask for less, or try again.");
    throw new Error("The server cannot be reached. Start it again with memnets serve, then edit something here.");
  }
  const record = await came.json().catch(() => null);
  if (!came.ok) {
    const told = complaint(record) ?? `The server answered with ${came.status} and no reason.`;
    throw Object.assign(new Error(told), { status: came.status });
  }
  if (record === null) throw new Error("The server's answer is no JSON. Is something else listening at this address?");
  return record;
}

/** The sentence in a refusal, whichever way it is written. */
function complaint(record) {
  const said = record?.error ?? record?.detail ?? record?.message;
  if (typeof said === "string") return said;
  if (Array.isArray(said)) return said.map((one) => [one.loc?.at(-1), one.msg].filter(Boolean).join(": ")).join("; ");
  return said?.message ?? null;
}

/** Ask after every change, at most one at a time; `heard` gets the reply to the latest alone. */
export class Asking {
  #timer = null;
  #under_way = false;
  #latest = null;
  #number = 0;

  constructor(heard, failed) {
    this.heard = heard;
    this.failed = failed;
  }

  /** Ask soon, in place of all that was to be asked before. */
  soon(name, body, about, pause = PAUSE) {
    this.#latest = { name, body, about, number: ++this.#number };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#next(), pause);
  }

  /** Ask nothing, and drop what is under way. */
  forget() {
    this.#number++;
    this.#latest = null;
    clearTimeout(this.#timer);
  }

  async #next() {
    if (this.#under_way || this.#latest === null) return;
    const { name, body, about, number } = this.#latest;
    this.#latest = null;
    this.#under_way = true;
    const [record, problem] = await ask(name, body).then((came) => [came, null], (error) => [null, error.message]);
    this.#under_way = false;
    if (this.#latest) this.#next();
    if (number !== this.#number) return;
    if (problem === null) this.heard(record, about);
    else this.failed(problem, about);
  }
}
