// The dialog for the key, and what needs one.

import { Problem, checkKey, currentKey, forgetKey, keepKey } from "./api.js";
import { byId } from "./dom.js";

const dialog = byId("key-dialog");
const input = byId("key-input");
const problem = byId("key-problem");

// A header can carry no other characters.
const SENDABLE = /^[\x21-\x7e]+$/;

export function setUpKeyDialog() {
  byId("key-button").addEventListener("click", () => offerKeyDialog());
  byId("key-form").addEventListener("submit", useTypedKey);
  byId("key-cancel").addEventListener("click", () => dialog.close("kept"));
  byId("key-remove").addEventListener("click", () => {
    forgetKey();
    dialog.close("removed");
  });
  dialog.addEventListener("close", tellWhetherSet);
  tellWhetherSet();
}

/** Opens the dialog; with another key the view in sight is filled anew. */
export async function offerKeyDialog(detail = "") {
  if (await askForKey(detail)) {
    document.dispatchEvent(new Event("newkey"));
  }
}

/** Opens the dialog; says whether a key was given. */
function askForKey(detail) {
  tellProblem(detail);
  input.value = "";
  byId("key-remove").hidden = !currentKey();
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "given"), { once: true });
  });
}

/** Does what needs a key, and asks for another one as often as the service does; says whether it was done. */
export async function withKey(work) {
  if (!currentKey() && !(await askForKey("This needs a key."))) {
    return false;
  }
  for (;;) {
    try {
      await work();
      return true;
    } catch (error) {
      if (!(error instanceof Problem && error.isAboutKey)) {
        throw error;
      }
      if (!(await askForKey(error.message))) {
        return false;
      }
    }
  }
}

async function useTypedKey(event) {
  event.preventDefault();
  const key = input.value.trim();
  if (!SENDABLE.test(key)) {
    tellProblem("A key has no spaces and none but plain characters.");
    return;
  }
  try {
    await checkKey(key);
  } catch (error) {
    tellProblem(error.message);
    input.select();
    return;
  }
  keepKey(key);
  dialog.close("given");
}

function tellProblem(detail) {
  problem.textContent = detail;
  problem.hidden = !detail;
}

function tellWhetherSet() {
  byId("key-button").textContent = `Your key: ${currentKey() ? "set" : "none"}`;
}
