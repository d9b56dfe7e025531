// Words of a text, marked by whether the other question has them too.

const COMPOUND =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]|\.?[\p{L}\p{N}\p{M}]+(?:['’._-]+[\p{L}\p{N}\p{M}]+)*[+#]*/gu;
const SIMPLE = /[\p{L}\p{N}\p{M}]+/gu;

/** The parts of a text in order, each `{text, kind}`; `kinds` maps the roots of words to their kind. */
export function partsOf(text, kinds) {
  const parts = [];
  let end = 0;
  for (const { start, word } of markedWords(text, kinds)) {
    parts.push({ text: text.slice(end, start), kind: null });
    parts.push({ text: word, kind: kinds.get(rootOf(word)) });
    end = start + word.length;
  }
  parts.push({ text: text.slice(end), kind: null });
  return parts.filter((part) => part.text);
}

/** From `{kind: [word, …]}` to roots with their kind; of several kinds the first one counts. */
export function kindsOf(lists) {
  const kinds = new Map();
  for (const [kind, words] of Object.entries(lists)) {
    for (const word of words) {
      const root = rootOf(word);
      if (!kinds.has(root)) {
        kinds.set(root, kind);
      }
    }
  }
  return kinds;
}

/** A text with its words in elements: `shared` and `similar` ones marked, `only` ones underlined. */
export function highlighted(text, kinds) {
  const fragment = document.createDocumentFragment();
  fragment.append(...partsOf(text, kinds).map(nodeOf));
  return fragment;
}

/**
 * A word without its ending. Reasons name a shared word as the asker has written it, and the other question
 * may have it in another form: "boot" is "booting" there.
 */
export function rootOf(word) {
  const plain = word.toLowerCase().replaceAll("’", "'");
  const root = plain
    .replace(/'s?$/, "")
    .replace(/(?<=[a-z]{2}[^s])s$/, "")
    .replace(/(?<=[a-z]{2})(?:ing|ed)$/, "")
    .replace(/(?<=[a-z]{2})(?:y|ie)$/, "i")
    .replace(/(?<=[a-z]{2})e$/, "")
    .replace(/([b-df-hj-km-np-rt-v])\1$/, "$1");
  return root || plain;
}

/** Words such as "wi-fi" and "node.js" count as a whole, or else in their parts. */
function* markedWords(text, kinds) {
  for (const compound of text.matchAll(COMPOUND)) {
    if (kinds.has(rootOf(compound[0]))) {
      yield { start: compound.index, word: compound[0] };
      continue;
    }
    for (const simple of compound[0].matchAll(SIMPLE)) {
      if (kinds.has(rootOf(simple[0]))) {
        yield { start: compound.index + simple.index, word: simple[0] };
      }
    }
  }
}

function nodeOf({ text, kind }) {
  if (kind === null) {
    return document.createTextNode(text);
  }
  const made = document.createElement(kind === "only" ? "u" : "mark");
  if (kind !== "shared") {
    made.className = kind;
  }
  made.textContent = text;
  return made;
}
