// Points: writing, reading and changing them.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {assertFails, ids, newClient, newCollection} from './support.mjs';

const client = newClient();
const uuid = '98a9a4b1-4ef2-46fb-8315-a97d874fe1d7';

test('floats come back as they were sent', async () => {
  const name = await newCollection(
      client, {fill: false, vectors: {size: 4, distance: 'Dot'}});
  const vector = [0.19, 0.81, 0.75, 0.11];
  await client.upsert(name, {wait: true, points: [{id: 1, vector}]});
  const [point] = await client.retrieve(name, {ids: [1], with_vector: true});
  assert.deepEqual(point.vector, vector);
});

test('cosine vectors come back as they were put in', async () => {
  const name = await newCollection(
      client, {fill: false, vectors: {size: 2, distance: 'Cosine'}});
  await client.upsert(name, {wait: true, points: [{id: 1, vector: [3, 4]}]});
  const [point] = await client.retrieve(name, {ids: [1], with_vector: true});
  assert.deepEqual(point.vector, [3, 4]);
});

test('with wait a write is completed, without acknowledged', async () => {
  const name = await newCollection(client, {fill: false});
  const points = [{id: 1, vector: [1, 0]}];
  assert.deepEqual(await client.upsert(name, {points}),
                   {operation_id: 1, status: 'completed'});
  assert.deepEqual(await client.upsert(name, {wait: false, points}),
                   {operation_id: 2, status: 'acknowledged'});
});

test('a write with ordering and timeout', async () => {
  const name = await newCollection(client);
  const result = await client.upsert(name, {
    wait: true,
    ordering: 'strong',
    timeout: 5,
    points: [{id: 4, vector: [4, 0]}],
  });
  assert.equal(result.status, 'completed');
});

test('UUIDs are ids', async () => {
  const name = await newCollection(client, {fill: false});
  await client.upsert(name, {
    wait: true,
    points: [
      {id: uuid.toUpperCase(), vector: [1, 0]},
      {id: uuid.replaceAll('-', '').replace(/^9/, '8'), vector: [2, 0]},
    ],
  });
  const points = await client.retrieve(name, {ids: [uuid]});
  assert.deepEqual(ids(points), [uuid]);
  const {points: all} = await client.scroll(name);
  assert.deepEqual(ids(all), [uuid.replace(/^9/, '8'), uuid]);
});

test('ids of 64 bits keep every digit on the wire', async () => {
  const name = await newCollection(client, {fill: false});
  // The text of the body: numbers of JavaScript have 53 bits.
  const id = '18446744073709551615';
  const base = `${process.env.LAMINA_URL}/collections/${name}/points`;
  const reply = await fetch(`${base}?wait=true`, {
    method: 'PUT',
    body: `{"points":[{"id":${id},"vector":[1,0]}]}`,
  });
  assert.equal(reply.status, 200);
  const text = await (await fetch(`${base}/${id}`)).text();
  assert.ok(text.includes(`"id":${id},`), text);
});

test('big ids through the client', {skip: !('rawJSON' in JSON)}, async () => {
  const name = await newCollection(client, {fill: false});
  const id = 18446744073709551615n;
  await client.upsert(name, {wait: true, points: [{id, vector: [1, 0]}]});
  assert.deepEqual(ids(await client.retrieve(name, {ids: [id]})), [id]);
});

test('an id of 53 bits', async () => {
  const name = await newCollection(client, {fill: false});
  const id = Number.MAX_SAFE_INTEGER;
  await client.upsert(name, {wait: true, points: [{id, vector: [1, 0]}]});
  assert.deepEqual(ids(await client.retrieve(name, {ids: [id]})), [id]);
});

test('upsert by columns', async () => {
  const name = await newCollection(client, {fill: false});
  await client.upsert(name, {
    wait: true,
    batch: {
      ids: [1, uuid],
      vectors: [[1, 0], [2, 0]],
      payloads: [{a: 1}, null],
    },
  });
  const points = await client.retrieve(name, {ids: [1, uuid]});
  assert.deepEqual(points.map((point) => point.payload), [{a: 1}, {}]);
});

test('1,000 points in one upsert', async () => {
  const name = await newCollection(
      client, {fill: false, vectors: {size: 128, distance: 'Cosine'}});
  const points = Array.from({length: 1000}, (_, i) => ({
    id: i,
    vector: Array.from({length: 128}, (_, j) => Math.sin(i * 128 + j + 1)),
    payload: {i},
  }));
  await client.upsert(name, {wait: true, points});
  assert.equal((await client.getCollection(name)).points_count, 1000);
  const [best] = (await client.query(name, {
    query: points[777].vector, limit: 1, with_payload: true,
  })).points;
  assert.equal(best.id, 777);
  assert.deepEqual(best.payload, {i: 777});
});

