import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll } from 'vitest';
import { deadlineAfter, openJournal } from '../../client/index.ts';
import type { Creation, Deadline, Journal, Target } from '../../client/index.ts';
import { knowledgeFor } from '../../domain/index.ts';
import { withBodies } from '../../domain/fixtures.ts';
import type { ApiKnowledge, CreateKnowledge } from '../../domain/index.ts';
import { affectsOtherTests, isOfGateway, isServed, loadContract, withoutHeaders } from '../../spec/index.ts';
import type { Contract, Effect, Finding, Operation } from '../../spec/index.ts';
import type { TestMeta } from './context.ts';
import { FinishedItems } from './finished-items.ts';
import type { OwnItem } from './finished-items.ts';
import { TimeBudget } from './time-budget.ts';
import { groupOf } from './groups.ts';
import { givenOptions, interruptOfRun } from './given-options.ts';
import { testsEndAfter } from './options.ts';
import type { SuiteRunOptions } from './options.ts';
import { History } from './history.ts';
import { contractFrom } from './known-contract.ts';
import { Outages } from './outages.ts';
import { openSuiteTarget, sendSpec } from './send.ts';
import { Shared } from './shared.ts';

/** A test that may run again. */
export interface EndedTest {
  readonly name: string;
  readonly suite: string;
  /** The first segment of its operation's path. */
  readonly resource: string;
  readonly requests: number;
  readonly findings: readonly Pick<Finding, 'fingerprint' | 'code' | 'subject'>[];
  /** Fingerprints of what it met in an outage and did not find again after it. */
  readonly ofOutage: readonly string[];
  /** Set where an outage kept it from its end, and there was no time to run it again. */
  readonly isCut: boolean;
  readonly run: () => Promise<TestMeta>;
}

/** What all tests of a run share. */
export interface Session {
  readonly options: SuiteRunOptions;
  readonly contract: Contract;
  readonly knowledge: ApiKnowledge;
  readonly target: Target;
  readonly journal: Journal;
  /** What was created, by the id of the creating exchange. */
  readonly creations: Map<string, OwnItem>;
  /** Ids of all items that this run created, in lower case, also of those that are removed again. */
  readonly createdIds: Set<string>;
  /** By the id of a creating operation: whether its responses contain the ids of the items. */
  readonly returnsIds: Map<string, boolean>;
  /** Exchanges with which findings can be reproduced. */
  readonly history: History;
  /** Removes what finished tests created. */
  readonly finished: FinishedItems;
  /** Tests that reported something so far. */
  readonly withFindings: EndedTest[];
  /** Tests that have tested, besides, whether other items stay as they were. */
  readonly keepingOthers: EndedTest[];
  /** Outages of the target that tests have met. */
  readonly outages: Outages;
  /** In the name of everything that this run creates. */
  readonly tag: string;
  /** Number of generated cases for a property of that operation. */
  runsFor(operation: Operation): number;
  allows(effect: Effect): boolean;
  /** When the time for the run ends. */
  readonly deadline: Deadline;
  /** Rejected once the run is interrupted and no request is in flight that may change something. */
  readonly interrupted: Promise<never>;
  /** The time of the group of suites that is running. */
  readonly time: TimeBudget;
  /** Calls `make` once per run and key; all callers share the result. */
  once<T>(key: string, make: () => Promise<T>): Promise<T>;
  /** From now on, {@link once} calls `make` again. */
  forgetShared(): void;
}

/** True where overlapping calls failed, a gateway answered with an error, or a finding affects other tests, which therefore run again. */
export function rerunIsDue(tests: readonly EndedTest[]): boolean {
  return tests.some(
    ({ suite, findings, ofOutage }) =>
      suite === 'state/overlap' ||
      ofOutage.length > 0 ||
      findings.some(({ code, subject }) => affectsOtherTests(code) || isOfGateway(Number(subject))),
  );
}

let opened: Promise<Session> | undefined;

