import type { Exchange, FindingCode, Json, Operation } from '../../../spec/index.ts';
import { isObject, isServed, isSuccess, parsedJson } from '../../../spec/index.ts';
import { keysOf } from '../../../domain/items.ts';
import { statusAndType, sameShape, shapeOf } from '../../kit/compare.ts';
import { caseKey } from '../violation.ts';
import type { CaseViolation } from '../violation.ts';
import type { CaseOutcome } from './slot.ts';

/** Two requests with the same meaning. */
export interface Equivalence {
  readonly operation: Operation;
  readonly requirement: string;
  /** How the first and the second request were sent, for messages. */
  readonly names: readonly [string, string];
  /** Codes of the differences that responses can have. */
  readonly codes: Readonly<Record<'status' | 'media-type' | 'shape', FindingCode>>;
}

/** Violations of the second of two equivalent requests; none where the first had no response or a server error. */
export function compare(equivalence: Equivalence, first: CaseOutcome, second: CaseOutcome): readonly CaseViolation[] {
  if ((first.exchange.response?.status ?? 500) >= 500 || isTooLong(first.exchange, second.exchange)) return [];
  const known = new Set(first.violations.map(caseKey));
  const own = second.violations.filter((each) => !known.has(caseKey(each)));
  if (own.length > 0)
    return own.map(({ shownBy: _shownBy, ...each }) => ({ ...each, exchanges: [first.exchange, ...each.exchanges] }));
  return differenceOf(equivalence, first.exchange, second.exchange);
}

/** True where only the longer request is refused as too long: the maximum length of a body is not documented. */
function isTooLong(one: Exchange, two: Exchange): boolean {
  const [shorter, longer] = lengthOf(one) < lengthOf(two) ? [one, two] : [two, one];
  return longer.response?.status === 413 && shorter.response?.status !== 413 && lengthOf(longer) > lengthOf(shorter);
}

function lengthOf({ request }: Exchange): number {
  return request.body?.length ?? 0;
}

function differenceOf(
  { operation, requirement, names, codes }: Equivalence,
  one: Exchange,
  two: Exchange,
): readonly CaseViolation[] {
  const report = (
    difference: keyof Equivalence['codes'],
    texts: Pick<CaseViolation, 'expected' | 'received' | 'subject'>,
  ): readonly CaseViolation[] => [
    {
      code: codes[difference],
      operation,
      requirement,
      message: isRefused(one, two)
        ? `${operation.id} refuses a request with ${names[1]} (${two.response?.status}) but accepts one with ${names[0]}`
        : `${operation.id} responds differently with ${names[1]} than with ${names[0]}`,
      exchanges: [one, two],
      ...texts,
    },
  ];
  const [expected, received] = [statusAndType(one), statusAndType(two)];
  if (expected !== received && one.response !== undefined && two.response !== undefined) {
    const texts = { expected: `${expected}, as with ${names[0]}`, received };
    if (one.response.status === two.response.status) return report('media-type', { subject: 'media-type', ...texts });
    const subject = `${outcomeOf(one.response.status)}-${outcomeOf(two.response.status)}`;
    return report('status', { subject, ...texts });
  }
  const [shape, other] = [shapeOf(withoutOldKeys(one)), shapeOf(withoutOldKeys(two))];
  if (!isServed(one) || holdOtherItems(one, two) || sameShape(shape, other)) return [];
  return report('shape', { subject: 'shape', expected: JSON.stringify(shape), received: JSON.stringify(other) });
}

function isRefused(one: Exchange, two: Exchange): boolean {
  const status = two.response?.status ?? 0;
  return isServed(one) && status >= 400 && status < 500;
}

/** The response to an update without the keys of maps that it did not send: a deployment may keep those of earlier updates. */
function withoutOldKeys({ request, response }: Exchange): Json | undefined {
  const [sent, shown] = [parsedJson(request.body ?? ''), response?.json];
  if (request.method !== 'PUT' || !isObject(sent) || !isObject(shown)) return shown;
  const ofSent = (value: Json, keys: Json | undefined): Json =>
    isObject(value) && isObject(keys)
      ? Object.fromEntries(Object.entries(value).filter(([key]) => Object.hasOwn(keys, key)))
      : value;
  return Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, ofSent(value, sent[name])]));
}

function outcomeOf(status: number): string {
  return isSuccess(status) ? 'success' : String(status);
}

/** A list may have changed between two requests; then its items cannot be compared. */
function holdOtherItems(one: Exchange, two: Exchange): boolean {
  const [ids, others] = [keysOf(one.response?.json), keysOf(two.response?.json)];
  return ids !== undefined && others !== undefined && ids.join() !== others.join();
}
