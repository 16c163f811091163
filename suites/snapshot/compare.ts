import { pointerTo } from '../../spec/index.ts';
import type { RecordedResponse } from './response.ts';
import { ANY } from './shape.ts';
import type { JsonShape, ShapeType } from './shape.ts';

/** A difference between a response and the snapshot. */
export interface SnapshotDifference {
  /** Into the body, with `*` for positions; undefined where it is not in the body. */
  readonly pointer?: string;
  /** Stable detail, for the subject of a finding. */
  readonly subject: string;
  readonly expected: string;
  readonly received: string;
}

/** Differences of a response from the recorded ones; the first explains the others. */
export function compareRecorded(recorded: RecordedResponse, seen: RecordedResponse): readonly SnapshotDifference[] {
  const status = seen.statuses.find((each) => !recorded.statuses.includes(each));
  if (status !== undefined) return [statusOrTypeDifference('status', recorded.statuses, status)];
  const type = seen.mediaTypes.find((each) => !recorded.mediaTypes.includes(each));
  if (type !== undefined) return [statusOrTypeDifference('media type', recorded.mediaTypes, type)];
  return [...compareShapes(recorded.body, seen.body, '')];
}

function statusOrTypeDifference(
  what: string,
  recorded: readonly (string | number)[],
  seen: string | number,
): SnapshotDifference {
  return {
    subject: `${what.replace(' ', '-')} ${seen}`,
    expected: `${what} ${recorded.join(' or ')}`,
    received: `${what} ${seen}`,
  };
}

function* compareShapes(recorded: JsonShape, seen: JsonShape, pointer: string): Iterable<SnapshotDifference> {
  const place = pointer === '' ? 'body' : pointer;
  const type = seen.types.find((each) => !covers(recorded.types, each));
  if (type !== undefined) {
    yield {
      pointer,
      subject: `${place} type ${type}`,
      expected: `${place}: ${recorded.types.join(' or ')}`,
      received: `${place}: ${type}`,
    };
    return;
  }
  const value = seen.values?.find((each) => recorded.values?.includes(each) === false);
  if (value !== undefined)
    yield {
      pointer,
      subject: `${place} value`,
      expected: `${place} = ${recorded.values?.map((each) => JSON.stringify(each)).join(' or ') ?? ''}`,
      received: `${place} = ${JSON.stringify(value)}`,
    };
  if (recorded.items !== undefined && seen.items !== undefined)
    yield* compareShapes(recorded.items, seen.items, pointerTo(pointer, '*'));
  if (recorded.members !== undefined && seen.members !== undefined)
    yield* compareMembers(recorded.members, seen.members, pointer);
}

function* compareMembers(
  recorded: Readonly<Record<string, JsonShape>>,
  seen: Readonly<Record<string, JsonShape>>,
  pointer: string,
): Iterable<SnapshotDifference> {
  for (const [key, shape] of Object.entries(recorded)) {
    const at = pointerTo(pointer, key);
    const found = seen[key];
    if (found !== undefined) yield* compareShapes(shape, found, at);
    else if (shape.optional !== true)
      yield { pointer: at, subject: `${at} missing`, expected: `${at}: ${shape.types.join(' or ')}`, received: 'none' };
  }
  for (const [key, shape] of Object.entries(seen)) {
    if (Object.hasOwn(recorded, key)) continue;
    const at = pointerTo(pointer, key);
    yield { pointer: at, subject: `${at} new`, expected: `no ${at}`, received: `${at}: ${shape.types.join(' or ')}` };
  }
}

/** A string may happen to look like a uuid or a time, and a number may happen to be an integer. */
const WIDER: Partial<Record<ShapeType, ShapeType>> = { uuid: 'string', 'date-time': 'string', integer: 'number' };

function covers(recorded: readonly ShapeType[], type: ShapeType): boolean {
  const wider = WIDER[type];
  return (
    type === ANY ||
    recorded.includes(type) ||
    recorded.includes(ANY) ||
    (wider !== undefined && recorded.includes(wider))
  );
}
