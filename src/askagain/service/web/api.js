// Calls of the service. The key is kept for this tab only, and is sent in a header only.

const KEY = "askagain-key";

/** The service has answered with an error. */
export class Problem extends Error {
  constructor(status, detail, retryAfter) {
    super(detail);
    this.status = status;
    this.retryAfter = retryAfter;
  }

  get isAboutKey() {
    return this.status === 401 || this.status === 403;
  }

  get isPassing() {
    return this.status === 429 || this.status === 503;
  }
}

/** The service has not answered. */
export class Unreachable extends Error {
  constructor() {
    super("The service cannot be reached.");
  }
}

export function currentKey() {
  return sessionStorage.getItem(KEY) ?? "";
}

export function keepKey(key) {
  sessionStorage.setItem(KEY, key);
}

export function forgetKey() {
  sessionStorage.removeItem(KEY);
}

/** Throws the service's problem with a key, if it has one. */
export async function checkKey(key) {
  await call("about", { headers: { Authorization: `Bearer ${key}` } });
}

export function getJson(path, parameters = {}) {
  return call(`${path}${queryOf(parameters)}`).then((response) => response.json());
}

export function getBlob(path) {
  return call(path).then((response) => response.blob());
}

export function post(path, value, signal) {
  const headers = { "Content-Type": "application/json" };
  const options = { method: "POST", headers, body: JSON.stringify(value), signal };
  return call(path, options).then((response) => response.json());
}

export function remove(path, parameters) {
  return call(`${path}${queryOf(parameters)}`, { method: "DELETE" });
}

function queryOf(parameters) {
  const given = Object.entries(parameters).filter(([, value]) => value !== null && value !== undefined);
  return given.length ? `?${new URLSearchParams(given)}` : "";
}

async function call(path, options = {}) {
  const response = await fetch(`v1/${path}`, {
    credentials: "omit",
    ...options,
    headers: { ...authorization(), ...options.headers },
  }).catch((error) => {
    throw error.name === "AbortError" ? error : new Unreachable();
  });
  if (!response.ok) {
    throw await problemOf(response);
  }
  return response;
}

function authorization() {
  const key = currentKey();
  return key ? { Authorization: `Bearer ${key}` } : {};
}

async function problemOf(response) {
  const told = await response.json().catch(() => ({}));
  const faults = (told.errors ?? []).map((fault) => `${fault.path}: ${fault.detail}`);
  const detail = [told.detail ?? `The service answers ${response.status}.`, ...faults].join("; ");
  return new Problem(response.status, detail, Number(response.headers.get("Retry-After")) || 1);
}
