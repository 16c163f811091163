import type { Contract, Exchange, Form, Identity, Operation } from '../../spec/index.ts';
import type { Target } from '../pipeline.ts';

/** What the preflight asks a target, before anything else does. */
export interface Probe {
  readonly operation: Operation;
  readonly identity: Identity;
}

/** A probe and the answers that it got, one a form that was tried. */
export interface Probed extends Probe {
  readonly exchange: Exchange;
}

const MOST_PROBES = 6;

/** Longest time for the answer to one probe, in milliseconds. */
const PROBE_TIMEOUT_MS = 15_000;

function isPlainRead(operation: Operation): boolean {
  return (
    operation.method === 'GET' &&
    operation.effect === 'read' &&
    operation.parameters.every((parameter) => !parameter.required && parameter.in !== 'path') &&
    !operation.path.includes('{')
  );
}

function firstOfEach(operations: readonly Operation[], key: (operation: Operation) => string): readonly Operation[] {
  return [
    ...new Map(operations.toReversed().map((operation) => [key(operation), operation] as const)).values(),
  ].toReversed();
}

/**
 * The simplest reads of a contract: one that needs no token, then one a permission, then one a group of endpoints, so
 * that a single broken endpoint does not make a service look like another.
 */
export function chooseProbes(contract: Contract): readonly Probe[] {
  const reads = contract.operations.filter(isPlainRead);
  const open = reads.filter(({ permission }) => permission === 'none').slice(0, 1);
  const locked = reads.filter(({ permission }) => permission !== 'none');
  const chosen = new Set([
    ...firstOfEach(locked, ({ permission }) => permission),
    ...firstOfEach(locked, ({ tag, path }) => tag || path),
  ]);
  return [
    ...open.map((operation): Probe => ({ operation, identity: 'none' })),
    ...[...chosen].slice(0, MOST_PROBES - 1).map((operation): Probe => ({ operation, identity: 'full' })),
  ];
}

/** Asks only whether anybody is there: for a contract without a read that needs no values. */
export const KNOCK: Probe = {
  identity: 'none',
  operation: {
    id: 'GET /',
    method: 'GET',
    path: '/',
    forms: [{ name: '', path: '/', pointer: '' }],
    tag: '',
    summary: '',
    parameters: [],
    responses: [],
    permission: 'none',
    effect: 'read',
    extensions: {},
  },
};

function isConclusive({ response }: Exchange): boolean {
  return response === undefined || (response.status >= 200 && response.status < 300);
}

/** Sends a probe, through one form after the other until it is served. */
export async function ask(target: Target, { operation, identity }: Probe): Promise<Probed> {
  const forms = operation.forms.toReversed();
  const send = (form: Form) =>
    target.send({ operation, form, identity, timeoutMs: Math.min(target.timeoutMs, PROBE_TIMEOUT_MS) });
  let exchange: Exchange | undefined;
  for (const form of forms) {
    exchange = await send(form);
    if (isConclusive(exchange)) break;
  }
  if (!exchange) throw new Error(`${operation.id} has no form`);
  return { operation, identity, exchange };
}
