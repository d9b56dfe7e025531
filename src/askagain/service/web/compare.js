// Try the models: one question, two systems, side by side.

import { getJson, post } from "./api.js";
import { byId, element } from "./dom.js";
import { filled, likelihoodLine, titleOf } from "./showing.js";

const SHOWN = 5;
const SIDES = ["left", "right"];

const notice = byId("compare-notice");
const query = byId("compare-query");

let descriptions = new Map();
let turn = 0;

export function setUpCompare() {
  byId("compare-form").addEventListener("submit", (event) => {
    event.preventDefault();
    compare();
  });
  for (const side of SIDES) {
    selectOf(side).addEventListener("change", () => query.value.trim() && compare());
  }
}

/** The view is in sight. */
export function showCompare() {
  return filled(notice, async () => {
    const { systems } = await getJson("about");
    descriptions = new Map(systems.map(({ name, description }) => [name, description]));
    SIDES.forEach((side, place) => offer(selectOf(side), systems, place));
  });
}

function selectOf(side) {
  return byId(`compare-${side}`);
}

/** Fills a list of systems once; the one at `place` is chosen at first. */
function offer(select, systems, place) {
  if (select.options.length) {
    return;
  }
  select.append(...systems.map(({ name }) => element("option", { value: name }, name)));
  select.selectedIndex = Math.min(place, systems.length - 1);
}

function compare() {
  const mine = ++turn;
  const title = query.value.trim();
  const [leftSystem, rightSystem] = SIDES.map((side) => selectOf(side).value);
  return filled(notice, async () => {
    const left = await timed(leftSystem, title);
    const right = await timed(rightSystem, title);
    if (mine !== turn) {
      return;
    }
    const both = new Set(left.ids.filter((id) => right.ids.includes(id)));
    show("left", left, both);
    show("right", right, both);
  });
}

/** One after the other, so that neither waits for the other. */
async function timed(system, title) {
  const asked = { title, k: SHOWN, min_probability: 0, explain: false, system };
  const started = performance.now();
  const { matches } = await post("similar", asked);
  const milliseconds = Math.round(performance.now() - started);
  return { system, matches, milliseconds, ids: matches.map(({ id }) => id) };
}

function show(side, { system, matches, milliseconds }, both) {
  const inBoth = matches.filter(({ id }) => both.has(id)).length;
  byId(`compare-${side}-results`).replaceChildren(
    element("h2", {}, system),
    element("p", {}, descriptions.get(system)),
    element("p", { class: "quiet" }, `${milliseconds} ms · ${inBoth} of ${matches.length} in both`),
    element("ol", { class: "results" }, ...matches.map((match) => resultOf(match, both.has(match.id)))),
  );
}

function resultOf(match, isInBoth) {
  const remarks = isInBoth ? ["in both"] : [];
  return element(
    "li",
    { class: "result" },
    element("h3", {}, titleOf(match)),
    likelihoodLine(match, ...remarks),
  );
}
