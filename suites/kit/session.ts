import { pathToFileURL } from 'node:url';
import { inject } from 'vitest';
import { createTarget, openJournal } from '../../client/index.ts';
import type { Journal, JournalEntry, Target } from '../../client/index.ts';
import { knowledgeFor } from '../../domain/index.ts';
import type { ApiKnowledge, CreateKnowledge } from '../../domain/index.ts';
import { loadContract } from '../../spec/index.ts';
import type { Contract, Effect, Exchange } from '../../spec/index.ts';
import { deadlineAfter } from './deadline.ts';
import type { Deadline } from './deadline.ts';
import type { SuiteRunOptions } from './options.ts';

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
  /** The exchanges that created them; the older ones are forgotten. */
  readonly origins: Map<string, Exchange>;
  /** In the name of everything that this run creates. */
  readonly tag: string;
  /** Requests so far by operation. */
  readonly sent: Map<string, number>;
  /** Set once the target can't be reached any more: why. Tests that have not begun then end as errors at once. */
  lost?: string;
  /** How many requests in a row were told to come later, and waited for in vain. */
  putOff?: number;
  allows(effect: Effect): boolean;
  /** When the time given for the run ends. */
  readonly deadline: Deadline;
  /** Makes something once in the run, however many tests ask for it at the same time. */
  once<T>(key: string, make: () => Promise<T>): Promise<T>;
}

let opened: Promise<Session> | undefined;

/** The session of this worker; opened by the first suite that asks. */
export function openSession(): Promise<Session> {
  opened ??= open(inject('assay'));
  return opened;
}

async function open(given: SuiteRunOptions): Promise<Session> {
  const contract = await loadContract(given.specSource, { withoutServers: given.withoutServers === true });
  const knowledge = await knowledgeOf(contract, given.knowledge);
  const options = limited(given, contract, knowledge);
  const journal = openJournal({
    ...(options.journalDir === undefined ? {} : { dir: options.journalDir }),
    runId: options.runId,
    baseUrl: options.baseUrl,
  });
  const made = new Map<string, Promise<unknown>>();
  return {
    options: { ...options, runs: runsOf(options) },
    contract,
    knowledge,
    journal,
    creations: new Map(),
    made: new Set(),
    origins: new Map(),
    sent: new Map(),
    target: createTarget(targetOptions(options)),
    tag: `assay-${options.runId}`,
    allows: (effect) => options.allow.includes(effect),
    deadline: deadlineAfter(options.maxTimeMs, options.beganAt),
    once<T>(key: string, make: () => Promise<T>): Promise<T> {
      const known = made.get(key) ?? make();
      made.set(key, known);
      return known as Promise<T>;
    },
  };
}

/** The knowledge that a module of the user exports, or the one that fits the contract. */
async function knowledgeOf(contract: Contract, module: string | undefined): Promise<ApiKnowledge> {
  if (module === undefined) return knowledgeFor(contract);
  const { knowledge } = (await import(pathToFileURL(module).href)) as { readonly knowledge: CreateKnowledge };
  return knowledge(contract);
}

/** Most requests of one operation of an API that nothing is known of, unless `--max-requests` says otherwise. */
const MOST_REQUESTS = 1000;
const LEAST_REQUESTS = 100;
const MOST_IN_TOTAL = 150_000;

function limited(options: SuiteRunOptions, { operations }: Contract, knowledge: ApiKnowledge): SuiteRunOptions {
  if (options.maxRequests !== undefined || knowledge.guarantees('effects')) return options;
  const share = Math.floor(MOST_IN_TOTAL / operations.length);
  return { ...options, maxRequests: Math.min(MOST_REQUESTS, Math.max(LEAST_REQUESTS, share)) };
}

/** A property may use a quarter of the requests that an operation gets. */
function runsOf({ runs, maxRequests }: SuiteRunOptions): number {
  return maxRequests === undefined ? runs : Math.max(1, Math.min(runs, Math.floor(maxRequests / 4)));
}

/** The part of the options that the client needs; the command uses it for preflight and cleaning up as well. */
export function targetOptions(options: SuiteRunOptions): Parameters<typeof createTarget>[0] {
  return {
    baseUrl: options.baseUrl,
    tokens: options.tokens,
    ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
    ...(options.retry === undefined ? {} : { retry: options.retry }),
    ...(options.maxRate === undefined ? {} : { maxRate: options.maxRate }),
    ...(options.insecure === true ? { insecure: true } : {}),
  };
}
