import { escapeToken } from '../../spec/index.ts';
import type { Answer } from './answer.ts';
import { ANYTHING } from './shape.ts';
import type { Shape } from './shape.ts';

/** Something that is not as it was learned. */
export interface Drift {
  /** Into the body, list positions as `*`; undefined where it is not in the body. */
  readonly pointer?: string;
  /** Free of ids, times and seeds. */
  readonly cause: string;
  readonly expected: string;
  readonly received: string;
}

/** What of an answer is new, gone or otherwise than learned. What was not seen this time is no drift, unless it always was there. */
export function driftsOf(learned: Answer, seen: Answer): readonly Drift[] {
  const status = seen.statuses.find((each) => !learned.statuses.includes(each));
  if (status !== undefined)
    return [
      { cause: `status ${status}`, expected: `status ${learned.statuses.join(' or ')}`, received: `status ${status}` },
    ];
  const type = seen.mediaTypes.find((each) => !learned.mediaTypes.includes(each));
  if (type !== undefined)
    return [
      {
        cause: `media type ${type}`,
        expected: `media type ${learned.mediaTypes.join(' or ')}`,
        received: `media type ${type}`,
      },
    ];
  return [...shapeDrifts(learned.body, seen.body, '')];
}

function* shapeDrifts(learned: Shape, seen: Shape, pointer: string): Iterable<Drift> {
  const place = pointer === '' ? 'the body' : pointer;
  const other = seen.types.find((each) => !covers(learned.types, each));
  if (other !== undefined) {
    yield {
      pointer,
      cause: `${place} is ${other}`,
      expected: `${place} is ${learned.types.join(' or ')}`,
      received: `${place} is ${other}`,
    };
    return;
  }
  const value =
    learned.values === undefined ? undefined : seen.values?.find((each) => learned.values?.includes(each) === false);
  if (value !== undefined)
    yield {
      pointer,
      cause: `another value at ${place}`,
      expected: `${place} is ${learned.values?.map((each) => JSON.stringify(each)).join(' or ') ?? ''}`,
      received: `${place} is ${JSON.stringify(value)}`,
    };
  if (learned.items !== undefined && seen.items !== undefined)
    yield* shapeDrifts(learned.items, seen.items, `${pointer}/*`);
  if (learned.members !== undefined && seen.members !== undefined)
    yield* memberDrifts(learned.members, seen.members, pointer);
}

function* memberDrifts(
  learned: Readonly<Record<string, Shape>>,
  seen: Readonly<Record<string, Shape>>,
  pointer: string,
): Iterable<Drift> {
  for (const [key, shape] of Object.entries(learned)) {
    const at = `${pointer}/${escapeToken(key)}`;
    const found = seen[key];
    if (found !== undefined) yield* shapeDrifts(shape, found, at);
    else if (shape.optional !== true)
      yield {
        pointer: at,
        cause: `${at} is gone`,
        expected: `${at}, ${shape.types.join(' or ')}`,
        received: 'no such member',
      };
  }
  for (const [key, shape] of Object.entries(seen)) {
    const at = `${pointer}/${escapeToken(key)}`;
    if (!Object.hasOwn(learned, key))
      yield {
        pointer: at,
        cause: `${at} is new`,
        expected: `no member ${at}`,
        received: `${at}, ${shape.types.join(' or ')}`,
      };
  }
}

/** Any text may happen to look like a uuid or a time, and any number may happen to be whole. */
function covers(learned: readonly string[], type: string): boolean {
  if (type === ANYTHING || learned.includes(type) || learned.includes(ANYTHING)) return true;
  if (type === 'uuid' || type === 'time') return learned.includes('text');
  return type === 'integer' && learned.includes('number');
}
