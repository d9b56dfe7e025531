// What several views show in the same way: probabilities, reasons, questions, problems.

import { Problem, Unreachable } from "./api.js";
import { element, button, outwardLink } from "./dom.js";
import { offerKeyDialog } from "./key.js";
import { highlighted, kindsOf } from "./words.js";

const LIKELIHOODS = [
  [0.9, "almost certainly a duplicate"],
  [0.5, "likely duplicate"],
  [0.2, "possible duplicate"],
  [0, "unlikely duplicate"],
];
const ISO_DATE = /^\d{4}-\d\d-\d\d/;
const DATE = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });
const WORTH_A_LOOK = 0.2;

/** 0.693 as "69 %"; never 0 or 100, because nobody is so sure. */
export function percent(share) {
  const rounded = Math.round(100 * share);
  if (rounded < 1 || rounded > 99) {
    return rounded < 1 ? "below 1 %" : "above 99 %";
  }
  return `${rounded} %`;
}

/** "likely duplicate · 69 %", or the score of a system without probabilities; faint if it says little. */
export function likelihoodLine({ probability, score }, ...remarks) {
  const style = probability >= WORTH_A_LOOK ? "probability" : "probability faint";
  const told = probability === null ? `score ${score.toFixed(2)}` : wordsFor(probability);
  return element("p", { class: style }, [told, ...remarks].join(" · "));
}

function wordsFor(probability) {
  const [, words] = LIKELIHOODS.find(([least]) => probability >= least);
  return `${words} · ${percent(probability)}`;
}

/** 1 and "group" as "1 group", 2 as "2 groups". */
export function counted(number, noun) {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}

/** Of reasons: the kinds of the found question's words. */
export function theirWords(reasons) {
  return wordKinds(reasons, "theirs");
}

/** Of reasons: the kinds of the asked question's words. */
export function yourWords(reasons) {
  return wordKinds(reasons, "yours");
}

function wordKinds(reasons, side) {
  return kindsOf({
    shared: reasons.shared.map(({ word }) => word),
    similar: reasons.similar.map((pair) => pair[side]),
    only: reasons[`only_${side}`].map(({ word }) => word),
  });
}

/** The reason line in pieces, "same: usb; only yours: dell", with a view's own names for the kinds. */
export function reasonLine(line, names) {
  return line.split("; ").map((piece) => {
    const [, kind, words] = piece.match(/^([a-z ]+): (.*)$/) ?? ["", "", piece];
    return reasonPiece(names[kind] ?? kind, words);
  });
}


function reasonPiece(kind, words) {
  const told = element("bdi", {}, words);
  const named = kind ? [element("span", { class: "kind" }, `${kind}:`), " ", told] : [told];
  return element("span", { class: "piece" }, ...named);
}

/** The title, as a link if the question has an address. */
export function titleOf(question, kinds = new Map()) {
  const text = element("bdi", {}, highlighted(question.title, kinds));
  return outwardLink(question.url, text);
}

/** The excerpt of the body, and the day. */
export function bodyOf(question, kinds) {
  const parts = [];
  if (question.excerpt) {
    parts.push(element("p", { class: "excerpt", dir: "auto" }, highlighted(question.excerpt, kinds)));
  }
  const day = dayOf(question.created);
  if (day) {
    parts.push(element("p", { class: "quiet" }, `Asked on ${day}`));
  }
  return parts;
}

/** "19 Jan 2021"; empty for what is no date in ISO's form, of which browsers make any day they like. */
function dayOf(created) {
  const time = ISO_DATE.test(created) ? Date.parse(created) : NaN;
  return Number.isNaN(time) ? "" : DATE.format(time);
}

/** The answer, to be unfolded; nothing if there is none. */
export function answerOf(question, { open = false } = {}) {
  if (!question.answer) {
    return [];
  }
  const folded = element(
    "details",
    {},
    element("summary", {}, "The answer"),
    element("p", { dir: "auto" }, question.answer),
  );
  folded.open = open;
  return [folded];
}

/** What went wrong, in a paragraph; with a button if a key may help. */
export function noticeOf(error) {
  if (!(error instanceof Problem || error instanceof Unreachable)) {
    throw error;
  }
  const notice = element("p", { class: "notice" }, error.message);
  if (error.isAboutKey) {
    notice.append(" ", button("Enter a key", () => offerKeyDialog(error.message)));
  }
  return notice;
}

/** Whether the same call may succeed a little later. */
export function isPassing(error) {
  return error instanceof Unreachable || (error instanceof Problem && error.isPassing);
}

/** How long to wait before that, in milliseconds. */
export function waitAfter(error) {
  return 1000 * (error.retryAfter ?? 2);
}

/** Does what fills a view; if that fails the notice says why, and it is tried again if that may help. */
export async function filled(notice, work) {
  try {
    await work();
    notice.replaceChildren();
  } catch (error) {
    notice.replaceChildren(noticeOf(error));
    if (isPassing(error)) {
      setTimeout(() => notice.checkVisibility() && filled(notice, work), waitAfter(error));
    }
  }
}
