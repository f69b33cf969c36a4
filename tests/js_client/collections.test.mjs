// Collections, aliases, and the server itself.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {assertFails, newClient, newCollection, url} from './support.mjs';

const client = newClient();
const vectors = {size: 4, distance: 'Cosine'};

test('the client finds the version compatible', async () => {
  const warnings = [];
  const warn = console.warn;
  console.warn = (...text) => warnings.push(text.join(' '));
  const checking = newClient({checkCompatibility: true});
  await checking.getCollections();
  await new Promise((resolve) => setTimeout(resolve, 200));
  console.warn = warn;
  assert.deepEqual(warnings, []);
});

test('version info has title and version', async () => {
  const info = await client.versionInfo();
  assert.match(info.title, /lamina/);
  assert.equal(info.version, '1.18.0');
});

test('health routes answer in plain text', async () => {
  for (const path of ['/healthz', '/livez', '/readyz']) {
    const reply = await fetch(url + path);
    assert.equal(reply.status, 200);
    assert.match(reply.headers.get('content-type'), /^text\/plain/);
  }
});

test('dropping a collection that is not there is false', async () => {
  assert.equal(await client.deleteCollection('nothing'), false);
});

test('a collection is created and dropped', async () => {
  assert.equal(await client.createCollection('made', {vectors}), true);
  assert.equal(await client.deleteCollection('made'), true);
  await assertFails(client.getCollection('made'), 404, 'Not found');
});

test('a collection with settings of a cluster', async () => {
  const name = 'settings';
  assert.equal(
      await client.createCollection(name, {
        vectors,
        optimizers_config: {default_segment_number: 2},
        replication_factor: 2,
        on_disk_payload: true,
        wal_config: {wal_capacity_mb: 8},
      }),
      true);
  const info = await client.getCollection(name);
  assert.equal(info.config.params.replication_factor, 2);
  assert.equal(info.config.optimizer_config.default_segment_number, 2);
  assert.equal(info.config.wal_config.wal_capacity_mb, 8);
  assert.equal(info.config.params.on_disk_payload, true);
});

test('recreateCollection starts from nothing', async () => {
  const name = await newCollection(client);
  assert.equal(await client.recreateCollection(name, {vectors}), true);
  assert.equal((await client.getCollection(name)).points_count, 0);
});

test('creating what is there is 409', async () => {
  const name = await newCollection(client);
  await assertFails(client.createCollection(name, {vectors}), 409,
                    'already exists');
});

test('a size out of range is 422 and named', async () => {
  for (const size of [0, 65537]) {
    await assertFails(
        client.createCollection('bad', {vectors: {...vectors, size}}), 422,
        'vectors.size');
  }
  assert.equal((await client.collectionExists('bad')).exists, false);
});

test('an unknown distance is 400 and named', async () => {
  await assertFails(client.createCollection('bad', {
    vectors: {size: 4, distance: 'Hamming'},
  }), 400, 'vectors.distance');
});

test('every distance', async () => {
  for (const distance of ['Cosine', 'Dot', 'Euclid', 'Manhattan']) {
    const name = `distance-${distance}`;
    await client.createCollection(name, {vectors: {size: 4, distance}});
    const {config} = await client.getCollection(name);
    assert.deepEqual(config.params.vectors, {size: 4, distance});
  }
});

test('collections are listed by name', async () => {
  await newCollection(client);
  const {collections} = await client.getCollections();
  const names = collections.map(({name}) => name);
  assert.deepEqual(names, [...names].sort());
  assert.ok(names.length > 0);
});

test('collectionExists', async () => {
  const name = await newCollection(client);
  assert.equal((await client.collectionExists(name)).exists, true);
  assert.equal((await client.collectionExists('nobody')).exists, false);
});

test('collection info counts points and shows every section', async () => {
  const name = await newCollection(client);
  const info = await client.getCollection(name);
  assert.equal(info.status, 'green');
  assert.equal(info.optimizer_status, 'ok');
  assert.equal(info.points_count, 3);
  for (const section of
       ['params', 'hnsw_config', 'optimizer_config', 'wal_config']) {
    assert.equal(typeof info.config[section], 'object', section);
  }
  assert.deepEqual(info.payload_schema, {});
});

