import type { CheckName, Exchange, Operation } from '../../../spec/index.ts';
import { isSuccess } from '../../../spec/index.ts';
import { idsOf } from '../../../domain/items.ts';
import { headOf, sameShape, shapeOf } from '../../kit/compare.ts';
import { keyOf } from '../hunt/flaw.ts';
import type { Flaw } from '../hunt/flaw.ts';
import type { Outcome } from './stage.ts';

/** What two requests that mean the same were called. */
export interface Twins {
  readonly operation: Operation;
  readonly check: CheckName;
  readonly requirement: string;
  /** How the first was sent, and the second. */
  readonly names: readonly [string, string];
}

/** What is wrong with the second of two requests that mean the same; nothing where the first found no answer or a server error. */
export function compare(twins: Twins, first: Outcome, second: Outcome): readonly Flaw[] {
  if ((first.exchange.response?.status ?? 500) >= 500 || isTooLong(first.exchange, second.exchange)) return [];
  const known = new Set(first.flaws.map(keyOf));
  const own = second.flaws.filter((each) => !known.has(keyOf(each)));
  if (own.length > 0)
    return own.map(({ shownBy: _shownBy, ...each }) => ({ ...each, exchanges: [first.exchange, ...each.exchanges] }));
  const head = unlikeHead(twins, first.exchange, second.exchange);
  return head === undefined ? unlikeShape(twins, first.exchange, second.exchange) : [head];
}

/** How long a body may be is not shown, so the longer way to write something may be too long. */
function isTooLong(one: Exchange, two: Exchange): boolean {
  const [shorter, longer] = sizeOf(one) < sizeOf(two) ? [one, two] : [two, one];
  return longer.response?.status === 413 && shorter.response?.status !== 413 && sizeOf(longer) > sizeOf(shorter);
}

function sizeOf({ request }: Exchange): number {
  return request.body?.length ?? 0;
}

function unlikeHead(twins: Twins, one: Exchange, two: Exchange): Flaw | undefined {
  const [expected, received] = [headOf(one), headOf(two)];
  if (expected === received || one.response === undefined || two.response === undefined) return undefined;
  const kind = `${isSuccess(two.response.status) ? 'served' : `status ${two.response.status}`} instead of ${isSuccess(one.response.status) ? 'served' : `status ${one.response.status}`}`;
  return unlike(twins, {
    kind: one.response.status === two.response.status ? 'another media type' : kind,
    expected: `${expected}, as with ${twins.names[0]}`,
    received,
    exchanges: [one, two],
  });
}

function unlikeShape(twins: Twins, one: Exchange, two: Exchange): readonly Flaw[] {
  if (!isSuccess(one.response?.status ?? 0) || holdOthers(one, two)) return [];
  const [expected, received] = [shapeOf(one.response?.json), shapeOf(two.response?.json)];
  if (sameShape(expected, received)) return [];
  return [
    unlike(twins, {
      kind: 'another shape of body',
      expected: JSON.stringify(expected),
      received: JSON.stringify(received),
      exchanges: [one, two],
    }),
  ];
}

/** A list may have changed between two requests: then its items are not to be compared. */
function holdOthers(one: Exchange, two: Exchange): boolean {
  const [ids, others] = [idsOf(one.response?.json), idsOf(two.response?.json)];
  return ids !== undefined && others !== undefined && ids.join() !== others.join();
}

function unlike(
  { operation, check, requirement, names }: Twins,
  parts: Pick<Flaw, 'kind' | 'expected' | 'received' | 'exchanges'>,
): Flaw {
  return {
    check,
    operation,
    requirement,
    ...parts,
    message: `${operation.id} answers otherwise with ${names[1]} than with ${names[0]}`,
    final: false,
  };
}
