import type { JournalEntry, Send } from '../client/index.ts';
import { withJournal } from '../client/middleware/journal.ts';
import { knowledgeFor } from '../domain/index.ts';
import type { ApiContext } from '../domain/index.ts';
import { idOf } from '../domain/items.ts';
import { isNewId } from '../domain/own-ids.ts';
import type { Exchange } from '../spec/index.ts';
import type { CommonOptions } from './options.ts';
import { removeAll } from './scenarios/remove-all.ts';

export interface SetupApi {
  readonly api: ApiContext;
  /** Sends a request and writes created items to the journal. */
  readonly send: Send;
  /** Removes everything that `api` and `send` created; what cannot be removed stays in the journal. */
  readonly removeCreated: () => Promise<void>;
}

/** @param expectSuccess throws unless the response is a success */
export function setupApi(
  options: Pick<CommonOptions, 'contract' | 'journal' | 'send' | 'allow' | 'settleMs' | 'fixtures'>,
  tag: string,
  expectSuccess: (exchange: Exchange) => Exchange,
): SetupApi {
  const { contract, journal, allow, settleMs = 1000 } = options;
  const knowledge = knowledgeFor(contract, options.fixtures);
  const entries = new Map<string, JournalEntry>();
  const ids = new Set<string>();
  const once = new Map<string, Promise<unknown>>();
  const journaled = withJournal({
    journal,
    tag,
    resources: knowledge.resources,
    idOf: ({ response }, idName) => idOf(response?.json, idName),
    isNewId: (operation, created, id) => isNewId({ contract, knowledge, tag }, operation, created, id),
    onCreation({ exchange, entry, id, isDoubtful }) {
      if (entry !== undefined) entries.set(exchange.id, entry);
      if (id !== undefined && isDoubtful !== true) ids.add(id);
    },
  });
  const send = journaled(options.send);
  const api: ApiContext = {
    contract,
    knowledge,
    settleMs,
    tag,
    journal,
    allows: (effect) => allow.includes(effect),
    isOwn: (id) => ids.has(id),
    sendQuietly: (operation, request) => send({ ...request, operation }),
    async send(operation, request = {}) {
      const exchange = await api.sendQuietly(operation, request);
      return request.expect === 'success' ? expectSuccess(exchange) : exchange;
    },
    // `verify` reports violations; the setup only needs the items.
    report: () => {},
    once<T>(key: string, make: () => Promise<T>): Promise<T> {
      const known = once.get(key) ?? make();
      once.set(key, known);
      return known as Promise<T>;
    },
    async acknowledge(created, id) {
      const entry = entries.get(created.id);
      if (entry !== undefined) await journal.acknowledge(entry, id);
      ids.add(id.toLowerCase());
    },
  };
  return { api, send, removeCreated: () => removeCreated(api, [...entries.values()]) };
}

/** Removes items by kind, the kind that was created last first: jobs before their agents. */
async function removeCreated(api: ApiContext, entries: readonly JournalEntry[]): Promise<void> {
  const own = new Set(entries.map(({ number }) => number));
  const left = api.journal.pending().filter(({ number }) => own.has(number));
  const kinds = new Set(left.map(({ remove }) => remove).toReversed());
  for (const kind of kinds) {
    const operation = api.contract.operation(kind);
    if (operation === undefined) continue;
    const items = left.filter(({ remove, id }) => remove === kind && id !== undefined);
    await removeAll(items, ({ id = '', idName }) => api.sendQuietly(operation, { path: { [idName]: id } }));
  }
}
