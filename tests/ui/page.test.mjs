// The page in a browser, over a server of its own: what people see and do.
import assert from "node:assert/strict";
import {after, before, test} from "node:test";
import {Browser} from "./browser.mjs";

const url = process.env.LAMINA_URL;
const key = process.env.LAMINA_KEY;
const nasty = "<img src=x onerror=alert(1)>";
let browser;

async function write(method, path, body) {
  const headers = {"api-key": key};
  const response = await fetch(url + path, {method, headers, body});
  assert.equal(response.status, 200, await response.text());
}

const encoded = (name) => "/collections/" + encodeURIComponent(name);
const text = (selector) => browser.value(`document.querySelector(${JSON.stringify(selector)}).textContent`);
const shown = (count) => browser.until(`document.querySelectorAll("#points > li").length === ${count}`);

async function fill(id, value) {
  await browser.value(`(() => { const box = document.getElementById("${id}"); box.focus(); box.select(); })()`);
  if (value === "") await browser.value(`document.getElementById("${id}").value = ""`);
  else await browser.type(value);
}

async function ask(query, filter = "") {
  await fill("query", query);
  await fill("filter", filter);
  await browser.press("Enter", "\r");
}

before(async () => {
  for (const name of ["letters", nasty]) {
    await write("PUT", encoded(name), '{"vectors": {"size": 3, "distance": "Dot"}}');
  }
  const points = [];
  for (let i = 0; i < 45; ++i) {
    points.push(`{"id": ${i}, "vector": [${i}, 1, 0], "payload": {"n": ${i}, "kind": "k${i % 3}"}}`);
  }
  points.push('{"id": 18446744073709551615, "vector": [0, 0, 9], "payload": {"n": 99}}');
  await write("PUT", encoded("letters") + "/points?wait=true", `{"points": [${points}]}`);
  await write("PUT", encoded(nasty) + "/points?wait=true", JSON.stringify({points: [
    {id: 1, vector: [1, 0, 0], payload: {[nasty]: nasty, script: "</script><script>alert(2)</script>",
                                         list: [nasty], deep: {a: nasty}}}]}));
  browser = await Browser.start(process.env.LAMINA_BROWSER);
  await browser.resize(1280, 900);
});

after(async () => {
  if (!browser) return;
  await browser.end();
});

// Each case ends with it: no error, and nobody else was asked.
function checkClean() {
  assert.deepEqual(browser.problems, []);
  assert.deepEqual(browser.requests.filter((asked) => !asked.startsWith(url) && asked !== "about:blank"), []);
}

test("a key is asked for, kept in the tab, and sent", async () => {
  await browser.open(url + "/ui");
  await browser.until('document.getElementById("key-dialog").open');
  await browser.type(key);
  await browser.press("Enter", "\r");
  await browser.until('document.querySelectorAll("#collections li").length === 2');
  assert.equal(await browser.value("sessionStorage.length"), 1);
  assert.equal(await browser.value("localStorage.length"), 0);
  assert.equal(await browser.value("document.cookie"), "");
  assert.ok(!browser.requests.some((asked) => asked.includes(key)));
  assert.equal(await browser.value(`document.documentElement.outerHTML.includes("${key}")`), false);
  // The browser itself tells of the 401.
  assert.equal(browser.problems.filter((problem) => !problem.includes("401")).length, 0);
  browser.problems.length = 0;
});

test("what a collection holds is shown as text", async () => {
  await browser.open(`${url}/ui#${encodeURIComponent(nasty)}`);
  await browser.until(`document.getElementById("name").textContent === ${JSON.stringify(nasty)}`);
  await shown(1);
  await browser.value('document.querySelector("#points summary").click()');
  await browser.until('document.querySelectorAll(".detail pre")[1]?.textContent.startsWith("[1")');
  assert.ok((await text(".gist")).includes(nasty));
  assert.ok((await text(".detail pre")).includes("</script>"));
  assert.equal(await browser.value('document.querySelectorAll("img").length'), 1);
  assert.equal(await browser.value('document.querySelectorAll("script").length'), 1);
  checkClean();
});

test("points are browsed by pages, and long ids keep their digits", async () => {
  await browser.open(url + "/ui#letters");
  await shown(20);
  assert.equal(await text("#points .id"), "0");
  for (const [button, count, first] of [["next", 20, "20"], ["next", 6, "40"], ["previous", 20, "20"]]) {
    await browser.value(`document.getElementById("${button}").click()`);
    await browser.until(`document.querySelector("#points .id").textContent === "${first}"`);
    await shown(count);
  }
  await browser.value('document.getElementById("next").click()');
  await browser.until('document.querySelector("#points > li:last-child .id").textContent === "18446744073709551615"');
  checkClean();
});

test("a query by pasted numbers and one by id, with a filter", async () => {
  await ask("[1,\n 0,\n 0]");
  await browser.until('document.querySelector(".score")?.textContent === "44.0000"');
  await ask("7", "kind = k1 and n >= 30");
  await browser.until('document.querySelector("#shown").textContent === "5 shown"');
  assert.equal(await text("#points .id"), "43");
  await ask("18446744073709551615");
  await browser.until('document.querySelector("#shown").textContent === "20 shown"');
  checkClean();
});

test("what cannot be asked is told, and nothing is sent", async () => {
  const before = browser.requests.length;
  await ask("1, 2");
  await browser.until('document.getElementById("problem").textContent.includes("2 numbers")');
  await ask("", "kind");
  await browser.until('document.getElementById("problem").textContent.includes("filter")');
  assert.equal(browser.requests.length, before);
  await ask("", "");
  await browser.until('document.getElementById("problem").hidden');
  checkClean();
});

test("times by layer are shown, and grow while the query repeats", async () => {
  const columns = () => browser.value('document.querySelectorAll("#latency-history rect").length');
  const before = await columns();
  await browser.value('document.getElementById("repeat").click()');
  await browser.until(`document.querySelectorAll("#latency-history rect").length >= ${before + 6}`);
  await browser.value('document.getElementById("repeat").click()');
  const legend = await text("#latency-legend");
  for (const layer of ["parse", "engine", "encode", "network"]) {
    assert.match(legend, new RegExp(`${layer}[\\d.]+ [mµ]s`));
  }
  checkClean();
});

test("all can be done from the keyboard", async () => {
  await browser.value("document.activeElement.blur()");
  await browser.press("/", "/");
  assert.equal(await browser.value("document.activeElement.id"), "query");
  assert.equal(await browser.value('document.getElementById("query").value'), "");
  const reached = new Set();
  for (let i = 0; i < 40; ++i) {
    await browser.press("Tab");
    reached.add(await browser.value("document.activeElement.id || document.activeElement.tagName"));
  }
  for (const wanted of ["key-button", "filter", "limit", "repeat", "BUTTON", "SUMMARY"]) {
    assert.ok(reached.has(wanted), `${wanted} of ${[...reached]}`);
  }
  checkClean();
});

test("it fits a narrow screen, light and dark", async () => {
  for (const scheme of ["light", "dark"]) {
    await browser.colors(scheme);
    await browser.resize(400, 800, true);
    assert.equal(await browser.value("document.documentElement.scrollWidth"), 400);
  }
  const [light, dark] = ["rgb(247, 246, 243)", "rgb(20, 24, 26)"];
  assert.equal(await browser.value("getComputedStyle(document.body).backgroundColor"), dark);
  await browser.colors("light");
  assert.equal(await browser.value("getComputedStyle(document.body).backgroundColor"), light);
  checkClean();
});
