// Moderate, pairs: one at a time, side by side, judged by buttons or keys.

import { byId, element } from "./dom.js";
import { withKey } from "./key.js";
import { Queue } from "./queue.js";
import {
  answerOf,
  bodyOf,
  filled,
  likelihoodLine,
  noticeOf,
  percent,
  reasonLine,
  theirWords,
  titleOf,
  yourWords,
} from "./showing.js";

const MILLISECONDS_BETWEEN_LOOKS = 3000;
const EMPTY = "Nothing is left to judge.";
const EMPTY_SO_FAR = "Nothing to judge yet: the archive is still being looked through.";
const REASONS = { "only yours": "only in the first", "only theirs": "only in the second" };
const STEPS = {
  d: { id: "pair-duplicate", verdict: "duplicate", said: "Marked as duplicate." },
  n: { id: "pair-different", verdict: "not-duplicate", said: "Marked as not a duplicate." },
  s: { id: "pair-skip", verdict: null, said: "Skipped." },
};
const UNDO = { key: "u", id: "pair-undo", said: "Taken back." };

const panel = byId("pairs");
const notice = byId("pairs-notice");
const said = byId("pair-said");

const queue = new Queue();
let isBusy = false;
let timer;
let shown;

export function setUpPairs() {
  for (const step of Object.values(STEPS)) {
    byId(step.id).addEventListener("click", () => judge(step));
  }
  byId(UNDO.id).addEventListener("click", undo);
  document.addEventListener("keydown", onKey);
}

/** The view is in sight. */
export function showPairs() {
  clearTimeout(timer);
  return filled(notice, look);
}

async function look() {
  await queue.refresh();
  show();
  if (queue.isGrowing) {
    timer = setTimeout(() => panel.checkVisibility() && showPairs(), MILLISECONDS_BETWEEN_LOOKS);
  }
}

async function judge({ verdict, said: message }) {
  if (queue.current) {
    await take(() => queue.judge(verdict), verdict, message);
  }
}

async function undo() {
  if (queue.last) {
    await take(() => queue.undo(), queue.last.verdict, UNDO.said);
  }
}

/** Takes one step after the other: a key pressed while a mark is on its way is not for the next pair. */
async function take(step, verdict, message) {
  if (isBusy) {
    return;
  }
  isBusy = true;
  try {
    if (await isDone(step, verdict)) {
      said.textContent = message;
      show();
    }
  } catch (error) {
    said.replaceChildren(noticeOf(error));
  } finally {
    isBusy = false;
  }
  await filled(notice, loadMore);
}

/** To skip a pair needs no key. */
async function isDone(step, verdict) {
  if (verdict !== null) {
    return withKey(step);
  }
  await step();
  return true;
}

async function loadMore() {
  await queue.fill();
  show();
}

function onKey(event) {
  const modified = event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || event.repeat;
  if (modified || isTyping(event.target) || !panel.checkVisibility() || !byId("pair-keys").checked) {
    return;
  }
  const key = event.key.toLowerCase();
  if (key === UNDO.key) {
    undo();
  } else if (Object.hasOwn(STEPS, key)) {
    judge(STEPS[key]);
  }
}

function isTyping(target) {
  const field = "input:not([type=checkbox]), textarea, select, [contenteditable]";
  return target.matches(field) || document.querySelector("dialog[open]") !== null;
}

function show() {
  const pair = queue.current;
  showProgress();
  byId("pair").hidden = !pair;
  byId("pairs-empty").textContent = pair ? "" : queue.isGrowing ? EMPTY_SO_FAR : EMPTY;
  for (const { id } of Object.values(STEPS)) {
    byId(id).disabled = !pair;
  }
  byId(UNDO.id).disabled = !queue.last;
  if (pair && pair !== shown) {
    showPair(pair);
  }
  shown = pair;
}

function showProgress() {
  const { done, total } = queue.progress;
  const share = total ? done / total : 1;
  byId("pairs-bar").value = share;
  byId("pairs-progress").textContent =
    `${queue.judged} judged in this session; the archive is looked through: ${wholePercent(share)}`;
}

function wholePercent(share) {
  return share === 0 || share === 1 ? `${100 * share} %` : percent(share);
}

function showPair(pair) {
  byId("pair-judgement").replaceChildren(
    likelihoodLine(pair),
    element("p", { class: "reason" }, ...reasonLine(pair.reasons.line, REASONS)),
  );
  showQuestion(byId("pair-first"), pair.first, yourWords(pair.reasons));
  showQuestion(byId("pair-second"), pair.second, theirWords(pair.reasons));
}

function showQuestion(article, question, kinds) {
  article.replaceChildren(
    element("h3", {}, titleOf(question, kinds)),
    ...bodyOf(question, kinds),
    ...answerOf(question, { open: true }),
  );
}
