import { setTimeout as delay } from 'node:timers/promises';
import { isOfGateway, isServed } from '../../spec/index.ts';
import type { Exchange, Finding, Operation } from '../../spec/index.ts';
import { Unreachable, Skip } from './context.ts';
import type { RequestSpec, TestMeta } from './context.ts';

/** Longest wait for a target that is out of service: one that stays so fails its tests. */
const LONGEST_MS = 10_000;
const PAUSE_MS = 300;

/** What a test has found, apart from what it met in an outage of the target. */
export interface Outcome {
  readonly meta: TestMeta;
  readonly ofOutage: readonly Finding[];
  /** How it ran again after the outage: `whole` where it ran to its end, `cut` where there was no time for it; undefined without an outage. */
  readonly again?: 'whole' | 'partly' | 'cut';
}

/** What {@link Outages} needs of a session. */
export interface OutageTools {
  /** Sends without judging. */
  readonly send: (operation: Operation, request: RequestSpec) => Promise<Exchange>;
  /** True where the time of the run is used up. */
  readonly isOver: () => boolean;
  readonly onEnd: () => void;
}

const isFailure = ({ steps }: Finding): boolean => isOfGateway(steps.at(-1)?.response?.status ?? 0);

/**
 * Tells an outage of the whole target, in which a gateway answers in its place, from failures of single operations: then a read of another
 * operation that was served before fails too.
 */
export class Outages {
  readonly #tools: OutageTools;
  /** A read of each operation that was served. */
  readonly #reads = new Map<string, RequestSpec & { readonly operation: Operation }>();
  #latest = { from: 0, to: 0 };
  #isLasting = false;
  #waiting: Promise<'over' | 'cut' | undefined> | undefined;

  constructor(tools: OutageTools) {
    this.#tools = tools;
  }

  /** Takes notice of an answer. */
  note(operation: Operation, request: RequestSpec, exchange: Exchange): void {
    if (!isServed(exchange)) return;
    this.#isLasting = false;
    const isPlain = operation.method === 'GET' && exchange.identity === 'full' && !operation.path.includes('{');
    if (isPlain && !this.#reads.has(operation.id)) this.#reads.set(operation.id, { ...request, operation });
  }

  /** Runs a test, once more after an outage that it met. */
  async during(run: () => Promise<TestMeta>): Promise<Outcome> {
    const first = await run();
    const { findings, statuses } = first.test;
    const at = findings.findIndex(isFailure);
    const end = at < 0 ? undefined : await this.#endOf(findings.filter(isFailure));
    if (end === undefined) return { meta: first, ofOutage: [] };
    const [own, met] = [findings.slice(0, at), findings.slice(at)];
    const second = end === 'cut' ? undefined : await run();
    if (second === undefined || second.test.outOfTime === true) {
      const { completed: _, ...test } = first.test;
      const unrun = { verdict: 'skipped', reason: OUT_OF_SERVICE, outOfTime: true } as const;
      return {
        meta: { ...first, test: { ...test, ...unrun, findings: own } },
        ofOutage: met.map(atTimes),
        again: 'cut',
      };
    }
    const { test } = second;
    const found = new Set(test.findings.map(({ fingerprint }) => fingerprint));
    const isWhole = (test.verdict === 'passed' || test.completed === true) && test.cutShort === undefined;
    const all = [...own.filter(({ fingerprint }) => !found.has(fingerprint)), ...test.findings];
    return {
      meta: { ...second, test: { ...test, statuses: [...statuses, ...test.statuses], findings: all } },
      ofOutage: met
        .filter(({ fingerprint }) => !found.has(fingerprint))
        .map((each) => atTimes(isWhole ? causedBy(each, met[0]) : each)),
      again: isWhole ? 'whole' : 'partly',
    };
  }

  /** Waits for the end of the outage that explains the failures; undefined where none does, or where it lasts. */
  async #endOf(failures: readonly Finding[]): Promise<'over' | 'cut' | undefined> {
    const times = failures.map(({ steps }) => steps.at(-1)?.sentAt ?? 0);
    const failing = new Set(failures.map(({ operation }) => operation));
    const read = [...this.#reads.values()].find(({ operation }) => !failing.has(operation.id));
    if (read === undefined || this.#isLasting) return undefined;
    this.#waiting ??= this.#wait(read, Math.min(...times)).finally(() => {
      this.#waiting = undefined;
    });
    const end = await this.#waiting;
    const { from, to } = this.#latest;
    return end ?? (times.every((time) => time >= from && time <= to) ? 'over' : undefined);
  }

  /** Repeats a read until it is not answered by a gateway. */
  async #wait(
    read: RequestSpec & { readonly operation: Operation },
    from: number,
  ): Promise<'over' | 'cut' | undefined> {
    const { send, isOver, onEnd } = this.#tools;
    const began = Date.now();
    for (let isFirst = true; ; isFirst = false) {
      const sentAt = Date.now();
      const exchange = await send(read.operation, read).catch(ignoreUnsent);
      const isOut = isOfGateway(exchange?.response?.status ?? 0);
      if (isFirst && !isOut) return undefined;
      this.#latest = { from: from - LONGEST_MS, to: isOut ? sentAt + PAUSE_MS : sentAt };
      if (exchange !== undefined && !isOut) {
        onEnd();
        return 'over';
      }
      if (isOver()) return 'cut';
      this.#isLasting = sentAt - began > LONGEST_MS;
      if (this.#isLasting) return undefined;
      await delay(PAUSE_MS);
    }
  }
}

const OUT_OF_SERVICE =
  'the deployment was out of service for a while (502, 503 or 504), and no time was left to run the test again';

/** A read that is not sent shows nothing. */
function ignoreUnsent(error: unknown): undefined {
  if (!(error instanceof Skip || error instanceof Unreachable)) throw error;
}

/** A failure in an outage of the whole target says nothing about its operation. */
const atTimes = (finding: Finding): Finding => (isFailure(finding) ? { ...finding, curlShows: 'sometimes' } : finding);

/** What the repetition of a test does not find follows from the first failure. */
function causedBy(finding: Finding, first: Finding | undefined): Finding {
  if (first === undefined || isFailure(finding) || finding.cause !== undefined) return finding;
  return { ...finding, cause: first.fingerprint };
}
