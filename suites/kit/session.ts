import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, inject } from 'vitest';
import { deadlineAfter, openJournal } from '../../client/index.ts';
import type { Creation, Deadline, Journal, JournalEntry, Target } from '../../client/index.ts';
import { knowledgeFor } from '../../domain/index.ts';
import { withBodies } from '../../domain/fixtures.ts';
import type { ApiKnowledge, CreateKnowledge } from '../../domain/index.ts';
import { isSuccess, loadContract, unpackContract } from '../../spec/index.ts';
import type { Contract, Effect, Operation } from '../../spec/index.ts';
import { FinishedItems } from './finished-items.ts';
import { GroupTime } from './group-time.ts';
import { groupOf } from './in-order.ts';
import { testsEndAfter } from './options.ts';
import type { SuiteRunOptions } from './options.ts';
import { History } from './history.ts';
import { openSuiteTarget } from './send.ts';

declare module 'vitest' {
  interface ProvidedContext {
    assay: SuiteRunOptions;
  }
}

/** What all tests of a run share. */
export interface Session {
  readonly options: SuiteRunOptions;
  readonly contract: Contract;
  readonly knowledge: ApiKnowledge;
  readonly target: Target;
  readonly journal: Journal;
  /** Journal entries of what was created, by the id of the creating exchange. */
  readonly creations: Map<string, JournalEntry>;
  /** Ids of all that this run created, in lower case, also of what is gone again. */
  readonly made: Set<string>;
  /** By the id of a creating operation: whether its responses tell the ids of the items. */
  readonly tellsIds: Map<string, boolean>;
  /** What findings need to be shown again. */
  readonly history: History;
  /** Removes what finished tests created. */
  readonly finished: FinishedItems;
  /** In the name of everything that this run creates. */
  readonly tag: string;
  /** Generated cases of one property, about that operation if any. */
  runsFor(operation?: Operation): number;
  allows(effect: Effect): boolean;
  /** When the time given for the run ends. */
  readonly deadline: Deadline;
  /** The time of the group of suites that runs. */
  readonly time: GroupTime;
  /** Makes something once in the run, however many tests ask for it at the same time. */
  once<T>(key: string, make: () => Promise<T>): Promise<T>;
}

let opened: Promise<Session> | undefined;

/** The session of this worker; opened by the first suite that asks. Each file of tests hands on what the client has counted. */
export async function openSession(): Promise<Session> {
  opened ??= open(inject('assay'));
  const { target, time } = await opened;
  // oxlint-disable-next-line no-empty-pattern -- Vitest requires destructuring of the first argument
  beforeAll(({}, file) => {
    time.enter(groupOf(file.file.filepath));
  });
  // oxlint-disable-next-line no-empty-pattern -- Vitest requires destructuring of the first argument
  afterAll(({}, file) => {
    file.meta.statistics = target.stats;
  });
  return opened;
}

async function open(given: SuiteRunOptions): Promise<Session> {
  const contract = await contractFor(given);
  const knowledge = await knowledgeOf(contract, given);
  const options = given;
  const mostRequests = limitOf(given, contract, knowledge);
  const journal = openJournal({
    ...(options.journalDir === undefined ? {} : { dir: options.journalDir }),
    runId: options.runId,
    baseUrl: options.baseUrl,
    bases: options.bases,
  });
  const once = new Map<string, Promise<unknown>>();
  const deadline = deadlineAfter(testsEndAfter(options), options.beganAt);
  const created = {
    creations: new Map(),
    made: new Set(),
    tellsIds: new Map(),
    history: new History(),
  } as const satisfies Partial<Session>;
  const onCreation = (creation: Creation): void => {
    remember(created, creation);
    finished.note(creation);
  };
  const target = openSuiteTarget({ options, contract, knowledge, journal, deadline, onCreation, mostRequests });
  const mayRemove = (operation: Operation): boolean => mostRequests(operation) === Infinity;
  const forget = (id: string): void => created.history.forget(id);
  const finished = new FinishedItems({ contract, journal, target, mayRemove, forget });
  return {
    ...created,
    options,
    contract,
    knowledge,
    journal,
    deadline,
    time: new GroupTime(deadline),
    target,
    finished,
    tag: `assay-${options.runId}`,
    runsFor: (operation) => runsOf(options.runs, operation === undefined ? Infinity : mostRequests(operation)),
    allows: (effect) => options.allow.includes(effect),
    once<T>(key: string, make: () => Promise<T>): Promise<T> {
      const known = once.get(key) ?? finished.shared(make);
      once.set(key, known);
      return known as Promise<T>;
    },
  };
}

function contractFor({ contractFile, specSource, withoutServers = false }: SuiteRunOptions): Promise<Contract> {
  return contractFile === undefined
    ? loadContract(specSource, { withoutServers })
    : readFile(contractFile).then(unpackContract);
}

/** The knowledge that a module of the user exports, or the one that fits the contract. */
async function knowledgeOf(
  contract: Contract,
  { knowledge: module, fixtures = {} }: SuiteRunOptions,
): Promise<ApiKnowledge> {
  if (module === undefined) return knowledgeFor(contract, fixtures);
  const { knowledge } = (await import(pathToFileURL(module).href)) as { readonly knowledge: CreateKnowledge };
  return withBodies(knowledge(contract), fixtures);
}

/** Most requests of one operation of an API that nothing is known of, unless `--max-requests` says otherwise. */
const MOST_REQUESTS = 1000;
const LEAST_REQUESTS = 100;
const MOST_IN_TOTAL = 150_000;

function limitOf(
  { maxRequests }: SuiteRunOptions,
  { operations }: Contract,
  knowledge: ApiKnowledge,
): (operation: Operation) => number {
  if (maxRequests !== undefined) return () => maxRequests;
  const share = Math.floor(MOST_IN_TOTAL / operations.length);
  const most = Math.min(MOST_REQUESTS, Math.max(LEAST_REQUESTS, share));
  return (operation) => (knowledge.guarantees('effects', operation) ? Infinity : most);
}

function remember(
  { creations, made, tellsIds, history }: Pick<Session, 'creations' | 'made' | 'tellsIds' | 'history'>,
  { exchange, entry, id }: Creation,
): void {
  if (entry !== undefined) creations.set(exchange.id, entry);
  if (isSuccess(exchange.response?.status ?? 0)) tellsIds.set(exchange.operation, id !== undefined);
  if (id === undefined) return;
  made.add(id);
  history.addOrigin(id, exchange);
}

/** A property may use a quarter of the requests that an operation gets. */
function runsOf(runs: number, mostRequests: number): number {
  return Math.max(1, Math.min(runs, Math.floor(mostRequests / 4)));
}
