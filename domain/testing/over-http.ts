import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { cleanUp, createTarget, openJournal, readJournals } from '../../client/index.ts';
import type { CleanUpReport, Creation, Target } from '../../client/index.ts';
import { serve } from '../../client/testing/fixtures.ts';
import { contractOf } from '../../spec/index.ts';
import type { Effect, Json, JsonObject, Operation } from '../../spec/index.ts';
import type { ApiContext } from '../context.ts';
import { announcedBy, removable } from '../announced.ts';
import { clientNamedOf } from '../client-named.ts';
import { idInResponse } from '../id-in-response.ts';
import { inferredKnowledge } from '../inferred/knowledge.ts';
import { isNewId } from '../own-ids.ts';
import { requiredParameters } from '../inferred/plain-request.ts';
import { emptyDirectory } from '../../spec/testing/empty-directory.ts';

/** What a small service answers. */
export interface Answer {
  readonly status: number;
  readonly json?: Json;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A received request: `GET /things/1`, its headers and its body. */
export interface Call {
  readonly line: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A context over HTTP, for tests: a service with a description, as an unknown API. */
export interface OverHttp {
  readonly t: ApiContext;
  readonly target: Target;
  readonly calls: readonly Call[];
  operation(id: string): Operation;
  /** Removes what the journal lists. */
  cleanUp(): Promise<CleanUpReport>;
  close(): Promise<void>;
}

/** Starts a service with these paths; `answer` is called for each request. */
export async function overHttp(
  paths: JsonObject,
  answer: (call: Call) => Answer,
  allow: readonly Effect[] = ['read', 'reversible'],
): Promise<OverHttp> {
  const contract = contractOf({ openapi: '3.0.3', info: { title: 'Small', version: '1' }, paths }, 'small.json');
  const knowledge = inferredKnowledge(contract);
  const calls: Call[] = [];
  const { url: baseUrl, close } = await serve((request, response) => {
    void text(request).then((body) => {
      const call = { line: `${request.method} ${request.url}`, headers: request.headers, body };
      calls.push(call);
      const { status, json, headers } = answer(call);
      response.writeHead(status, { ...(json === undefined ? {} : { 'content-type': 'application/json' }), ...headers });
      response.end(json === undefined ? '' : JSON.stringify(json));
    });
  });
  const dir = emptyDirectory();
  const journal = openJournal({ dir, runId: 'r1', baseUrl });
  const creations = new Map<string, Creation>();
  const own = new Set<string>();
  const target = createTarget({
    baseUrl,
    guard: { allow },
    requiredOf: requiredParameters(contract),
    journaling: {
      journal,
      tag: 'assay-r1',
      resources: [...knowledge.resources, ...(knowledge.nested ?? [])],
      named: clientNamedOf(contract),
      idOf: idInResponse,
      isNewId: (operation, created, id) => isNewId({ contract, knowledge, tag: 'assay-r1' }, operation, created, id),
      announcedOf: (operation, created) => removable(announcedBy(contract, operation, created)),
      onCreation: (creation) => {
        creations.set(creation.exchange.id, creation);
        if (creation.id !== undefined && creation.isDoubtful !== true) own.add(creation.id.toLowerCase());
      },
    },
  });
  const t = contextOf({ contract, knowledge, journal, target, allow, creations, own });
  return {
    t,
    cleanUp: () =>
      cleanUp(target, contract, readJournals({ dir, baseUrl, runId: 'r1', onlyRun: true }), { settleMs: 10 }),
    target,
    calls,
    operation(id) {
      const found = contract.operation(id);
      if (found === undefined) throw new Error(`no operation ${id}`);
      return found;
    },
    async close() {
      await target.close();
      await journal.close();
      await close();
    },
  };
}

interface Parts extends Pick<ApiContext, 'contract' | 'knowledge' | 'journal'> {
  readonly target: Target;
  readonly allow: readonly Effect[];
  /** By the id of the creating exchange. */
  readonly creations: ReadonlyMap<string, Creation>;
  /** Ids of created items, in lower case. */
  readonly own: Set<string>;
}

function contextOf({ target, allow, creations, own, ...parts }: Parts): ApiContext {
  const shared = new Map<string, Promise<unknown>>();
  const send: ApiContext['send'] = (operation, request = {}) => target.send({ ...request, operation });
  return {
    ...parts,
    settleMs: 20,
    tag: 'assay-r1',
    allows: (effect) => allow.includes(effect),
    send,
    sendQuietly: send,
    report: () => {},
    once<T>(key: string, make: () => Promise<T>) {
      const known = shared.get(key) ?? make();
      shared.set(key, known);
      return known as Promise<T>;
    },
    async acknowledge(created, id) {
      own.add(id.toLowerCase());
      const entry = creations.get(created.id)?.entry;
      if (entry !== undefined) await parts.journal.acknowledge(entry, id);
    },
    isOwn: (id) => own.has(id),
  };
}
