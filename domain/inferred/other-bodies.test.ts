import { afterEach, expect, test } from 'vitest';
import { create } from '../create.ts';
import { resourcesOf } from '../resources.ts';
import { overHttp } from '../testing/over-http.ts';
import type { Answer, OverHttp } from '../testing/over-http.ts';

const PROPERTIES = {
  title: { type: 'string' },
  code: { type: 'string', pattern: '^[A-Z]{4}$' },
  seats: { type: 'integer', minimum: 0, maximum: 5000 },
};
const SCHEMA = { type: 'object', required: Object.keys(PROPERTIES), properties: PROPERTIES };
const ROOMS = {
  '/rooms': {
    post: {
      requestBody: { required: true, content: { 'application/json': { schema: SCHEMA } } },
      responses: { 201: { description: 'created' }, 409: { description: 'conflict' } },
    },
  },
  '/rooms/{id}': {
    parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
    get: { responses: { 200: { description: 'ok' } } },
    delete: { responses: { 204: { description: 'gone' } } },
  },
};

interface Room {
  readonly code: string;
  readonly seats: number;
}

let api: OverHttp;
afterEach(() => api.close());

/** Creates three rooms in a service that takes those which `isTaken` accepts beside those that exist. */
async function createRooms(isTaken: (room: Room, all: readonly Room[]) => boolean): Promise<readonly Room[]> {
  const all: Room[] = [];
  api = await overHttp(ROOMS, ({ line, body }): Answer => {
    if (!line.startsWith('POST')) return { status: 200, json: { id: line.split('/').at(-1) ?? '', ...all.at(-1) } };
    const room = JSON.parse(body) as Room;
    if (!isTaken(room, all)) return { status: 409, json: { title: 'conflict' } };
    return { status: 201, json: { id: `room-${all.push(room)}`, ...room } };
  });
  const [rooms] = resourcesOf(api.t.contract);
  if (rooms === undefined) throw new Error('no resource');
  for (let index = 0; index < 3; index += 1) await create(api.t, rooms);
  return all;
}

test('items are created with other values where a service keeps a value unique', async () => {
  const all = await createRooms(({ code }, others) => others.every((each) => each.code !== code));
  expect(new Set(all.map(({ code }) => code)).size).toBe(3);
  expect(api.calls.filter(({ line }) => line === 'POST /rooms').length, 'one refusal shows it').toBe(4);
});

test('items are created with small numbers where a service refuses others', async () => {
  expect((await createRooms(({ seats }) => seats > 0 && seats <= 2)).map(({ seats }) => seats)).toEqual([1, 1, 1]);
});

test('a service that refuses all bodies gets a few', async () => {
  await expect(createRooms(() => false)).rejects.toThrow('did not create the item');
  expect(api.calls.length).toBeLessThan(10);
});
