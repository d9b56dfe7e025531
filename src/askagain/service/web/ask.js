// Ask: earlier questions while somebody types a new one.

import { post } from "./api.js";
import { button, byId, element } from "./dom.js";
import { withKey } from "./key.js";
import {
  answerOf,
  bodyOf,
  counted,
  isPassing,
  likelihoodLine,
  noticeOf,
  reasonLine,
  theirWords,
  titleOf,
  waitAfter,
} from "./showing.js";

// Fast typists press a key every 100 to 150 ms; a shorter pause would ask for every letter.
const PAUSE = 70;
const SHORTEST_TITLE = 3;
const REASONS = { "only yours": "not in it", "only theirs": "only there" };
const HINT = "They appear here while you type.";
const NOTHING = "Nothing similar has been asked before.";
const NEVER_SURE = "No earlier question is certain enough to be suggested.";
const NOTHING_AT_ALL = "Nothing in the archive comes near it.";

const title = byId("ask-title");
const body = byId("ask-body");
const status = byId("ask-status");
const list = byId("ask-results");
const more = byId("ask-more");
const legend = byId("ask-legend");

let turn = 0;
let timer;
let running = new AbortController();

export function setUpAsk() {
  for (const field of [title, body]) {
    field.addEventListener("input", () => askIn(PAUSE));
  }
  byId("ask-form").addEventListener("submit", (event) => event.preventDefault());
  more.addEventListener("click", async () => {
    await ask({ min_probability: 0, k: 10 });
    byId("ask-results-heading").focus();
  });
}

/** The view is in sight: its fields may have been filled by the browser, or another key is set. */
export function showAsk() {
  return ask();
}

function askIn(milliseconds, limits) {
  clearTimeout(timer);
  timer = setTimeout(() => ask(limits), milliseconds);
}

/** Asks for what is typed now; an answer that comes after a later question is dropped. */
async function ask(limits = {}) {
  clearTimeout(timer);
  running.abort();
  running = new AbortController();
  turn += 1;
  const mine = turn;
  const typed = { title: title.value.trim(), body: body.value };
  if (typed.title.length < SHORTEST_TITLE) {
    tell(HINT, []);
    return;
  }
  try {
    const found = await post("similar", { ...typed, ...limits }, running.signal);
    if (mine === turn) {
      show(typed, found, limits);
    }
  } catch (error) {
    if (mine === turn) {
      explain(error, limits);
    }
  }
}

function show(typed, { matches, threshold }, limits) {
  const isAll = limits.min_probability === 0;
  const some = `${counted(matches.length, "earlier question")} may have your answer.`;
  const none = isAll ? NOTHING_AT_ALL : threshold < 1 ? NOTHING : NEVER_SURE;
  tell(matches.length ? some : none, matches.map((match) => resultOf(typed, match)));
  more.hidden = isAll;
}

function explain(error, limits) {
  tell(noticeOf(error), []);
  if (isPassing(error)) {
    askIn(waitAfter(error), limits);
  }
}

/** Says the same thing once only, so that screen readers do not repeat it after every key. */
function tell(message, results) {
  if (typeof message !== "string") {
    status.replaceChildren(message);
  } else if (status.textContent !== message) {
    status.replaceChildren(element("p", {}, message));
  }
  list.replaceChildren(...results);
  more.hidden = true;
  legend.hidden = results.length === 0;
}

function resultOf(typed, match) {
  const kinds = theirWords(match.reasons);
  return element(
    "li",
    { class: "result" },
    element("h3", {}, titleOf(match, kinds)),
    likelihoodLine(match),
    element("p", { class: "reason" }, ...reasonLine(match.reasons.line, REASONS)),
    ...bodyOf(match, kinds),
    ...answerOf(match),
    feedbackOf(typed, match),
  );
}

function feedbackOf(typed, match) {
  const said = element("p", { class: "said", role: "status" });
  const choices = [
    ["This answers my question", "duplicate", "Recorded: this answers your question."],
    ["Not the same", "not-duplicate", "Recorded: this is another question."],
  ];
  const buttons = choices.map(([text, verdict, thanks]) => {
    const made = button(text, () => judge(made, verdict, thanks), { "aria-pressed": "false" });
    return made;
  });

  async function judge(pressed, verdict, thanks) {
    try {
      if (await withKey(() => post("feedback", { ...typed, id: match.id, verdict }))) {
        said.textContent = thanks;
        buttons.forEach((each) => each.setAttribute("aria-pressed", String(each === pressed)));
      }
    } catch (error) {
      said.replaceChildren(noticeOf(error));
    }
  }

  return element("div", { class: "feedback" }, element("div", { class: "buttons" }, ...buttons), said);
}
