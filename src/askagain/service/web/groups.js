// Moderate, groups: questions that ask the same, and where they are redirected to.

import { getBlob, getJson, post } from "./api.js";
import { button, byId, element } from "./dom.js";
import { withKey } from "./key.js";
import { answerOf, counted, filled, noticeOf, percent, titleOf } from "./showing.js";

// What is less likely than not makes groups of strangers.
const LIKELY = 0.5;
const IN_A_PAGE = 100;

const notice = byId("groups-notice");
const list = byId("groups-list");
const more = byId("groups-more");

let next = null;

export function setUpGroups() {
  more.addEventListener("click", showMore);
  byId("redirects").addEventListener("click", () => filled(notice, downloadRedirects));
}

/** The view is in sight. */
export function showGroups() {
  return filled(notice, async () => {
    list.replaceChildren(...(await nextGroups(null)));
    if (!list.hasChildNodes()) {
      list.append(element("li", {}, "No question has been asked twice so far."));
    }
  });
}

function showMore() {
  return filled(notice, async () => {
    const groups = await nextGroups(next);
    list.append(...groups);
    groups[0]?.querySelector("h2").focus();
  });
}

async function nextGroups(after) {
  const page = await getJson("groups", { min_probability: LIKELY, limit: IN_A_PAGE, after });
  next = page.next;
  more.hidden = next === null;
  const open = page.groups.filter((group) => !isConfirmed(group));
  return [...open, ...page.groups.filter(isConfirmed)].map(groupOf);
}

function isConfirmed(group) {
  return group.members.every((member) => member.confirmed);
}

function groupOf(group) {
  const members = group.members.map(memberOf);
  return element(
    "li",
    { class: "result" },
    element("h2", { class: "result-heading", tabindex: "-1" }, titleOf(group.canonical)),
    element("p", { class: "probability" }, summaryOf(group)),
    element("p", {}, `Kept under this question: ${group.why}.`),
    ...answerOf(group.canonical),
    element("ul", { class: "members" }, ...members.map(({ item: member }) => member)),
    ...confirmationOf(group, members),
  );
}

function summaryOf(group) {
  const weakest = group.weakest === null ? [] : [`weakest pair ${percent(group.weakest)}`];
  return [`asked ${counted(group.size, "time")}`, ...weakest].join(" · ");
}

/** A line for a question of a group, with a way to tell that it is confirmed. */
function memberOf(member) {
  const probability = member.probability === null ? "linked through others" : percent(member.probability);
  const state = element("span", { class: "quiet" }, member.confirmed ? "confirmed" : probability);
  return {
    id: member.id,
    isConfirmed: member.confirmed,
    item: element("li", {}, titleOf(member), " ", state),
    confirm() {
      this.isConfirmed = true;
      state.textContent = "confirmed";
    },
  };
}

function confirmationOf(group, members) {
  if (isConfirmed(group)) {
    return [];
  }
  const said = element("p", { class: "said", role: "status" });
  const confirm = button("Confirm all", async () => {
    try {
      if (await withKey(() => confirmAll(group.canonical.id, members))) {
        said.textContent = "Confirmed: all of them are duplicates.";
        confirm.setAttribute("aria-disabled", "true");
      }
    } catch (error) {
      said.replaceChildren(noticeOf(error));
    }
  });
  return [element("div", { class: "feedback" }, element("div", { class: "buttons" }, confirm), said)];
}

async function confirmAll(canonical, members) {
  for (const member of members.filter(({ isConfirmed }) => !isConfirmed)) {
    await post("marks", { first: canonical, second: member.id, verdict: "duplicate" });
    member.confirm();
  }
}

/** By script, because a plain link cannot send the key. */
async function downloadRedirects() {
  const address = URL.createObjectURL(await getBlob("redirects.csv"));
  element("a", { href: address, download: "redirects.csv" }).click();
  URL.revokeObjectURL(address);
}
