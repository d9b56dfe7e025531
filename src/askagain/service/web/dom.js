// Elements made of text: nothing in this page is ever read as HTML.

/** An element with attributes and children; strings become text. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) {
    made.setAttribute(attribute, value);
  }
  made.append(...children);
  return made;
}

/** A button that does something. */
export function button(text, onClick, attributes = {}) {
  const made = element("button", { type: "button", ...attributes }, text);
  made.addEventListener("click", onClick);
  return made;
}

/** A link to a page of the forum; just the content if the address is none that a browser should follow. */
export function outwardLink(address, content) {
  if (!isWebAddress(address)) {
    return content;
  }
  return element("a", { href: address, target: "_blank", rel: "noopener noreferrer" }, content);
}

function isWebAddress(address) {
  try {
    return ["http:", "https:"].includes(new URL(address).protocol);
  } catch {
    return false;
  }
}

/** The element with an id. */
export function byId(id) {
  return document.getElementById(id);
}
