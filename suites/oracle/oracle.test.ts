import { describe, expect, it } from 'vitest';
import { allowed, allowedOverlapping, approval, departsFrom, narrow, setOrder, tell, withoutDeleted } from './index.ts';
import type { Known, KnownResult, Request } from './index.ts';

const inactive: Known = { there: true, content: 'a', active: false };
const active: Known = { ...inactive, active: true };
const gone: Known = { ...inactive, there: false };

/** Statuses that are allowed, and what is known after each. */
function outcomes(known: Known, request: Request): readonly (readonly [number, Known])[] {
  return allowed(known, request).flatMap((each) => each.status.map((status) => [status, each.after] as const));
}

describe('section 3: states and transitions', () => {
  it('moves an inactive policy to active, and only so', () => {
    expect(outcomes(inactive, { kind: 'activate' })).toEqual([
      [200, active],
      [201, active],
      [204, active],
    ]);
    expect(narrow(allowed(inactive, { kind: 'activate' }), { status: 409 })).toEqual([]);
  });

  it('leaves open what activating an active policy is answered, but not what it leaves', () => {
    expect(outcomes(active, { kind: 'activate' }).map(([status]) => status)).toContain(409);
    expect(outcomes(active, { kind: 'activate' }).every(([, after]) => after.active === true)).toBe(true);
  });

  it('learns the initial state from the first look, and holds to it', () => {
    const unknown: Known = { there: true, content: 'a' };
    const [after] = narrow(allowed(unknown, { kind: 'list-active', filterActive: false }), {
      status: 200,
      listed: true,
    });
    expect(after?.active).toBe(false);
    expect(
      narrow(allowed(after ?? gone, { kind: 'list-active', filterActive: true }), { status: 200, listed: true }),
    ).toEqual([]);
  });

  it('finds with filterActive exactly the policies in that state', () => {
    expect(narrow(allowed(active, { kind: 'list-active', filterActive: true }), { status: 200, listed: true })).toEqual(
      [active],
    );
    expect(
      narrow(allowed(active, { kind: 'list-active', filterActive: false }), { status: 200, listed: true }),
    ).toEqual([]);
  });
});

describe('sections 4 and 7: what is there, and what is not', () => {
  it('reads what was sent last', () => {
    const [after] = narrow(allowed(active, { kind: 'update', content: 'b' }), { status: 200 });
    expect(after).toEqual({ ...active, content: 'b' });
    expect(narrow(allowed(after ?? gone, { kind: 'read' }), { status: 200, content: 'a' })).toEqual([]);
    expect(narrow(allowed(after ?? gone, { kind: 'read' }), { status: 200, content: 'b' })).toHaveLength(1);
  });

  it.each<Request>([
    { kind: 'read' },
    { kind: 'update', content: 'b' },
    { kind: 'patch', content: 'b' },
    { kind: 'delete' },
    { kind: 'activate' },
    { kind: 'queue' },
    { kind: 'preview' },
  ])('answers $kind of what was deleted with 404', (request) => {
    expect(outcomes(gone, request)).toEqual([[404, gone]]);
  });

  it('lists what is there, and nothing that was deleted', () => {
    expect(narrow(allowed(gone, { kind: 'list' }), { status: 200, listed: true })).toEqual([]);
    expect(narrow(allowed(inactive, { kind: 'list' }), { status: 200, listed: false })).toEqual([]);
  });

  it('counts the runs that were queued, and none for a dry run or a preview', () => {
    expect(outcomes(inactive, { kind: 'queue' })[0]?.[1].runs).toBe(1);
    expect(outcomes(inactive, { kind: 'dry-run' })[0]?.[1]).toEqual(inactive);
  });

  it('allows a conflict for writes that overlap, not for reads', () => {
    expect(narrow(allowedOverlapping(inactive, { kind: 'update', content: 'b' }), { status: 409 })).toEqual([inactive]);
    expect(narrow(allowedOverlapping(inactive, { kind: 'read' }), { status: 409 })).toEqual([]);
  });
});

describe('section 5: who may not', () => {
  it('refuses, and leaves everything as it is', () => {
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

  it('leaves open what comes of an order with unknown, repeated or too few policies', () => {
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
    [['a', 'c', 'b'], 'other order'],
    [['a', 'b'], 'lacks'],
    [['a', 'a', 'b', 'c'], 'repeats'],
  ] as const)('tells how %j departs from a, b, c', (seen, departure) => {
    expect(departsFrom(['a', 'b', 'c'], seen)).toBe(departure);
  });

  it('forgets what was deleted', () => {
    expect(withoutDeleted(['a', 'b', 'c'], 'b')).toEqual(['a', 'c']);
  });
});

describe('sections 3 and 4: approvals', () => {
  const pending: KnownResult = { state: 'Pending', initial: 'Pending' };

  it('moves what is named, to a state that nobody shows', () => {
    const [moved] = narrow(approval(pending, { kind: 'approve', named: true }), { status: 200 });
    expect(
      narrow(approval(moved ?? pending, { kind: 'list-state', state: 'Pending' }), { status: 200, listed: true }),
    ).toEqual([]);
    expect(
      narrow(approval(moved ?? pending, { kind: 'list-state', state: 'Approved' }), { status: 200, listed: true })[0]
        ?.state,
    ).toBe('Approved');
  });

  it('leaves alone what is not named', () => {
    const [same] = narrow(approval(pending, { kind: 'approve', named: false }), { status: 200 });
    expect(
      narrow(approval(same ?? pending, { kind: 'list-state', state: 'Pending' }), { status: 200, listed: false }),
    ).toEqual([]);
  });
});

it('tells what was allowed with its section', () => {
  expect(tell(allowed(active, { kind: 'read' }))).toBe('200 and shows a (api.md 4, GET by id)');
});
