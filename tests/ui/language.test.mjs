// What people may write into the boxes of the page, without a browser.
import assert from "node:assert/strict";
import test from "node:test";

globalThis.sessionStorage = {getItem: () => null};
const {idAsJson, parseJson, serverTiming} = await import(process.env.LAMINA_UI + "/api.js");
const {parseFilter, parseQuery} = await import(process.env.LAMINA_UI + "/language.js");

test("filters are conditions with 'and' between them, or JSON", () => {
  assert.equal(parseFilter("  "), undefined);
  assert.deepEqual(parseFilter("kind = a.b"),
                   {must: [{key: "kind", match: {value: "a.b"}}]});
  assert.deepEqual(parseFilter('a = "x and y" AND b>=3 and c != true'), {
    must: [{key: "a", match: {value: "x and y"}}, {key: "b", range: {gte: 3}}],
    must_not: [{key: "c", match: {value: true}}],
  });
  assert.deepEqual(parseFilter("f = 1.5"), {must: [{key: "f", range: {gte: 1.5, lte: 1.5}}]});
  assert.deepEqual(parseFilter('a = "3"'), {must: [{key: "a", match: {value: "3"}}]});
  assert.deepEqual(parseFilter('{"must": []}'), {must: []});
});

test("filters that cannot be read say where", () => {
  for (const text of ["a", "a =", "a = b or c = d", "a > b", "= 3", "a = b and", "{", 'a = "']) {
    assert.throws(() => parseFilter(text), Error, text);
  }
});

test("queries are an id, or numbers however they are pasted", () => {
  assert.equal(parseQuery("\n "), undefined);
  assert.deepEqual(parseQuery(" 18446744073709551615 "), {id: "18446744073709551615"});
  assert.deepEqual(parseQuery("f47ac10b-58cc-4372-a567-0e02b2c3d479"),
                   {id: "f47ac10b-58cc-4372-a567-0e02b2c3d479"});
  for (const text of ["[1, -2.5, 3e-4]", "1 -2.5 3e-4", "1;-2.5;3e-4", "1\n-2.5\n3e-4\n",
                      "array([1, -2.5,\t3e-4])".slice(5)]) {
    assert.deepEqual(parseQuery(text), {vector: [1, -2.5, 3e-4]}, text);
  }
  assert.throws(() => parseQuery("1, two"), /two/);
  assert.throws(() => parseQuery("1, Infinity"), /Infinity/);
});

test("ids keep all of their digits, there and back", () => {
  const answer = parseJson('{"points":[{"id":18446744073709551615,"payload":' +
      '{"t":"{\\"id\\":12345678901234567890}"}}],"next_page_offset":9007199254740993}');
  assert.equal(answer.points[0].id, "18446744073709551615");
  assert.equal(answer.points[0].payload.t, '{"id":12345678901234567890}');
  assert.equal(answer.next_page_offset, "9007199254740993");
  assert.equal(idAsJson(answer.points[0].id), "18446744073709551615");
  assert.equal(idAsJson(7), "7");
  assert.equal(idAsJson("ab"), '"ab"');
});

test("times are read of Server-Timing", () => {
  assert.deepEqual(serverTiming("parse;dur=0.0120, engine;dur=1.5"), {parse: 0.012, engine: 1.5});
  assert.deepEqual(serverTiming(null), {});
});
