// The moderators' queue: pairs that wait, and what was said of those before.

import { getJson, post, remove } from "./api.js";

const FEW = 5;
const IN_A_PAGE = 20;

export class Queue {
  #waiting = [];
  #history = [];
  #seen = new Set();
  #next = null;
  progress = { done: 0, total: 0 };

  /** The pair to judge; undefined if none waits. */
  get current() {
    return this.#waiting[0];
  }

  get judged() {
    return this.#history.filter(({ verdict }) => verdict !== null).length;
  }

  /** The last step, `{pair, verdict}`; undefined if there is none to take back. */
  get last() {
    return this.#history.at(-1);
  }

  /** Whether more pairs may come up: the archive is not looked through yet. */
  get isGrowing() {
    return this.progress.done < this.progress.total;
  }

  /** Looks at the queue from its start, where the likeliest pairs are; the current one stays. */
  async refresh() {
    const page = await getJson("duplicates", { limit: IN_A_PAGE });
    this.#waiting.splice(1);
    this.#take(page);
    await this.fill();
  }

  /** Loads pages as long as few pairs wait. */
  async fill() {
    while (this.#waiting.length < FEW && this.#next !== null) {
      this.#take(await getJson("duplicates", { limit: IN_A_PAGE, after: this.#next }));
    }
  }

  #take(page) {
    this.progress = page.progress;
    this.#next = page.next;
    const known = new Set([...this.#seen, ...this.#waiting.map(nameOf)]);
    this.#waiting.push(...page.pairs.filter((pair) => !known.has(nameOf(pair))));
  }

  /** Marks the current pair, or skips it if the verdict is null. */
  async judge(verdict) {
    const pair = this.current;
    if (verdict !== null) {
      await post("marks", { first: pair.first.id, second: pair.second.id, verdict });
    }
    this.#seen.add(nameOf(pair));
    this.#history.push({ pair, verdict });
    this.#waiting.shift();
  }

  /** Takes the last step back: its mark is withdrawn and its pair is the current one again. */
  async undo() {
    const { pair, verdict } = this.last;
    if (verdict !== null) {
      await remove("marks", { first: pair.first.id, second: pair.second.id });
    }
    this.#history.pop();
    this.#seen.delete(nameOf(pair));
    this.#waiting.unshift(pair);
  }
}

function nameOf(pair) {
  return JSON.stringify([pair.first.id, pair.second.id]);
}
