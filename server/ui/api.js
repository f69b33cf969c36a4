// Calls of the server: the key, large ids, errors, and what took how long.

const kKeyName = "lamina-api-key";

export function key() {
  return sessionStorage.getItem(kKeyName) ?? "";
}

export function setKey(text) {
  if (text) sessionStorage.setItem(kKeyName, text);
  else sessionStorage.removeItem(kKeyName);
}

// An answer that is not a success. `status` is 0 when there was none.
export class Failure extends Error {
  constructor(status, text) {
    super(text);
    this.status = status;
  }
}

// Ids may have 20 digits and numbers of JavaScript 15, so long ones become
// strings. Within a string of JSON a quote has a backslash before it, so that
// only real members are found.
export function parseJson(text) {
  const quoted = text.replace(
      /([{,]\s*)"(id|next_page_offset)"\s*:\s*(\d{16,})/g, '$1"$2":"$3"');
  return JSON.parse(quoted);
}

// An id as JSON: digits are a number, all else is a string.
export function idAsJson(id) {
  return /^\d+$/.test(String(id)) ? String(id) : JSON.stringify(id);
}

// {parse: 0.01, engine: 0.2, ...} in milliseconds.
export function serverTiming(header) {
  const layers = {};
  for (const part of (header ?? "").split(",")) {
    const found = /^\s*(\w+);dur=([\d.]+)/.exec(part);
    if (found) layers[found[1]] = Number(found[2]);
  }
  return layers;
}

function failureOf(status, text) {
  try {
    const body = JSON.parse(text);
    return new Failure(status, body.status?.error ?? body.detail ?? text);
  } catch {
    return new Failure(status, text.slice(0, 300) || `HTTP status ${status}`);
  }
}

// Returns {result, layers}. `layers` holds parse, engine, encode and, for all
// that the server does not see, network.
export async function call(method, path, body) {
  const headers = {"Lamina-Timing": "1"};
  if (key()) headers["api-key"] = key();
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const began = performance.now();
  let response, text;
  try {
    response = await fetch(path, {method, headers, body, cache: "no-store"});
    text = await response.text();
  } catch {
    throw new Failure(0, "The server does not answer.");
  }
  const took = performance.now() - began;
  if (!response.ok) throw failureOf(response.status, text);
  const {parse = 0, engine = 0, encode = 0, total = 0} =
      serverTiming(response.headers.get("Server-Timing"));
  const network = Math.max(0, took - total);
  return {result: parseJson(text).result, layers: {parse, engine, encode, network}};
}

export function collectionPath(name) {
  return "/collections/" + encodeURIComponent(name);
}
