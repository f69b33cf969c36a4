// Queries, searches, facets and payload indexes; and many calls at once.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {assertFails, ids, newClient, newCollection} from './support.mjs';

const client = newClient();
const berlin = {must: [{key: 'city', match: {value: 'Berlin'}}]};

test('query by a vector', async () => {
  const name = await newCollection(client);
  const {points} = await client.query(name, {query: [1, 0]});
  assert.deepEqual(points, [
    {id: 3, version: 1, score: 3},
    {id: 2, version: 1, score: 2},
    {id: 1, version: 1, score: 1},
  ]);
});

test('query by {nearest}', async () => {
  const name = await newCollection(client);
  const {points} = await client.query(name, {query: {nearest: [1, 0]}});
  assert.deepEqual(ids(points), [3, 2, 1]);
});

test('query by the id of a point leaves it out', async () => {
  const name = await newCollection(client);
  const {points} = await client.query(name, {query: 3});
  assert.deepEqual(ids(points), [2, 1]);
  await assertFails(client.query(name, {query: 9}), 404,
                    'No point with id 9 found');
});

test('query without a query lists by id', async () => {
  const name = await newCollection(client);
  const {points} = await client.query(name, {limit: 2});
  assert.deepEqual(ids(points), [1, 2]);
});

test('query with every option', async () => {
  const name = await newCollection(client);
  const {points} = await client.query(name, {
    query: [1, 0],
    filter: berlin,
    params: {hnsw_ef: 64, exact: true, indexed_only: false},
    score_threshold: 0.5,
    limit: 1,
    offset: 1,
    with_payload: {include: ['n']},
    with_vector: true,
    timeout: 3,
    consistency: 'majority',
  });
  assert.deepEqual(points, [
    {id: 1, version: 1, score: 1, payload: {n: 1}, vector: [1, 0]},
  ]);
});

test('a score threshold', async () => {
  const name = await newCollection(client);
  const {points} = await client.query(name, {
    query: [1, 0], score_threshold: 2,
  });
  assert.deepEqual(ids(points), [3, 2]);
});

test('euclid is ascending, and its threshold a largest distance', async () => {
  const name = await newCollection(
      client, {vectors: {size: 2, distance: 'Euclid'}});
  const {points} = await client.query(name, {
    query: [1, 0], score_threshold: 1.5,
  });
  assert.deepEqual(points.map(({id, score}) => [id, score]), [[1, 0], [2, 1]]);
});

test('filters', async () => {
  const name = await newCollection(client);
  const found = async (filter) =>
      ids((await client.query(name, {query: [1, 0], filter})).points).sort();
  const one = (condition) => found({must: [condition]});
  assert.deepEqual(await found(berlin), [1, 3]);
  assert.deepEqual(await found({must_not: berlin.must}), [2]);
  assert.deepEqual(await found({
    should: [{key: 'n', match: {value: 2}}, {has_id: [3]}],
  }), [2, 3]);
  assert.deepEqual(await found({
    min_should: {
      conditions: [{key: 'n', range: {gte: 2}}, berlin.must[0]],
      min_count: 2,
    },
  }), [3]);
  assert.deepEqual(
      await one({key: 'city', match: {any: ['London', 'Rome']}}), [2]);
  assert.deepEqual(await one({key: 'city', match: {except: ['London']}}),
                   [1, 3]);
  assert.deepEqual(await one({key: 'city', match: {text: 'ond'}}), [2]);
  assert.deepEqual(await one({key: 'n', range: {gt: 1, lt: 3}}), [2]);
  assert.deepEqual(await one({key: 'tags', values_count: {gte: 1}}), [1]);
  assert.deepEqual(await one({is_empty: {key: 'tags'}}), [2, 3]);
});

test('a filter that is none is 400', async () => {
  const name = await newCollection(client);
  await assertFails(client.query(name, {
    query: [1, 0], filter: {must: [{key: 'n', mtach: {value: 1}}]},
  }), 400, 'filter.must[0]');
});

test('queryBatch answers each query', async () => {
  const name = await newCollection(client);
  const lists = await client.queryBatch(name, {
    searches: [
      {query: [1, 0], limit: 1},
      {query: [-1, 0], limit: 1, with_payload: ['n']},
      {query: 3, limit: 1, filter: berlin},
    ],
  });
  assert.deepEqual(lists.map(({points}) => ids(points)), [[3], [1], [1]]);
  assert.deepEqual(lists[1].points[0].payload, {n: 1});
  assert.deepEqual(await client.queryBatch(name, {searches: []}), []);
});

test('search', async () => {
  const name = await newCollection(client);
  const hits = await client.search(name, {
    vector: [1, 0], limit: 2, with_payload: true, filter: berlin,
  });
  assert.deepEqual(ids(hits), [3, 1]);
  assert.equal(hits[0].payload.city, 'Berlin');
});

test('search by a vector with the empty name', async () => {
  const name = await newCollection(client);
  const hits = await client.search(name, {
    vector: {name: '', vector: [1, 0]}, limit: 1,
  });
  assert.deepEqual(ids(hits), [3]);
});

test('searchBatch', async () => {
  const name = await newCollection(client);
  const lists = await client.searchBatch(name, {
    searches: [{vector: [1, 0], limit: 1}, {vector: [-1, 0], limit: 2}],
  });
  assert.deepEqual(lists.map(ids), [[3], [1, 2]]);
});