test('unicode names', async () => {
  const name = 'слова 言葉 🙂 100%';
  await client.createCollection(name, {vectors: {size: 2, distance: 'Dot'}});
  await client.upsert(name, {
    wait: true,
    points: [{id: 1, vector: [1, 2], payload: {'ключ 🙂': 'значение'}}],
  });
  assert.deepEqual((await client.retrieve(name, {ids: [1]}))[0].payload,
                   {'ключ 🙂': 'значение'});
  const {collections} = await client.getCollections();
  assert.ok(collections.some((collection) => collection.name === name));
  assert.equal(await client.deleteCollection(name), true);
});

test('names that are no names are refused', async () => {
  for (const name of ['a/b', 'a\nb', 'x'.repeat(256)]) {
    await assertFails(client.createCollection(name, {vectors}), 400);
  }
});

test('updateCollection', async () => {
  const name = await newCollection(client);
  assert.equal(
      await client.updateCollection(
          name, {optimizers_config: {indexing_threshold: 10}}),
      true);
  const info = await client.getCollection(name);
  assert.equal(info.config.optimizer_config.indexing_threshold, 10);
  assert.ok(info.warnings.length > 0);
});

test('updateCollection of nothing is 404', async () => {
  await assertFails(client.updateCollection('nobody', {}), 404);
});

test('aliases are created, moved, renamed and deleted', async () => {
  const first = await newCollection(client);
  const second = await newCollection(client, {fill: false});
  const act = (action) => client.updateCollectionAliases({actions: [action]});
  assert.equal(await act({
    create_alias: {collection_name: first, alias_name: 'псевдоним'},
  }), true);
  assert.equal((await client.count('псевдоним')).count, 3);
  await act({create_alias: {collection_name: second, alias_name: 'псевдоним'}});
  assert.equal((await client.count('псевдоним')).count, 0);
  await act({
    rename_alias: {old_alias_name: 'псевдоним', new_alias_name: 'renamed'},
  });
  assert.deepEqual((await client.getCollectionAliases(second)).aliases,
                   [{alias_name: 'renamed', collection_name: second}]);
  await act({delete_alias: {alias_name: 'renamed'}});
  assert.deepEqual((await client.getCollectionAliases(second)).aliases, []);
});

test('getAliases lists all', async () => {
  const name = await newCollection(client);
  await client.updateCollectionAliases({
    actions: [{create_alias: {collection_name: name, alias_name: 'of all'}}],
  });
  const {aliases} = await client.getAliases();
  assert.ok(aliases.some((alias) => alias.alias_name === 'of all'));
});

test('an alias for nothing is 404, and one over a collection 409', async () => {
  const name = await newCollection(client);
  const create = (collection_name, alias_name) =>
      client.updateCollectionAliases(
          {actions: [{create_alias: {collection_name, alias_name}}]});
  await assertFails(create('nobody', 'a'), 404);
  await assertFails(create(name, name), 409);
});

test('optimizations, issues, cluster: nothing to see', async () => {
  const name = await newCollection(client);
  const {summary} = await client.getOptimizations(name);
  assert.equal(summary.queued_points, 0);
  const ask = async (path) => (await (await fetch(url + path)).json()).result;
  assert.deepEqual(await ask('/issues'), {issues: []});
  assert.deepEqual(await ask('/cluster'), {status: 'disabled'});
});

test('a cluster operation is 405', async () => {
  const name = await newCollection(client);
  await assertFails(client.createShardKey(name, {shard_key: 'a'}), 405,
                    'standalone mode');
});

test('telemetry and metrics', async () => {
  const telemetry = await (await fetch(url + '/telemetry')).json();
  assert.equal(telemetry.result.app.name, 'lamina');
  const metrics = await (await fetch(url + '/metrics')).text();
  assert.match(metrics, /^rest_responses_total\{/m);
});
