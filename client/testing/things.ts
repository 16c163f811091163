import { randomUUID } from 'node:crypto';
import { json } from 'node:stream/consumers';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Contract, Operation } from '../../spec/index.ts';
import { emptyDirectory } from '../../spec/testing/empty-directory.ts';
import { cleanUp } from '../journal/clean-up.ts';
import type { CleanUpOptions, CleanUpReport } from '../journal/clean-up.ts';
import { openJournal } from '../journal/journal.ts';
import type { Journal } from '../journal/journal.ts';
import { readJournals } from '../journal/read-journals.ts';
import type { LeftJournal } from '../journal/read-journals.ts';
import type { Target } from '../pipeline.ts';
import { contractOf, integer, operation, serve, targetOf } from './fixtures.ts';
import type { TestServer } from './fixtures.ts';

interface Thing {
  readonly id: string;
  readonly name: string;
}

/** A small service with a paged collection of things. */
export interface Things extends TestServer {
  readonly store: Map<string, Thing>;
  /** Handles a request instead of the service if it returns true. */
  intercept: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Resets the connection instead of responding to a POST. */
  resetAfterCreating: boolean;
}

export const THINGS: Contract = contractOf(
  operation({ path: '/things', parameters: [integer('page', 0), integer('take', 20)] }),
  operation({ path: '/things', method: 'POST', effect: 'reversible' }),
  operation({ path: '/things/{id}', method: 'DELETE', effect: 'reversible' }),
);

const [list, create, remove] = THINGS.operations as readonly [Operation, Operation, Operation];

export const RESOURCE = { create, remove, list, idName: 'id' };

export function thing(tag: string): { create: string; remove: string; list: string; idName: string; tag: string } {
  return { create: 'POST /things', remove: 'DELETE /things/{id}', list: 'GET /things', idName: 'id', tag };
}

async function createThing(things: Things, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await json(request);
  const name = typeof body === 'object' && body !== null && 'name' in body ? String(body.name) : '';
  const id = randomUUID();
  things.store.set(id, { id, name });
  if (things.resetAfterCreating) response.socket?.resetAndDestroy();
  else response.end(JSON.stringify(id));
}

function listThings(things: Things, url: URL, response: ServerResponse): void {
  const page = Number(url.searchParams.get('page') ?? 0);
  const take = Math.min(Number(url.searchParams.get('take') ?? 20), 30);
  response.end(JSON.stringify([...things.store.values()].slice(page * take, (page + 1) * take)));
}

export async function serveThings(): Promise<Things> {
  const server = await serve((request, response) => {
    if (things.intercept(request, response)) return;
    response.setHeader('content-type', 'application/json');
    const url = new URL(request.url ?? '', 'http://x');
    const id = url.pathname.split('/')[3];
    if (request.method === 'POST') void createThing(things, request, response);
    else if (request.method === 'GET') listThings(things, url, response);
    else response.writeHead(things.store.delete(id ?? '') ? 200 : 404).end();
  });
  const things: Things = { ...server, store: new Map(), intercept: () => false, resetAfterCreating: false };
  return things;
}

/** A run `r1` that creates things, and the clean-up after it. */
export interface ThingsRun {
  readonly things: Things;
  readonly target: Target;
  readonly journal: Journal;
  /** The journals of the run, as those of a run that was killed. */
  readonly journals: () => readonly LeftJournal[];
  readonly clean: (options?: CleanUpOptions, by?: Target, contract?: Contract) => Promise<CleanUpReport>;
}

/** Starts the service of things and a run. Both are closed after the test. */
export async function runOfThings(): Promise<ThingsRun> {
  const things = await serveThings();
  const target = targetOf(things, { retry: {} });
  const where = { dir: emptyDirectory(), runId: 'r1', baseUrl: things.url };
  const journals = (): readonly LeftJournal[] => readJournals(where);
  return {
    things,
    target,
    journal: openJournal(where),
    journals,
    clean: (options, by = target, contract = THINGS) => cleanUp(by, contract, journals(), { settleMs: 20, ...options }),
  };
}
