// The document that describes the routes.
import SwaggerParser from '@apidevtools/swagger-parser';
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {checkReply, openapi, seen} from './contract.mjs';
import {newClient, newCollection, url} from './support.mjs';

test('the document is valid OpenAPI', async () => {
  assert.equal(openapi.openapi, '3.0.3');
  await SwaggerParser.validate(structuredClone(openapi));
});

test('every operation has a name of its own', () => {
  const names = Object.values(openapi.paths)
      .flatMap((path) => Object.values(path))
      .map(({operationId}) => operationId);
  assert.equal(new Set(names).size, names.length);
});

test('every route that needs no body answers as described', async () => {
  const name = await newCollection(newClient());
  for (const [path, operations] of Object.entries(openapi.paths)) {
    if (!('get' in operations)) continue;
    const target = path.replace('{collection_name}', name).replace('{id}', '1');
    await fetch(url + target);
    assert.ok(seen.has(`get ${path}`), path);
  }
});

test('every route with a body answers nonsense as described', async () => {
  const name = await newCollection(newClient());
  for (const [path, operations] of Object.entries(openapi.paths)) {
    for (const method of ['post', 'put', 'patch']) {
      if (!(method in operations)) continue;
      const target = path.replace('{collection_name}', name);
      for (const body of ['', '{', '[]', '{"nonsense":1}', 'null', '"x"']) {
        const reply = await fetch(url + target,
                                  {method: method.toUpperCase(), body});
        const measures = /\/v1\/(noop|echo|.*flush)$/.test(path);
        assert.ok(measures || reply.status >= 400, `${path} ${body}`);
        assert.ok(reply.status < 500, `${path} ${body} ${reply.status}`);
      }
    }
  }
  assert.equal((await newClient().count(name)).count, 3);
});

test('a reply that is not as described is found', () => {
  const reply = (status) => ({
    status, headers: new Headers({'content-type': 'application/json'}),
  });
  const check = (path, status, value) =>
      () => checkReply('get', path, reply(status), JSON.stringify(value));
  assert.throws(check('/nowhere', 200, {}), /not described/);
  assert.throws(check('/collections', 200, {result: {}}), /not as described/);
  assert.throws(check('/collections', 404, {status: 'ok'}), /not as described/);
});