test('an upsert replaces vector and payload', async () => {
  const name = await newCollection(client);
  await client.upsert(name, {wait: true, points: [{id: 1, vector: [9, 9]}]});
  const [point] = await client.retrieve(name, {ids: [1], with_vector: true});
  assert.deepEqual(point, {id: 1, payload: {}, vector: [9, 9]});
});

test('update modes', async () => {
  const name = await newCollection(client);
  const points = [{id: 1, vector: [9, 9]}, {id: 4, vector: [9, 9]}];
  await client.upsert(name, {wait: true, points, update_mode: 'update_only'});
  assert.equal((await client.count(name)).count, 3);
  await client.upsert(name, {
    wait: true,
    points: [{id: 1, vector: [5, 5]}, {id: 4, vector: [4, 4]}],
    update_mode: 'insert_only',
  });
  const got = await client.retrieve(name, {ids: [1, 4], with_vector: true});
  assert.deepEqual(got.map((point) => point.vector), [[9, 9], [4, 4]]);
});

test('update_filter', async () => {
  const name = await newCollection(client);
  await client.upsert(name, {
    wait: true,
    points: [1, 2, 3].map((id) => ({id, vector: [0, id]})),
    update_filter: {must: [{key: 'city', match: {value: 'Berlin'}}]},
  });
  const got = await client.retrieve(name, {ids: [1, 2, 3], with_vector: true});
  assert.deepEqual(got.map((point) => point.vector), [[0, 1], [2, 0], [0, 3]]);
});

test('a wrong dimension is 400, also without wait, and writes none', async () => {
  const name = await newCollection(client);
  for (const wait of [true, false]) {
    for (const vector of [[], [1], [1, 2, 3]]) {
      await assertFails(client.upsert(name, {
        wait, points: [{id: 8, vector: [1, 2]}, {id: 9, vector}],
      }), 400, 'points[1].vector');
    }
  }
  assert.equal((await client.count(name)).count, 3);
});

test('columns of different lengths are 422', async () => {
  const name = await newCollection(client);
  await assertFails(client.upsert(name, {
    batch: {ids: [1, 2], vectors: [[1, 0]]},
  }), 422, 'batch.vectors');
});

test('an id that is none is 400', async () => {
  const name = await newCollection(client);
  for (const id of [-1, 1.5, 'abc', '5', true, null]) {
    await assertFails(client.upsert(name, {points: [{id, vector: [1, 0]}]}),
                      400, 'id');
  }
});

test('retrieve gives points in the order asked, and skips others', async () => {
  const name = await newCollection(client);
  const points = await client.retrieve(name, {
    ids: [3, 99, 1], with_payload: false,
  });
  assert.deepEqual(points, [{id: 3}, {id: 1}]);
});

test('retrieve with parts of the payload', async () => {
  const name = await newCollection(client);
  const get = async (with_payload) =>
      (await client.retrieve(name, {ids: [1], with_payload}))[0].payload;
  assert.deepEqual(await get(['city']), {city: 'Berlin'});
  assert.deepEqual(await get({include: ['n']}), {n: 1});
  assert.deepEqual(await get({exclude: ['city', 'tags']}), {n: 1});
});

test('one point by its id', async () => {
  const name = await newCollection(client);
  const api = client.api();
  const {data} = await api.getPoint({collection_name: name, id: 2});
  assert.deepEqual(data.result, {
    id: 2, payload: {city: 'London', n: 2}, vector: [2, 0],
  });
  await assertFails(api.getPoint({collection_name: name, id: 9}), 404,
                    'Point with id 9');
});

test('delete by ids and by filter', async () => {
  const name = await newCollection(client);
  await client.delete(name, {wait: true, points: [2, 77]});
  assert.equal((await client.count(name)).count, 2);
  await client.delete(name, {
    wait: true, filter: {must: [{key: 'n', range: {gte: 3}}]},
  });
  assert.deepEqual(ids((await client.scroll(name)).points), [1]);
});

test('delete without a selection is refused', async () => {
  const name = await newCollection(client);
  await assertFails(client.delete(name, {wait: true}), 400,
                    'Either list of point ids or filter must be provided');
  assert.equal((await client.count(name)).count, 3);
});

test('scroll walks all points once', async () => {
  const name = await newCollection(client);
  const seen = [];
  let offset;
  do {
    const page = await client.scroll(name, {limit: 2, offset});
    seen.push(...ids(page.points));
    offset = page.next_page_offset;
  } while (offset !== null);
  assert.deepEqual(seen, [1, 2, 3]);
});

test('scroll with a filter, payload and vector', async () => {
  const name = await newCollection(client);
  const {points} = await client.scroll(name, {
    filter: {must_not: [{key: 'city', match: {value: 'Berlin'}}]},
    with_payload: ['n'],
    with_vector: true,
  });
  assert.deepEqual(points, [{id: 2, payload: {n: 2}, vector: [2, 0]}]);
});

test('scroll in an order', async () => {
  const name = await newCollection(client);
  const {points} = await client.scroll(name, {
    order_by: {key: 'n', direction: 'desc'},
  });
  assert.deepEqual(ids(points), [3, 2, 1]);
});

