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
import type { Known, KnownResult, Request } from './index.ts';

const inactive: Known = { exists: true, content: 'a', active: false };
const active: Known = { ...inactive, active: true };
const gone: Known = { ...inactive, exists: false };

/** Statuses that are allowed, and what is known after each. */
function outcomes(known: Known, request: Request): readonly (readonly [number, Known])[] {
  return allowed(known, request).flatMap((each) => each.status.map((status) => [status, each.after] as const));
}

it('a read with another success shows the item, but not one without content', () => {
  const read = allowed(inactive, { kind: 'read' });
  expect(narrow(read, { status: 202, content: 'a' })).toEqual([inactive]);
  expect(narrow(read, { status: 202, content: 'b' })).toEqual([]);
  expect(narrow(read, { status: 204 })).toEqual([]);
});

describe('section 3: states and transitions', () => {
  it('activates an inactive policy, and allows no conflict', () => {
    expect(outcomes(inactive, { kind: 'activate' })).toEqual([
      [200, active],
      [201, active],
      [204, active],
    ]);
    expect(narrow(allowed(inactive, { kind: 'activate' }), { status: 409 })).toEqual([]);
  });

  it('allows success and a conflict for activating an active policy, which stays active', () => {
    expect(outcomes(active, { kind: 'activate' }).map(([status]) => status)).toContain(409);
    expect(outcomes(active, { kind: 'activate' }).every(([, after]) => after.active === true)).toBe(true);
  });

  it('learns the initial state from the first list, and keeps it', () => {
    const unknown: Known = { exists: true, content: 'a' };
    const [after] = narrow(allowed(unknown, { kind: 'list-active', filterActive: false }), {
      status: 200,
      listed: true,
    });
    expect(after?.active).toBe(false);
    expect(
      narrow(allowed(after ?? gone, { kind: 'list-active', filterActive: true }), { status: 200, listed: true }),
    ).toEqual([]);
  });

  it('lists with filterActive exactly the policies in that state', () => {
    expect(narrow(allowed(active, { kind: 'list-active', filterActive: true }), { status: 200, listed: true })).toEqual(
      [active],
    );
    expect(
      narrow(allowed(active, { kind: 'list-active', filterActive: false }), { status: 200, listed: true }),
    ).toEqual([]);
  });
});

describe('sections 4 and 7: existing and deleted items', () => {
  it('reads the content that was sent last', () => {
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
  ])('answers $kind of a deleted item with 404', (request) => {
    expect(outcomes(gone, request)).toEqual([[404, gone]]);
  });

  it('lists existing items and no deleted ones', () => {
    expect(narrow(allowed(gone, { kind: 'list' }), { status: 200, listed: true })).toEqual([]);
    expect(narrow(allowed(inactive, { kind: 'list' }), { status: 200, listed: false })).toEqual([]);
  });

  it('counts queued runs, but no dry run and no preview', () => {
    expect(outcomes(inactive, { kind: 'queue' })[0]?.[1].runs).toBe(1);
    expect(outcomes(inactive, { kind: 'dry-run' })[0]?.[1].runs).toBe(inactive.runs);
    expect(outcomes(inactive, { kind: 'preview' })[0]?.[1]).toEqual(inactive);
  });

  it.each<Request>([{ kind: 'queue' }, { kind: 'dry-run' }, { kind: 'preview' }])(
    'allows $kind to conflict with the state of the job, which is not shown',
    (request) => expect(narrow(allowed(inactive, request), { status: 409 })).toEqual([inactive]),
  );

  it.each<Request>([{ kind: 'update', content: 'b' }, { kind: 'delete' }])(
    'allows $kind to conflict with a dry run that may go on, and with nothing before',
    (request) => {
      const running = { ...inactive, mayRun: true };
      expect(narrow(allowed(running, request), { status: 409 })).toEqual([running]);
      expect(narrow(allowed(inactive, request), { status: 409 })).toEqual([]);
    },
  );

  it('allows a conflict for overlapping writes, not for reads', () => {
    expect(narrow(allowedOverlapping(inactive, { kind: 'update', content: 'b' }), { status: 409 })).toEqual([inactive]);
    expect(narrow(allowedOverlapping(inactive, { kind: 'read' }), { status: 409 })).toEqual([]);
  });

  it('allows an overlapping update to set the state that its body names', () => {
    const update = { kind: 'update', content: 'b', active: true } as const;
    const updated = { ...inactive, content: 'b' };
    expect(narrow(allowedOverlapping(inactive, update), { status: 200 })).toEqual([
      updated,
      { ...updated, active: true },
    ]);
    expect(narrow(allowed(inactive, update), { status: 200 })).toEqual([updated]);
  });
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

describe('sections 3 and 4: approvals', () => {
  const pending: KnownResult = { state: 'Pending', initial: 'Pending' };

  it('moves a named result to a state that is not the initial one', () => {
    const [moved] = narrow(approval(pending, { kind: 'approve', named: true }), { status: 200 });
    expect(
      narrow(approval(moved ?? pending, { kind: 'list-state', state: 'Pending' }), { status: 200, listed: true }),
    ).toEqual([]);
    expect(
      narrow(approval(moved ?? pending, { kind: 'list-state', state: 'Approved' }), { status: 200, listed: true })[0]
        ?.state,
    ).toBe('Approved');
  });

  it('keeps the state of a result that is not named', () => {
    const [same] = narrow(approval(pending, { kind: 'approve', named: false }), { status: 200 });
    expect(
      narrow(approval(same ?? pending, { kind: 'list-state', state: 'Pending' }), { status: 200, listed: false }),
    ).toEqual([]);
  });
});

it('describes outcomes with their section', () => {
  expect(describeOutcomes(allowed(active, { kind: 'read' }))).toBe(
    'status 200, showing a (api.md section 4, GET by id)',
  );
});
