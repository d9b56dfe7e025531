// Insight: the archive, its marks and its model in numbers.

import { getJson } from "./api.js";
import { byId, element } from "./dom.js";
import { counted, filled, percent, titleOf } from "./showing.js";

const PICTURES = {
  reliability: "Calibration: how many of the pairs with a given probability are duplicates",
  "precision-recall": "Precision and recall of the suggestions at every threshold",
  pretraining: "Learning curve of the pre-training",
  finetuning: "Learning curve of the fine-tuning",
};

/** The view is in sight. */
export function showInsight() {
  return filled(byId("insight-notice"), async () => {
    const [insight, about] = await Promise.all([getJson("insight"), getJson("about")]);
    byId("insight-content").replaceChildren(
      figuresOf(insight),
      ...monthsOf(insight.months),
      ...faqOf(insight.groups),
      modelOf(about),
    );
  });
}

function figuresOf(insight) {
  const { questions, marks, feedback, precision, queue } = insight;
  const marked = marks.duplicate + marks.not_duplicate;
  const told = feedback.duplicate + feedback.not_duplicate;
  return element(
    "dl",
    { class: "figures" },
    figure("Questions", number(questions)),
    figure("Pairs marked", number(marked), `${number(marks.duplicate)} as duplicates`),
    figure("Suggestions right", ...precisionOf(precision)),
    figure("Feedback", number(told), `${number(feedback.duplicate)} found an answer`),
    figure("Pairs to judge", number(queue.pairs), lookedThrough(queue)),
  );
}

function lookedThrough({ done, total }) {
  return `${total ? Math.floor((100 * done) / total) : 100} % of the archive looked through`;
}

function precisionOf({ confirmed, rejected, share }) {
  if (share === null) {
    return ["–", "nobody has judged one yet"];
  }
  return [`${Math.round(100 * share)} %`, `${number(confirmed)} of ${number(confirmed + rejected)} judged`];
}

function figure(name, value, remark = "in the archive") {
  return element(
    "div",
    {},
    element("dt", {}, name),
    element("dd", { class: "value" }, value),
    element("dd", { class: "quiet" }, remark),
  );
}

function monthsOf(months) {
  if (!months.length) {
    return [];
  }
  const heads = ["Month", "Right", "Wrong", "Share"].map((text) => element("th", { scope: "col" }, text));
  return [
    element("h2", {}, "Suggestions by month"),
    element(
      "table",
      {},
      element("thead", {}, element("tr", {}, ...heads)),
      element("tbody", {}, ...months.map(monthOf)),
    ),
  ];
}

function monthOf({ month, confirmed, rejected }) {
  const share = confirmed / (confirmed + rejected);
  const label = `${Math.round(100 * share)} %`;
  const meter = element("meter", { max: "1", value: String(share), "aria-label": `${month}: ${label}` });
  return element(
    "tr",
    {},
    element("th", { scope: "row" }, month),
    element("td", {}, number(confirmed)),
    element("td", {}, number(rejected)),
    element("td", {}, meter, ` ${label}`),
  );
}

function faqOf(groups) {
  if (!groups.length) {
    return [];
  }
  return [
    element("h2", {}, "What people ask again and again"),
    element("ol", { class: "faq" }, ...groups.map(repeatedOf)),
  ];
}

function repeatedOf({ canonical, size }) {
  const often = element("span", { class: "quiet" }, `asked ${counted(size, "time")}`);
  return element("li", {}, titleOf(canonical), " ", often);
}

function modelOf(about) {
  const origin = about.calibrated
    ? "Its probabilities were learned from the marks of this archive."
    : "Its probabilities come from other forums, until it is trained on the marks of this one.";
  return element(
    "section",
    { "aria-labelledby": "model-heading" },
    element("h2", { id: "model-heading" }, "The model"),
    element("p", {}, element("strong", {}, about.system), `: ${about.description}.`),
    element("p", {}, `${origin} ${thresholdOf(about)}`),
    element("div", { class: "pictures" }, ...about.pictures.map(pictureOf)),
    ...cardOf(about.card),
  );
}

function thresholdOf({ threshold }) {
  return threshold < 1
    ? `Below ${percent(threshold)} nothing is suggested.`
    : "On its marks it is never sure enough, so it suggests nothing unless asked for less likely ones.";
}

function pictureOf(address) {
  const name = address.split("/").at(-1).replace(/\.svg$/, "");
  const caption = PICTURES[name] ?? name;
  const image = element("img", { src: address.replace(/^\//, ""), alt: caption, loading: "lazy" });
  return element("figure", {}, image, element("figcaption", { class: "quiet" }, caption));
}

function cardOf(card) {
  if (!card) {
    return [];
  }
  const text = element("pre", { tabindex: "0" }, card);
  return [element("details", {}, element("summary", {}, "Model card"), text)];
}

function number(value) {
  return value.toLocaleString("en");
}