/** The session of this worker, which the first caller opens. Each file of tests passes the statistics of the client on. */
export async function openSession(): Promise<Session> {
  opened ??= givenOptions().then(open);
  const { target, time, withFindings } = await opened;
  // oxlint-disable-next-line no-empty-pattern -- Vitest requires destructuring of the first argument
  beforeAll(({}, file) => {
    time.enter(groupOf(file.file.filepath), rerunIsDue(withFindings));
  });
  // oxlint-disable-next-line no-empty-pattern -- Vitest requires destructuring of the first argument
  afterAll(({}, file) => {
    file.meta.statistics = target.stats;
  });
  return opened;
}

async function open(options: SuiteRunOptions): Promise<Session> {
  const contract = await contractFor(options);
  const knowledge = await knowledgeOf(contract, options);
  const mostRequests = limitOf(options, contract, knowledge);
  const journal = openJournal({
    ...(options.journalDir === undefined ? {} : { dir: options.journalDir }),
    runId: options.runId,
    baseUrl: options.baseUrl,
    bases: options.bases,
    spec: options.specSource,
  });
  const shared = new Shared();
  const deadline = deadlineAfter(testsEndAfter(options), options.beganAt);
  const created = {
    creations: new Map(),
    createdIds: new Set(),
    returnsIds: new Map(),
    history: new History(),
  } as const satisfies Partial<Session>;
  const onCreation = (creation: Creation): void => remember(created, creation);
  // Each item is read several times, which changes nothing: only other requests are limited by default.
  const isLimited = ({ effect }: Operation): boolean => options.maxRequests !== undefined || effect !== 'read';
  const maxRequests = (operation: Operation): number => (isLimited(operation) ? mostRequests(operation) : Infinity);
  const target = openSuiteTarget({ options, contract, knowledge, journal, deadline, onCreation, maxRequests });
  const mayRemove = (operation: Operation): boolean => mostRequests(operation) === Infinity;
  const outages = new Outages({
    send: (operation, request) => sendSpec({ target, contract }, operation, request),
    isOver: () => deadline.over(),
    onEnd: () => shared.forgetFailed(),
  });
  const forget = (id: string): void => created.history.forget(id.toLowerCase());
  return {
    ...created,
    options,
    contract,
    knowledge,
    journal,
    deadline,
    interrupted: untilInterrupted(deadline),
    time: new TimeBudget(deadline),
    target,
    outages,
    finished: new FinishedItems({ contract, journal, target, mayRemove, forget }),
    withFindings: [],
    keepingOthers: [],
    tag: `assay-${options.runId}`,
    runsFor: (operation) => runsOf(options.runs, mostRequests(operation)),
    allows: (effect) => options.allow.includes(effect),
    once: (key, make) => shared.once(key, make),
    forgetShared: () => shared.forget(),
  };
}

async function contractFor(options: SuiteRunOptions): Promise<Contract> {
  const { contractFile, specSource, withoutServers = false, headers = {} } = options;
  const contract =
    contractFile === undefined
      ? await loadContract(specSource, { withoutServers })
      : contractFrom(await readFile(contractFile));
  return withoutHeaders(contract, Object.keys(headers));
}

function untilInterrupted(deadline: Deadline): Promise<never> {
  const interrupted = interruptOfRun().then(async () => {
    await deadline.interrupt();
    return deadline.check() as never;
  });
  interrupted.catch(() => {
    // The tests that are running report it.
  });
  return interrupted;
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

/** Limits of the changing requests of one operation where the API is known from its description only and `--max-requests` is not set. */
const MOST_REQUESTS = 1000;
const LEAST_REQUESTS = 100;
const MOST_IN_TOTAL = 300_000;

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
  { creations, createdIds, returnsIds, history }: Pick<Session, 'creations' | 'createdIds' | 'returnsIds' | 'history'>,
  { exchange, entry, id, isDoubtful }: Creation,
): void {
  if (entry !== undefined) creations.set(exchange.id, { entry, id });
  if (isServed(exchange)) returnsIds.set(exchange.operation, id !== undefined);
  if (id === undefined) return;
  if (isDoubtful !== true) createdIds.add(id.toLowerCase());
  history.addOrigin(id.toLowerCase(), exchange);
}

/** A property may use a quarter of the requests of an operation. */
function runsOf(runs: number, mostRequests: number): number {
  return Math.max(1, Math.min(runs, Math.floor(mostRequests / 4)));
}
