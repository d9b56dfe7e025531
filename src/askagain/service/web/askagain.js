// Suggests earlier questions while somebody types a new one. A page with such a form adds
//   <script src="https://HOST/static/askagain.js" data-title="#title" data-body="#body" defer></script>
// data-title and data-body select the form's fields; data-limit (5) and data-heading are optional.
"use strict";

(() => {
  const script = document.currentScript;
  const { title: titleField = "#title", body: bodyField, heading = "Has this been asked before?" } = script.dataset;
  const limit = Number.parseInt(script.dataset.limit, 10) || 5;
  const service = new URL("../v1/similar", script.src);
  const box = element("div", { class: "askagain", role: "region", "aria-live": "polite", "aria-label": heading });
  let timer = 0;
  let latest = new AbortController();

  // Listening on the whole document also serves forms that are not there yet.
  document.addEventListener("input", ({ target }) => {
    if (!target.matches(titleField) && !(bodyField && target.matches(bodyField))) return;
    clearTimeout(timer);
    timer = setTimeout(suggest, 150);
  });

  async function suggest() {
    latest.abort();
    const mine = (latest = new AbortController());
    const field = document.querySelector(titleField);
    if (!field) return;
    if (!box.isConnected) (field.closest("label") ?? field).after(box);
    const title = start(field.value.trim(), 1000);
    const body = start((bodyField && document.querySelector(bodyField)?.value) || "", 10000);
    const matches = title.length < 3 ? [] : await ask({ title, body, k: limit, explain: false }, mine.signal);
    if (mine === latest) show(matches); // or a later question has been asked meanwhile
  }

  // A form must work without suggestions too: a service that fails has none.
  function ask(question, signal) {
    const headers = { "Content-Type": "application/json" };
    return fetch(service, { method: "POST", headers, body: JSON.stringify(question), credentials: "omit", signal })
      .then((reply) => (reply.ok ? reply.json() : { matches: [] }))
      .then(({ matches }) => matches, () => []);
  }

  function show(matches) {
    const list = element("ul", { role: "list" });
    for (const { title, url } of matches) {
      const link = /^https?:\/\//i.test(url ?? "") && { href: url, target: "_blank", rel: "noopener" };
      list.appendChild(element("li", {})).append(link ? element("a", link, title) : element("span", {}, title));
    }
    box.replaceChildren(...(matches.length ? [element("p", {}, heading), list] : []));
  }

  function element(name, attributes, text = "") {
    const made = Object.assign(document.createElement(name), { textContent: text });
    for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
    return made;
  }

  // Not with half of a character that takes two units of UTF-16.
  const start = (text, most) => text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "");
})();
