// What the address holds after its "#": the thing that is asked, and all that was typed.
//
//     #quickstart?story=Mary+moved+to+the+hall.&question=Where+is+Mary%3F

/** Return { name, typed } of an address; typed is null where it holds a name alone. */
export function read(fragment) {
  const [name, rest] = cut(fragment.replace(/^#/, ""), "?");
  const typed = !rest ? null : Object.fromEntries(new URLSearchParams(rest));
  return { name: decoded(name), typed };
}

/** Return the address of a thing and what was typed. */
export function written(name, typed) {
  return `#${encodeURIComponent(name)}?${new URLSearchParams(typed)}`;
}

function cut(text, mark) {
  const at = text.indexOf(mark);
  return at < 0 ? [text, null] : [text.slice(0, at), text.slice(at + 1)];
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
