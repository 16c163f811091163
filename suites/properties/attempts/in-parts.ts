import type { Contract } from '../../../spec/index.ts';
import type { Case } from '../case.ts';
import { neutral, placesOf } from '../places.ts';
import type { Place } from '../places.ts';
import type { CaseViolations } from '../violation.ts';
import type { Fixture } from './fixture.ts';
import type { CaseOutcome } from './slot.ts';

/**
 * Tests a case that differs from the plain one in several members. Where it is refused, each half of these members is tested by itself,
 * recursively, so that the storage of accepted members is still tested.
 */
export async function testInParts(
  contract: Contract,
  { operation, base }: Pick<Fixture, 'operation' | 'base'>,
  test: (value: Case) => Promise<CaseOutcome>,
  value: Case,
): CaseViolations {
  const { exchange, violations } = await test(value);
  const status = exchange.response?.status ?? 0;
  if (violations.length > 0 || status < 400 || status >= 500) return violations;
  const membersOf = (each: Case): readonly (readonly Place[])[] => [
    ...byMember(placesOf(contract, operation, each.request, base)).values(),
  ];
  const members = membersOf(value);
  const middle = Math.ceil(members.length / 2);
  const found = await Promise.all(
    [members.slice(0, middle), members.slice(middle)].map(async (others) => {
      const half = { ...value, request: neutral(value.request, base, others.flat()) };
      // Members that the case lacks cannot be restored: where the half differs in all members or none, stop.
      const left = membersOf(half).length;
      if (left === 0 || left === members.length) return [];
      const inHalf = await testInParts(contract, { operation, base }, test, half);
      return inHalf.map((each) => ({ shownBy: half, ...each }));
    }),
  );
  return found.flat();
}

function byMember(places: readonly Place[]): ReadonlyMap<string, readonly Place[]> {
  const members = new Map<string, Place[]>();
  for (const place of places) {
    const name = place.name.split('/*')[0] ?? '';
    members.set(name, [...(members.get(name) ?? []), place]);
  }
  return members;
}
