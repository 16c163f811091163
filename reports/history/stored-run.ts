import { createHash } from 'node:crypto';
import { defined } from '../../spec/defined.ts';
import type { CapacityRecord, Latency, ScenarioRecord } from '../../spec/index.ts';
import { searchesOf } from '../summary/types.ts';
import type { MergedFinding, Summary } from '../summary/types.ts';
import { isCutOff } from '../summary/verdict.ts';

export interface StoredRun extends Pick<Summary, 'startedAt' | 'command' | 'version' | 'seed' | 'verdict'> {
  readonly id: string;
  readonly target: string;
  readonly title: string;
  /** What `--only`, `--skip`, `--allow` and `--shard` selected, as text; absent where nothing did, and in older stores. */
  readonly selection?: string;
  /** Set where the run ended before it had tested all; absent in older stores. */
  readonly cutOff?: true;
  readonly commit?: string;
  readonly requirements: Readonly<Record<string, string>>;
  readonly findings: readonly StoredFinding[];
  readonly scenarios: readonly (Pick<ScenarioRecord, 'name' | 'rate'> & Pick<Latency, 'p50' | 'p99'>)[];
  /** Older stores have no `limitedBy` and no `confirmed`. */
  readonly capacities: readonly (Pick<CapacityRecord, 'scenario' | 'rate' | 'low' | 'high'> &
    Partial<Pick<CapacityRecord, 'limitedBy' | 'confirmed'>>)[];
}

export type StoredFinding = Pick<
  MergedFinding,
  'fingerprint' | 'code' | 'requirement' | 'operation' | 'message' | 'fails'
>;

function selectionOf({ options }: Summary): string | undefined {
  const lists = [options['only'], options['skip'], options['allow']].map((list) =>
    Array.isArray(list) ? list.map(String).sort((a, b) => a.localeCompare(b)) : [],
  );
  const { shard } = options;
  const isWhole = lists.every((list) => list.length === 0) && shard === undefined;
  return isWhole ? undefined : JSON.stringify(shard === undefined ? lists : [...lists, shard]);
}

/** The part of a summary that the store keeps. The id depends on the run only, not on when it is read. */
export function storedRun(summary: Summary): StoredRun {
  const { startedAt, command, version, target, spec, seed, verdict, environment, requirements, findings } = summary;
  const { scenarios = [] } = summary;
  const identity = [startedAt, command, target.baseUrl, spec.title, seed].join('\u0000');
  return {
    id: createHash('sha256').update(identity).digest('hex').slice(0, 16),
    startedAt,
    command,
    version,
    target: target.embedded ? 'embedded' : target.baseUrl,
    title: spec.title,
    seed,
    verdict,
    ...defined({ selection: selectionOf(summary), commit: environment?.commit }),
    ...(isCutOff(summary) ? { cutOff: true } : {}),
    requirements: Object.fromEntries(requirements.map(({ id, verdict: each }) => [id, each])),
    findings: findings.map(({ fingerprint, code, requirement, operation, message, fails }) => ({
      fingerprint,
      code,
      requirement,
      operation,
      message,
      fails,
    })),
    scenarios: scenarios.map(({ name, rate, latencyMs: { p50, p99 } }) => ({ name, rate, p50, p99 })),
    capacities: searchesOf(summary).map(({ scenario, rate, low, high, limitedBy, confirmed }) => ({
      scenario,
      rate,
      low,
      high,
      limitedBy,
      ...defined({ confirmed }),
    })),
  };
}
