import { describe, expect, it } from 'vitest';
import {
  allowed,
  allowedOverlapping,
  approval,
  describeOutcomes,
  narrow,
  orderDifference,
  setOrder,
  withoutDeleted,
} from './index.ts';
import type { Known, KnownResult, Observed, Request } from './index.ts';

const inactive: Known = { exists: true, content: 'a', active: false };
const active: Known = { ...inactive, active: true };
const gone: Known = { ...inactive, exists: false };

/** Statuses that are allowed, and what is known after each. */
function outcomes(known: Known, request: Request): readonly (readonly [number, Known])[] {
  return allowed(known, request).flatMap((each) => each.status.map((status) => [status, each.after] as const));
}

const updated: Known = { ...inactive, content: 'b' };
const running: Known = { ...inactive, mayRun: true };
const update: Request = { kind: 'update', content: 'b' };
const list = (filterActive: boolean): Request => ({ kind: 'list-active', filterActive });

it.each<[what: string, Known, Request, Observed, readonly Known[]]>([
  ['another success shows the item', inactive, { kind: 'read' }, { status: 202, content: 'a' }, [inactive]],
  ['another success shows no other content', inactive, { kind: 'read' }, { status: 202, content: 'b' }, []],
  ['a success without content shows nothing', inactive, { kind: 'read' }, { status: 204 }, []],
  ['the activation of an inactive policy is no conflict', inactive, { kind: 'activate' }, { status: 409 }, []],
  ['that of an active one may be, and it stays active', active, { kind: 'activate' }, { status: 409 }, [active]],
  [
    'the initial state is learned',
    { exists: true, content: 'a' },
    list(false),
    { status: 200, listed: true },
    [inactive],
  ],
  ['the state that was learned is kept', inactive, list(true), { status: 200, listed: true }, []],
  ['filterActive lists policies in that state', active, list(true), { status: 200, listed: true }, [active]],
  ['filterActive lists no other policies', active, list(false), { status: 200, listed: true }, []],
  ['an update stores what is sent, and no state', active, update, { status: 200 }, [{ ...active, content: 'b' }]],
  ['what was sent last is read', updated, { kind: 'read' }, { status: 200, content: 'b' }, [updated]],
  ['what was there before is not read', updated, { kind: 'read' }, { status: 200, content: 'a' }, []],
  ['lists have no deleted items', gone, { kind: 'list' }, { status: 200, listed: true }, []],
  ['lists have all items', inactive, { kind: 'list' }, { status: 200, listed: false }, []],
  ['a job may be in a state, which is not shown', inactive, { kind: 'queue' }, { status: 409 }, [inactive]],
  ['a job may be in a state, which is not shown', inactive, { kind: 'dry-run' }, { status: 409 }, [inactive]],
  ['a job may be in a state, which is not shown', inactive, { kind: 'preview' }, { status: 409 }, [inactive]],
  ['a dry run may go on', running, update, { status: 409 }, [running]],
  ['a dry run may go on', running, { kind: 'delete' }, { status: 409 }, [running]],
  ['an update conflicts with nothing before', inactive, update, { status: 409 }, []],
  ['a deletion conflicts with nothing before', inactive, { kind: 'delete' }, { status: 409 }, []],
])('sections 3, 4 and 7: %s', (_, known, request, observed, after) => {
  expect(narrow(allowed(known, request), observed)).toEqual(after);
});

it('activates policies with any documented success', () => {
  expect(outcomes(inactive, { kind: 'activate' })).toEqual([200, 201, 204].map((status) => [status, active]));
  expect(outcomes(active, { kind: 'activate' }).every(([, after]) => after.active === true)).toBe(true);
});

it.each(['read', 'update', 'patch', 'delete', 'activate', 'queue', 'preview'] as const)(
  'answers %s of a deleted item with 404',
  (kind) => expect(outcomes(gone, { kind, content: 'b' })).toEqual([[404, gone]]),
);

