// The page: which collection is looked at, what is asked of it, what comes back.
// Whatever a collection holds is shown as text and never as markup.
import {call, collectionPath, Failure, idAsJson, key, setKey} from "/ui/api.js";
import {parseFilter, parseQuery} from "/ui/language.js";
import {showLatency} from "/ui/latency.js";

const byId = (id) => document.getElementById(id);

let collection = null;  // {name, points, size, distance}
let offsets = [];       // Where the pages up to this one begin, as JSON; "" is the first.
let nextOffset = null;
let repeating = null;   // The timer, while requests repeat.
let asked = 0;          // Answers that come after a later question are dropped.

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

function showStatus(kind, text) {
  byId("status").className = `status ${kind}`;
  byId("status").textContent = text;
}

function showProblem(text) {
  byId("problem").textContent = text;
  byId("problem").hidden = text === "";
}

// Calls the server and keeps the head of the page true.
async function ask(method, path, body) {
  try {
    const answer = await call(method, path, body);
    showStatus("good", "connected");
    return answer;
  } catch (failure) {
    const kind = failure.status === 401 ? "key needed" : "trouble";
    showStatus(failure.status === 0 || failure.status === 401 ? "bad" : "good",
               failure.status === 0 ? "not reachable" : kind);
    if (failure.status === 401) openKeyDialog();
    throw failure;
  }
}

function report(failure) {
  if (!(failure instanceof Failure) && !(failure instanceof Error)) throw failure;
  showProblem(failure.message);
}

// Collections.

const count = (value) => value.toLocaleString("en");

async function describe(name) {
  const {result} = await ask("GET", collectionPath(name));
  const vectors = result.config?.params?.vectors ?? {};
  return {name, points: result.points_count ?? 0, size: vectors.size,
          distance: vectors.distance, state: result.status};
}

function showCollections(list) {
  byId("collections").replaceChildren(...list.map((item) => {
    const button = make("button", {type: "button", onclick: () => choose(item)},
        make("strong", {}, item.name),
        make("span", {class: "quiet"}, `${count(item.points)} points · ${item.size}`));
    if (item.name === collection?.name) button.setAttribute("aria-current", "true");
    return make("li", {}, button);
  }));
  byId("empty").hidden = list.length > 0;
  byId("collection").hidden = list.length === 0;
}

let known = [];

async function loadCollections() {
  try {
    const {result} = await ask("GET", "/collections");
    known = await Promise.all(result.collections.map(({name}) => describe(name)));
  } catch (failure) {
    report(failure);
    return;
  }
  const wanted = decodeURIComponent(location.hash.slice(1));
  const again = known.find(({name}) => name === (collection?.name ?? wanted)) ?? known[0];
  showCollections(known);
  if (again) choose(again);
}

function choose(item) {
  const isOther = item.name !== collection?.name;
  collection = item;
  showCollections(known);
  byId("name").textContent = item.name;
  history.replaceState(null, "", "#" + encodeURIComponent(item.name));
  const facts = {points: count(item.points), dimension: item.size,
                 distance: item.distance, state: item.state};
  byId("facts").replaceChildren(...Object.entries(facts).map(([name, value]) =>
      make("div", {}, make("dt", {}, name), make("dd", {}, String(value ?? "unknown")))));
  if (isOther) {
    byId("query").value = "";
    byId("filter").value = "";
  }
  start();
}

// Questions.

function readQuestion() {
  const query = parseQuery(byId("query").value);
  const filter = parseFilter(byId("filter").value);
  if (query?.vector && query.vector.length !== collection.size) {
    throw new Error(`${query.vector.length} numbers, where a vector has ${collection.size}`);
  }
  const limit = Math.min(200, Math.max(1, Number(byId("limit").value) || 20));
  return {query, filter, limit};
}

function tellUnderstood() {
  let text = "Browses all points, by id.";
  try {
    const {query, filter} = readQuestion();
    const what = query?.id ? `Points near point ${query.id}`
        : query ? `Points near a vector of ${query.vector.length} numbers`
        : "Browses points, by id";
    text = what + (filter ? ", those that match the filter." : ".");
  } catch (error) {
    text = error.message;
  }
  byId("understood").textContent = text;
}

function bodyOf({query, filter, limit}) {
  const members = [`"limit":${limit}`, '"with_payload":true'];
  if (filter) members.push(`"filter":${JSON.stringify(filter)}`);
  if (query) {
    members.push(`"query":${query.id ? idAsJson(query.id) : JSON.stringify(query.vector)}`);
  } else if (offsets.at(-1)) {
    members.push(`"offset":${offsets.at(-1)}`);
  }
  return `{${members.join(",")}}`;
}

function start() {
  offsets = [""];
  run();
}

async function run() {
  const turn = ++asked;
  try {
    const question = readQuestion();
    const path = collectionPath(collection.name) +
        (question.query ? "/points/query" : "/points/scroll");
    const {result, layers} = await ask("POST", path, bodyOf(question));
    if (turn !== asked) return;
    showProblem("");
    showLatency(layers);
    const next = result.next_page_offset;
    nextOffset = next === null || next === undefined ? null : idAsJson(next);
    showPoints(result.points, Boolean(question.query));
  } catch (failure) {
    if (turn === asked) report(failure);
  }
  tellUnderstood();
}

