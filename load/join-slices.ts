import { groupBy } from '../spec/group-by.ts';
import { BUCKETS } from './engines/latencies.ts';
import type { Slice, SlicePart } from './engines/messages.ts';
import { addPacked } from './engines/pack-latencies.ts';

/** Sums of counts, which may be above 2^32. */
const sums = new Float64Array(BUCKETS);

/** Adds packed counts bucket by bucket. */
export function joinPacked(all: readonly string[]): Float64Array {
  const used = all.reduce((most, text) => Math.max(most, addPacked(text, sums)), 0);
  const joined: number[] = [];
  for (let bucket = 0; bucket < used; bucket += 1)
    if ((sums[bucket] as number) > 0) joined.push(bucket, sums[bucket] as number);
  sums.fill(0, 0, used);
  return Float64Array.from(joined);
}

function joinCounts<Name>(all: readonly (readonly (readonly [name: Name, count: number])[])[]): [Name, number][] {
  const counts = new Map<Name, number>();
  for (const some of all) for (const [name, count] of some) counts.set(name, (counts.get(name) ?? 0) + count);
  return [...counts];
}

function joinParts(parts: readonly SlicePart<string>[]): SlicePart[] {
  return [...groupBy(parts, ({ part, operation }) => JSON.stringify([part, operation])).values()].flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    return [
      {
        ...first,
        answered: own.reduce((sum, { answered }) => sum + answered, 0),
        failed: own.reduce((sum, { failed }) => sum + failed, 0),
        statuses: joinCounts(own.map(({ statuses }) => statuses)),
        errors: joinCounts(own.map(({ errors }) => errors)),
        latencies: joinPacked(own.map(({ latencies }) => latencies)),
      },
    ];
  });
}

/** Members of a slice that add up over lanes. */
const SUMS = ['sent', 'late', 'unsent', 'refused', 'withheld', 'inFlight', 'backlog', 'connections'] as const;

/** The slices of many lanes as one, so that a thousand histograms are added only once. Ids are not kept. */
export function joinSlices(slices: readonly Slice<string>[]): readonly Slice[] {
  const [first] = slices;
  if (first === undefined) return [];
  const sums = SUMS.map((name) => [name, slices.reduce((sum, slice) => sum + slice[name], 0)] as const);
  return [
    {
      ...first,
      ...Object.fromEntries(sums),
      spanMs: Math.max(...slices.map(({ spanMs }) => spanMs)),
      busy: Math.max(...slices.map(({ busy }) => busy)),
      lag: joinPacked(slices.map(({ lag }) => lag)),
      parts: joinParts(slices.flatMap(({ parts }) => parts)),
      samples: [],
      failedIds: [],
    },
  ];
}
