import { randomUUID } from 'node:crypto';
import type { TestServer } from '../../client/testing/fixtures.ts';
import { serveJson } from '../../client/testing/json-service.ts';
import type { Answer, Received } from '../../client/testing/json-service.ts';
import { isObject } from '../../spec/index.ts';
import type { Json } from '../../spec/index.ts';

/** The only value of the header X-Tenant that is served: the run is told it, as a user would with `--header`. */
export const TENANT = 'north';

/** Defects that the server can have. */
export type NotesFault = 'forgets-deletes' | 'cuts-text';

interface Note {
  readonly id: string;
  readonly text: string;
}

/** What is stored, and what was answered to each idempotency key. */
interface Store {
  readonly notes: Map<string, Note>;
  readonly answers: Map<string, { readonly body: string; readonly answer: Answer }>;
}

/** Serves notes.yaml from memory. */
export function startNotes(fault?: NotesFault): Promise<TestServer> {
  const store: Store = { notes: new Map(), answers: new Map() };
  return serveJson((received) => answer(store, fault, received));
}

function answer(store: Store, fault: NotesFault | undefined, received: Received): Answer {
  const { method, path, headers } = received;
  if (headers['x-tenant'] !== TENANT) return { status: 403 };
  const { notes } = store;
  const id = /^\/notes\/([^/?]+)$/.exec(path)?.[1];
  if (path === '/notes') {
    if (method === 'GET') return { status: 200, json: [...notes.values()] };
    return method === 'POST' ? createOnce(store, fault, received) : { status: 405 };
  }
  if (id === undefined) return { status: 404 };
  const note = notes.get(id);
  if (note === undefined) return { status: 404 };
  if (method === 'GET') return { status: 200, json: note };
  if (method !== 'DELETE') return { status: 405 };
  if (fault !== 'forgets-deletes') notes.delete(id);
  return { status: 204 };
}

/** A key that is known is answered as before, or refused where the body differs. */
function createOnce(
  { notes, answers }: Store,
  fault: NotesFault | undefined,
  { headers, body, sent }: Received,
): Answer {
  const key = String(headers['idempotency-key']);
  const earlier = answers.get(key);
  if (earlier !== undefined) return earlier.body === body ? earlier.answer : { status: 409 };
  if (!/^[0-9a-f-]{36}$/i.test(key)) return { status: 400 };
  const created = create(notes, fault, sent);
  answers.set(key, { body, answer: created });
  return created;
}

function create(notes: Map<string, Note>, fault: NotesFault | undefined, sent: Json | undefined): Answer {
  const text = isObject(sent) ? sent['text'] : undefined;
  if (typeof text !== 'string' || text === '') return { status: 400 };
  const id = randomUUID();
  notes.set(id, { id, text: fault === 'cuts-text' ? text.slice(0, 20) : text });
  return { status: 201, json: notes.get(id) };
}