function repeat() {
  const isOn = repeating === null;
  if (isOn) repeating = setInterval(run, 500);
  else clearInterval(repeating);
  if (!isOn) repeating = null;
  byId("repeat").setAttribute("aria-pressed", String(isOn));
}

// Points.

// As people write it: lists of words without brackets and quotes.
function plain(value) {
  if (typeof value === "string") return value;
  const isWords = Array.isArray(value) && value.every((word) => typeof word === "string");
  return isWords ? value.join(", ") : JSON.stringify(value);
}

function gistOf(payload) {
  const parts = Object.entries(payload ?? {}).slice(0, 8).map(([name, value]) =>
      make("span", {}, make("b", {}, name), " ", plain(value)));
  // With blanks, at which a narrow screen may break.
  return make("span", {class: "gist"}, ...parts.flatMap((part) => [part, " "]));
}

function scoreOf(point, best) {
  const meter = make("meter", {min: "0", max: "1", "aria-hidden": "true"});
  meter.value = best > 0 ? Math.max(0, point.score / best) : 0;
  return make("span", {class: "score"}, meter, point.score.toFixed(4));
}

async function showDetail(point, detail) {
  const similar = make("button", {type: "button", class: "plain", onclick: () => {
    byId("query").value = String(point.id);
    start();
    byId("query").focus();
  }}, "Find similar");
  const vector = make("pre", {}, "…");
  detail.replaceChildren(make("pre", {}, JSON.stringify(point.payload ?? {}, null, 2)),
                         vector, make("div", {class: "row"}, similar));
  try {
    const {result} = await ask(
        "GET", `${collectionPath(collection.name)}/points/${encodeURIComponent(point.id)}`);
    vector.textContent = JSON.stringify(result.vector).replaceAll(",", ", ");
  } catch (failure) {
    vector.textContent = failure.message;
  }
}

function itemOf(point, isHit, best) {
  const detail = make("div", {class: "detail"});
  const details = make("details", {ontoggle: () => {
    if (details.open && !detail.firstChild) showDetail(point, detail);
  }}, make("summary", {}, make("span", {class: "id"}, String(point.id)),
           gistOf(point.payload), isHit ? scoreOf(point, best) : ""), detail);
  return make("li", {}, details);
}

function showPoints(points, areHits) {
  const isOpen = byId("points").querySelector("details[open]") !== null;
  // An opened point is being read: repeated requests do not close it.
  if (repeating === null || !isOpen) {
    const best = Math.max(0, ...points.map(({score}) => score ?? 0));
    byId("points").replaceChildren(...points.map((point) => itemOf(point, areHits, best)));
  }
  byId("points-title").textContent = areHits ? "Nearest points" : "Points";
  byId("shown").textContent = points.length === 0 ? "none match" : `${count(points.length)} shown`;
  byId("previous").hidden = byId("next").hidden = areHits;
  byId("previous").disabled = offsets.length < 2;
  byId("next").disabled = nextOffset === null;
}

// The key.

function openKeyDialog() {
  if (!byId("key-dialog").open) byId("key-dialog").showModal();
  byId("key").focus();
}

function useKey(text) {
  setKey(text.trim());
  byId("key").value = "";
  byId("key-dialog").close();
  showProblem("");
  showKeyState();
  loadCollections();
}

function showKeyState() {
  byId("key-button").textContent = key() ? "API key set" : "API key";
}

function listen() {
  byId("ask").addEventListener("submit", (event) => {
    event.preventDefault();
    start();
  });
  // Enter asks; with Shift it is a new line.
  byId("query").addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    start();
  });
  for (const id of ["query", "filter"]) byId(id).addEventListener("input", tellUnderstood);
  document.addEventListener("keydown", (event) => {
    const isTyping = /^(INPUT|TEXTAREA)$/.test(event.target.tagName);
    if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    byId("query").focus();
  });
  byId("repeat").addEventListener("click", repeat);
  byId("refresh").addEventListener("click", loadCollections);
  byId("next").addEventListener("click", () => {
    offsets.push(nextOffset);
    run();
  });
  byId("previous").addEventListener("click", () => {
    offsets.pop();
    run();
  });
  byId("key-button").addEventListener("click", openKeyDialog);
  byId("key-cancel").addEventListener("click", () => byId("key-dialog").close());
  byId("key-forget").addEventListener("click", () => useKey(""));
  byId("key-form").addEventListener("submit", (event) => {
    event.preventDefault();
    useKey(byId("key").value);
  });
}

async function showVersion() {
  const response = await fetch("/");
  byId("version").textContent = (response.headers.get("Server") ?? "").replace("lamina/", "");
}

listen();
showKeyState();
byId("first-steps").textContent =
    `curl -X PUT ${location.origin}/collections/words \\\n` +
    "  -H 'Content-Type: application/json' \\\n" +
    `  -d '{"vectors": {"size": 384, "distance": "Cosine"}}'`;
showVersion().catch(() => {});
loadCollections();