it('counts queued runs, but no dry run and no preview', () => {
  expect(outcomes(inactive, { kind: 'queue' })[0]?.[1].runs).toBe(1);
  expect(outcomes(inactive, { kind: 'dry-run' })[0]?.[1].runs).toBe(inactive.runs);
  expect(outcomes(inactive, { kind: 'preview' })[0]?.[1]).toEqual(inactive);
});

it.each<[what: string, Request, Observed, readonly Known[]]>([
  ['writes may conflict', update, { status: 409 }, [inactive]],
  ['reads do not', { kind: 'read' }, { status: 409 }, []],
  [
    'an update may set its state',
    { ...update, active: true },
    { status: 200 },
    [updated, { ...updated, active: true }],
  ],
])('of what overlaps, %s', (_, request, observed, after) => {
  expect(narrow(allowedOverlapping(inactive, request), observed)).toEqual(after);
});

it('an update that overlaps nothing does not set the state that its body names', () => {
  expect(narrow(allowed(inactive, { ...update, active: true }), { status: 200 })).toEqual([updated]);
});

describe('section 5: callers without permission', () => {
  it('refuses them, and changes nothing', () => {
    expect(allowed(inactive, { kind: 'delete' }, 'limited')).toMatchObject([{ status: [403], after: inactive }]);
    expect(allowed(inactive, { kind: 'delete' }, 'none')).toMatchObject([{ status: [401], after: inactive }]);
    expect(allowed(gone, { kind: 'delete' }, 'expired')[0]?.status).toEqual([401, 404]);
  });
});

describe('section 3: the processing order', () => {
  const there = new Set(['a', 'b', 'c']);

  it('is set as a whole', () => {
    expect(setOrder(['a', 'b', 'c'], ['c', 'a', 'b'], there).map((each) => each.after)).toEqual([['c', 'a', 'b']]);
  });

  it('allows success and a refusal for an order with unknown, repeated or missing policies', () => {
    for (const sent of [
      ['c', 'x', 'a', 'b'],
      ['c', 'a'],
      ['a', 'a', 'b', 'c'],
    ]) {
      const after = setOrder(['a', 'b', 'c'], sent, there);
      expect(narrow(after, { status: 404 })).toEqual([['a', 'b', 'c']]);
      expect(narrow(after, { status: 200 })).toHaveLength(1);
    }
  });

  it.each([
    [['a', 'x', 'b', 'y', 'c'], undefined],
    [['a', 'c', 'b'], 'moved'],
    [['a', 'b'], 'missing'],
    [['a', 'a', 'b', 'c'], 'repeated'],
  ] as const)('compares %j with a, b, c: %s', (seen, difference) => {
    expect(orderDifference(['a', 'b', 'c'], seen)).toBe(difference);
  });

  it('does not find again what a known order repeats', () => {
    expect(orderDifference(['a', 'a', 'b'], ['a', 'a', 'x', 'b'])).toBeUndefined();
    expect(orderDifference(['a', 'a', 'b'], ['a', 'a', 'b', 'b'])).toBe('repeated');
  });

  it('does not expect deleted policies', () => {
    expect(withoutDeleted(['a', 'b', 'c'], 'b')).toEqual(['a', 'c']);
  });
});

it.each([
  [true, 'Pending', true, undefined],
  [true, 'Approved', true, 'Approved'],
  [false, 'Pending', false, undefined],
])('an approval that names a result (%s): a list of %s has it (%s)', (named, state, listed, known) => {
  const pending: KnownResult = { state: 'Pending', initial: 'Pending' };
  const [after] = narrow(approval(pending, { kind: 'approve', named }), { status: 200 });
  const seen = narrow(approval(after ?? pending, { kind: 'list-state', state }), { status: 200, listed });
  expect(seen[0]?.state).toBe(known);
});

it('describes outcomes with their section', () => {
  expect(describeOutcomes(allowed(active, { kind: 'read' }))).toBe(
    'status 200, showing a (api.md section 4, GET by id)',
  );
});