test('count, with a filter and without', async () => {
  const name = await newCollection(client);
  assert.deepEqual(await client.count(name), {count: 3});
  assert.deepEqual(await client.count(name, {
    exact: true, filter: {must: [{key: 'city', match: {value: 'Berlin'}}]},
  }), {count: 2});
});

const payload = async (name, id) =>
    (await client.retrieve(name, {ids: [id]}))[0].payload;

test('setPayload merges, and null takes a key away', async () => {
  const name = await newCollection(client);
  await client.setPayload(name, {
    wait: true, points: [1], payload: {n: null, extra: {deep: [1, 2.5]}},
  });
  assert.deepEqual(await payload(name, 1),
                   {city: 'Berlin', tags: ['a'], extra: {deep: [1, 2.5]}});
});

test('setPayload at a key', async () => {
  const name = await newCollection(client);
  await client.setPayload(name, {
    wait: true, points: [2], key: 'a.b', payload: {c: 1},
  });
  assert.deepEqual((await payload(name, 2)).a, {b: {c: 1}});
});

test('setPayload by filter', async () => {
  const name = await newCollection(client);
  await client.setPayload(name, {
    wait: true,
    filter: {must: [{key: 'city', match: {value: 'Berlin'}}]},
    payload: {country: 'DE'},
  });
  assert.equal((await payload(name, 3)).country, 'DE');
  assert.equal((await payload(name, 2)).country, undefined);
});

test('setPayload of a point that is not there is 404', async () => {
  const name = await newCollection(client);
  await assertFails(client.setPayload(name, {
    wait: true, points: [1, 9], payload: {a: 1},
  }), 404, '9');
  assert.equal((await payload(name, 1)).a, undefined);
});

test('overwritePayload', async () => {
  const name = await newCollection(client);
  await client.overwritePayload(name, {
    wait: true, points: [1], payload: {only: true},
  });
  assert.deepEqual(await payload(name, 1), {only: true});
});

test('deletePayload', async () => {
  const name = await newCollection(client);
  await client.deletePayload(name, {
    wait: true, points: [1], keys: ['city', 'tags[]'],
  });
  assert.deepEqual(await payload(name, 1), {n: 1, tags: []});
});

test('clearPayload', async () => {
  const name = await newCollection(client);
  await client.clearPayload(name, {wait: true, points: [1]});
  assert.deepEqual(await payload(name, 1), {});
});

test('updateVectors leaves payloads', async () => {
  const name = await newCollection(client);
  await client.updateVectors(name, {
    wait: true, points: [{id: 1, vector: [7, 7]}],
  });
  const [point] = await client.retrieve(name, {ids: [1], with_vector: true});
  assert.deepEqual(point.vector, [7, 7]);
  assert.equal(point.payload.city, 'Berlin');
});

test('deleteVectors is refused', async () => {
  const name = await newCollection(client);
  await assertFails(client.deleteVectors(name, {points: [1], vector: ['']}),
                    400, 'points without a vector');
});

test('batchUpdate runs operations in order', async () => {
  const name = await newCollection(client);
  const results = await client.batchUpdate(name, {
    wait: true,
    operations: [
      {upsert: {points: [{id: 4, vector: [4, 0], payload: {a: 1}}]}},
      {set_payload: {points: [4], payload: {b: 2}}},
      {overwrite_payload: {points: [1], payload: {c: 3}}},
      {delete_payload: {points: [2], keys: ['city']}},
      {clear_payload: {points: [3]}},
      {update_vectors: {points: [{id: 2, vector: [6, 6]}]}},
      {delete: {points: [3]}},
    ],
  });
  assert.deepEqual(results.map(({status}) => status),
                   Array(7).fill('completed'));
  assert.deepEqual((await client.scroll(name)).points, [
    {id: 1, payload: {c: 3}},
    {id: 2, payload: {n: 2}},
    {id: 4, payload: {a: 1, b: 2}},
  ]);
});

test('batchUpdate names the operation that is wrong', async () => {
  const name = await newCollection(client);
  await assertFails(client.batchUpdate(name, {
    operations: [{delete: {points: [1]}}, {set_payload: {points: [2]}}],
  }), 400, 'operations[1]');
  assert.equal((await client.count(name)).count, 3);
});

test('numbers of a payload keep value and type', async () => {
  const name = await newCollection(client, {fill: false});
  const numbers = {
    integer: 9007199254740991, negative: -5, tenth: 0.1, small: 5e-324,
    large: 1e308,
  };
  await client.upsert(name, {
    wait: true, points: [{id: 1, vector: [1, 0], payload: numbers}],
  });
  assert.deepEqual(await payload(name, 1), numbers);
});

test('a write to an unknown collection is 404', async () => {
  await assertFails(client.upsert('nobody', {
    points: [{id: 1, vector: [1, 0]}],
  }), 404, 'nobody');
});
