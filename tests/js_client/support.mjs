// What the tests of the client share.
import './contract.mjs';
import assert from 'node:assert/strict';
import {QdrantClient} from '@qdrant/js-client-rest';

export const url = process.env.LAMINA_URL;

export function newClient(options = {}) {
  return new QdrantClient({url, ...options});
}

let count = 0;

// A new collection (each file runs in a process of its own) with three points, [1,0], [2,0] and [3,0], or with none.
export async function newCollection(client, {fill = true, ...options} = {}) {
  const name = `case-${process.pid}-${++count}`;
  await client.createCollection(
      name, {vectors: {size: 2, distance: 'Dot'}, ...options});
  if (fill) {
    await client.upsert(name, {
      wait: true,
      points: [
        {id: 1, vector: [1, 0], payload: {city: 'Berlin', n: 1, tags: ['a']}},
        {id: 2, vector: [2, 0], payload: {city: 'London', n: 2}},
        {id: 3, vector: [3, 0], payload: {city: 'Berlin', n: 3}},
      ],
    });
  }
  return name;
}

export const ids = (points) => points.map((point) => point.id);

// The call fails with this HTTP status, and the error's text has `text`.
export async function assertFails(promise, status, text = '') {
  await assert.rejects(promise, (error) => {
    assert.equal(error.status, status, String(error));
    assert.ok(JSON.stringify(error.data).includes(text),
              `${JSON.stringify(error.data)} does not have ${text}`);
    return true;
  });
}
