// Which view is in sight is told by what stands behind the # of the address.

import { getJson } from "./api.js";
import { setUpAsk, showAsk } from "./ask.js";
import { setUpCompare, showCompare } from "./compare.js";
import { byId } from "./dom.js";
import { setUpGroups, showGroups } from "./groups.js";
import { showInsight } from "./insight.js";
import { setUpKeyDialog } from "./key.js";
import { setUpPairs, showPairs } from "./moderate.js";
import { counted } from "./showing.js";

const VIEWS = {
  ask: { name: "Ask", section: "view-ask", show: showAsk },
  moderate: { name: "Moderate", section: "view-moderate", panel: "pairs", show: showPairs },
  "moderate/groups": { name: "Groups", section: "view-moderate", panel: "groups", show: showGroups },
  insight: { name: "Insight", section: "view-insight", show: showInsight },
  compare: { name: "Try the models", section: "view-compare", show: showCompare },
};
const DEFAULT = "ask";
const SECTIONS = ["view-ask", "view-moderate", "view-insight", "view-compare"];
const PANELS = ["pairs", "groups"];

function currentName() {
  const name = location.hash.slice(1);
  return Object.hasOwn(VIEWS, name) ? name : DEFAULT;
}

function showCurrent() {
  const name = currentName();
  const view = VIEWS[name];
  for (const id of SECTIONS) {
    byId(id).hidden = id !== view.section;
  }
  for (const id of PANELS) {
    byId(id).hidden = id !== view.panel;
  }
  for (const link of document.querySelectorAll("nav a")) {
    tellWhetherCurrent(link, name);
  }
  document.title = `${view.name} · askagain`;
  view.show();
}

function tellWhetherCurrent(link, name) {
  const target = link.hash.slice(1);
  const isInside = link.closest("header") !== null && name.startsWith(`${target}/`);
  if (target === name || isInside) {
    link.setAttribute("aria-current", target === name ? "page" : "true");
  } else {
    link.removeAttribute("aria-current");
  }
}

function navigate() {
  showCurrent();
  byId(VIEWS[currentName()].section).querySelector("h1").focus();
}

function skipToContent(event) {
  event.preventDefault();
  byId("main").focus();
}

async function tellWhatIsServed() {
  const about = await getJson("about").catch(() => null);
  if (about) {
    byId("served").textContent =
      `askagain ${about.version} · ${counted(about.questions, "question")} · ${about.system}`;
  }
}

setUpKeyDialog();
setUpAsk();
setUpPairs();
setUpGroups();
setUpCompare();
document.querySelector(".skip").addEventListener("click", skipToContent);
addEventListener("hashchange", navigate);
document.addEventListener("newkey", showCurrent);
showCurrent();
tellWhatIsServed();
if (currentName() === DEFAULT) {
  byId("ask-title").focus();
}
