import { isSuccess } from '../../spec/index.ts';
import type { Contract, Exchange, Identity, Operation, SecurityScheme } from '../../spec/index.ts';
import { endsSession } from '../../spec/ends-session.ts';
import { groupBy } from '../../spec/group-by.ts';
import { isPostponed } from '../middleware/retry.ts';
import type { Target } from '../pipeline.ts';
import { wantedOf } from '../security.ts';

/** A problem of a target in one sentence, and what to do. */
export interface TargetProblem {
  readonly message: string;
  readonly hint: string;
}

/** A read that the preflight sends. */
export interface Probe {
  readonly operation: Operation;
  readonly identity: Identity;
}

export interface Probed extends Probe {
  readonly exchange: Exchange;
}

const MOST_PROBES = 8;

/** Time limit of one probe, in milliseconds. */
const PROBE_TIMEOUT_MS = 15_000;

function isPlainRead(operation: Operation): boolean {
  const { method, effect, parameters, path } = operation;
  const needsNothing = parameters.every((parameter) => !parameter.required && parameter.in !== 'path');
  return method === 'GET' && effect === 'read' && needsNothing && !path.includes('{') && !endsSession(operation);
}

function firstOfEach(operations: readonly Operation[], key: (operation: Operation) => string): readonly Operation[] {
  const byKey = new Map<string, Operation>();
  for (const operation of operations) if (!byKey.has(key(operation))) byKey.set(key(operation), operation);
  return [...byKey.values()];
}

/** The simplest reads: without a token, per permission, per group of endpoints, then others, so that one broken endpoint does not mislead. */
export function chooseProbes(contract: Contract): readonly Probe[] {
  const reads = contract.operations.filter(isPlainRead);
  const open = reads.filter(({ permission }) => permission === 'none').slice(0, 1);
  const locked = reads.filter(({ permission }) => permission !== 'none');
  const firsts = firstOfEach(locked, ({ permission }) => permission);
  const others = locked.filter((each) => each.permission.startsWith('RACI:') && !firsts.includes(each));
  const chosen = new Set([
    ...firsts,
    ...firstOfEach(others, ({ permission }) => permission),
    ...firstOfEach(locked, ({ tag, path }) => tag || path),
    ...locked,
  ]);
  return [
    ...open.map((operation): Probe => ({ operation, identity: 'none' })),
    ...[...chosen].slice(0, MOST_PROBES - 1).map((operation): Probe => ({ operation, identity: 'full' })),
  ];
}

/** Plain reads that the same schemes protect, whose secrets are all given. */
export interface Protected {
  readonly schemes: readonly SecurityScheme[];
  readonly reads: readonly Operation[];
}

/** The plain reads of a description, by the schemes that protect them; none where the same schemes protect all. */
export function readsByScheme(contract: Contract, keys: Target['keys']): readonly Protected[] {
  const named = contract.operations
    .filter((operation) => isPlainRead(operation) && operation.security !== undefined)
    .map((operation) => ({ operation, ...wantedOf(operation, keys) }));
  const groups = groupBy(named, ({ wanted }) => JSON.stringify(wanted.map(({ name }) => name).toSorted()));
  if (groups.size < 2) return [];
  return [...groups.values()].flatMap((group) => {
    const [{ wanted, missing } = { wanted: [], missing: [] }] = group;
    if (wanted.length === 0 || missing.length > 0) return [];
    return [{ schemes: wanted, reads: group.map(({ operation }) => operation) }];
  });
}

/** A read without a token; the path need not be documented. */
export function probeOf(path: string): Probe {
  return {
    identity: 'none',
    operation: {
      id: `GET ${path}`,
      method: 'GET',
      path,
      forms: [{ name: '', path, pointer: '' }],
      tag: '',
      summary: '',
      parameters: [],
      responses: [],
      permission: 'none',
      effect: 'read',
      extensions: {},
    },
  };
}

/** True for a response of a gateway that asked to wait, each time. */
export function isRefusedByGateway({ response }: Exchange): boolean {
  return response !== undefined && isPostponed(response);
}

/** Sends a probe through one form after the other, the preferred one first, until one succeeds or a gateway refuses it. */
export async function sendProbe(target: Target, { operation, identity }: Probe): Promise<Probed> {
  const timeoutMs = Math.min(target.timeoutMs, PROBE_TIMEOUT_MS);
  let exchange: Exchange | undefined;
  for (const form of operation.forms.toReversed()) {
    exchange = await target.send({ operation, form, identity, timeoutMs });
    const { response } = exchange;
    if (response === undefined || isSuccess(response.status) || isPostponed(response)) break;
  }
  if (!exchange) throw new Error(`${operation.id} has no form`);
  return { operation, identity, exchange };
}