test('limits out of range are 422 and named', async () => {
  const name = await newCollection(client);
  await assertFails(client.query(name, {query: [1, 0], limit: 0}), 422,
                    'limit');
  await assertFails(client.query(name, {
    query: [1, 0], params: {hnsw_ef: 0},
  }), 422, 'hnsw_ef');
  await assertFails(client.query(name, {query: [1, 0], timeout: 0}), 422,
                    'timeout');
  for (const limit of [-1, 1.5, '10', true]) {
    await assertFails(client.query(name, {query: [1, 0], limit}), 400,
                      'limit');
  }
});

test('a huge limit is what there is', async () => {
  const name = await newCollection(client);
  const {points} = await client.query(name, {
    query: [1, 0], limit: Number.MAX_SAFE_INTEGER,
  });
  assert.equal(points.length, 3);
});

test('a query of the wrong dimension is 400', async () => {
  const name = await newCollection(client);
  for (const query of [[], [1], [1, 2, 3]]) {
    await assertFails(client.query(name, {query}), 400, 'dimension');
  }
});

test('what is not supported is refused by name', async () => {
  const name = await newCollection(client);
  await assertFails(client.query(name, {
    query: {recommend: {positive: [1]}},
  }), 400, 'recommend');
  await assertFails(client.query(name, {
    prefetch: [{query: [1, 0]}], query: {fusion: 'rrf'},
  }), 400, 'lamina does not support');
  await assertFails(client.query(name, {query: [1, 0], using: 'text'}), 400,
                    'named vectors');
  await assertFails(client.recommend(name, {positive: [1], limit: 1}), 400,
                    'lamina does not support');
  await assertFails(client.searchPointGroups(name, {
    vector: [1, 0], group_by: 'city', limit: 1, group_size: 1,
  }), 400, 'lamina does not support');
  await assertFails(client.createCollection('sparse', {
    sparse_vectors: {text: {}}, vectors: {size: 2, distance: 'Dot'},
  }), 400, 'sparse vectors');
  await assertFails(client.listSnapshots(name), 400,
                    'lamina does not support');
});

test('facet counts values', async () => {
  const name = await newCollection(client);
  assert.deepEqual(await client.facet(name, {key: 'city'}), {
    hits: [{value: 'Berlin', count: 2}, {value: 'London', count: 1}],
  });
  assert.deepEqual(await client.facet(name, {
    key: 'n', limit: 1, filter: berlin, exact: true,
  }), {hits: [{value: 1, count: 1}]});
});

test('payload indexes of every type', async () => {
  const name = await newCollection(client);
  const schemas = {
    city: 'keyword', n: 'integer', price: 'float', on: 'bool',
    at: 'datetime', key: 'uuid', words: {type: 'text', tokenizer: 'word'},
  };
  for (const [field_name, field_schema] of Object.entries(schemas)) {
    const result = await client.createPayloadIndex(name, {
      wait: true, field_name, field_schema,
    });
    assert.equal(result.status, 'completed');
  }
  const {payload_schema} = await client.getCollection(name);
  assert.equal(payload_schema.city.data_type, 'keyword');
  assert.equal(payload_schema.city.points, 3);
  assert.equal(payload_schema.words.data_type, 'text');
  assert.deepEqual(
      ids((await client.query(name, {query: [1, 0], filter: berlin})).points),
      [3, 1]);
});

test('an index without wait is acknowledged', async () => {
  const name = await newCollection(client);
  const {status} = await client.createPayloadIndex(name, {
    wait: false, field_name: 'city', field_schema: 'keyword',
  });
  assert.equal(status, 'acknowledged');
});

test('an index is dropped', async () => {
  const name = await newCollection(client);
  await client.createPayloadIndex(name, {
    wait: true, field_name: 'a.b c', field_schema: 'keyword',
  }).catch(() => {});
  await client.createPayloadIndex(name, {
    wait: true, field_name: 'n', field_schema: 'integer',
  });
  await client.deletePayloadIndex(name, 'n', {wait: true});
  assert.equal((await client.getCollection(name)).payload_schema.n, undefined);
});

test('an index that could find nothing is 422', async () => {
  const name = await newCollection(client);
  await assertFails(client.createPayloadIndex(name, {
    field_name: 'n',
    field_schema: {type: 'integer', lookup: false, range: false},
  }), 422, 'field_schema');
});

test('200 calls at once on 25 connections', async () => {
  const many = newClient({maxConnections: 25});
  const name = await newCollection(many, {fill: false});
  await Promise.all(Array.from({length: 200}, (_, i) => many.upsert(name, {
    wait: true, points: [{id: i, vector: [1, i], payload: {i}}],
  })));
  assert.equal((await many.count(name)).count, 200);
  const replies = await Promise.all(Array.from(
      {length: 200},
      (_, i) => many.query(name, {
        query: [0, 1], limit: 1, filter: {must: [{has_id: [i]}]},
      })));
  assert.deepEqual(replies.map(({points}) => points[0].id),
                   Array.from({length: 200}, (_, i) => i));
});

test('what a client reads while another writes is whole', async () => {
  const name = await newCollection(client);
  const other = newClient();
  let done = false;
  const writing = (async () => {
    for (let i = 0; i < 100; ++i) {
      await other.upsert(name, {
        wait: true,
        points: [1, 2, 3].map((id) => ({id, vector: [i, i], payload: {i}})),
      });
    }
    done = true;
  })();
  while (!done) {
    const {points} = await client.query(name, {
      query: [1, 1], with_payload: ['i'], with_vector: true,
    });
    const first = points[0].payload.i;
    if (first === undefined) continue;
    for (const {payload, vector} of points) {
      assert.equal(payload.i, first);
      assert.deepEqual(vector, [first, first]);
    }
  }
  await writing;
});
