import type { Slice } from './engines/messages.ts';
import { sumOf } from './engines/latencies.ts';
import { packLatencies } from './engines/pack-latencies.ts';
import type { PreparedScenario, ScenarioRequest } from './scenarios/scenario.ts';
import { defined } from '../spec/defined.ts';

const COUNTS = ['index', 'from', 'to', 'sentTo', 'unsent', 'refused', 'withheld', 'spanMs'] as const;

/** Other members of a packed slice. Samples stay on the machine that took them: they contain its token. */
const PLAIN = ['sent', 'late', 'inFlight', 'backlog', 'connections', 'busy', 'failedIds'] as const;

interface SliceFigures extends Pick<Slice<string>, (typeof PLAIN)[number] | 'lag' | 'parts'> {
  readonly lagSum: ReturnType<typeof sumOf>;
}

/** The counts of a slice that the accounts of a fleet need. */
export interface SliceCounts extends Pick<Slice, (typeof COUNTS)[number]> {
  readonly answered: number;
  /** Without those that were never sent. */
  readonly failed: number;
}

/** A slice as a message to another machine. */
export interface PackedSlice extends SliceCounts {
  readonly figures: SliceFigures;
}

function pick<T, Name extends keyof T>(from: T, names: readonly Name[]): Pick<T, Name> {
  return Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<T, Name>;
}

export function packSlice(slice: Slice): PackedSlice {
  const { parts, unsent } = slice;
  return {
    ...pick(slice, COUNTS),
    answered: parts.reduce((sum, part) => sum + part.answered, 0),
    failed: parts.reduce((sum, part) => sum + part.failed, 0) - unsent,
    figures: {
      ...pick(slice, PLAIN),
      lag: packLatencies(slice.lag),
      lagSum: sumOf(slice.lag),
      parts: parts.map((part) => ({ ...part, latencies: packLatencies(part.latencies) })),
    },
  };
}

/** A slice of another machine; its histograms stay packed. */
export interface ReceivedSlice extends Slice<string> {
  /** Of the generator lag. */
  readonly lagSum: ReturnType<typeof sumOf>;
}

export function receivedSlice(counts: SliceCounts, given: unknown): ReceivedSlice {
  return { ...(given as SliceFigures), ...pick(counts, COUNTS), samples: [] };
}

interface WrittenRequest extends Omit<ScenarioRequest, 'body'> {
  readonly body?: string;
}

/** The requests of a scenario as text for another machine, without tokens and headers of the target. */
interface WrittenRequests extends Pick<PreparedScenario, 'fieldWidth' | 'weights'> {
  readonly runId: string;
  readonly requests: readonly WrittenRequest[];
}

export interface SentRequests {
  readonly runId: string;
  readonly prepared: PreparedScenario;
}

export function writeRequests({ prepared, runId }: SentRequests): string {
  const { requests, fieldWidth, weights } = prepared;
  const written: WrittenRequests = {
    runId,
    ...defined({ fieldWidth, weights }),
    requests: requests.map(({ body, ...rest }) => ({
      ...rest,
      ...(body === undefined ? {} : { body: Buffer.from(body).toString('base64') }),
    })),
  };
  return JSON.stringify(written);
}

export function decodeRequests(text: string): SentRequests {
  const { runId, requests, ...rest } = JSON.parse(text) as WrittenRequests;
  return {
    runId,
    prepared: {
      ...rest,
      requests: requests.map(({ body, ...request }) => ({
        ...request,
        ...(body === undefined ? {} : { body: Buffer.from(body, 'base64') }),
      })),
    },
  };
}
