import type { Call } from '../http/call.ts';
import type { Policy } from '../model/policy.ts';

/** Applies `filterActive`, `filterCreator` and `searchName`. */
export function filterPolicies(call: Call, policies: Policy[]): Policy[] {
  const active = call.query.boolean('filterActive');
  const creator = call.query.text('filterCreator')?.toLowerCase();
  const name = call.query.text('searchName')?.toLowerCase();
  if (active === undefined && creator === undefined && name === undefined) return policies;
  return policies.filter(
    (policy) =>
      (active === undefined || policy.isActive === active) &&
      (creator === undefined || policy.createdBy.toLowerCase() === creator) &&
      (name === undefined || (policy.name ?? '').toLowerCase().includes(name)),
  );
}

/** Sorts by the field of `orderBy`, then by the processing order. */
export function sortPolicies(call: Call, policies: Policy[]): Policy[] {
  const wanted = call.query.text('orderBy')?.toLowerCase();
  const ascending = call.query.boolean('orderAsc') ?? true;
  const first = policies[0];
  if (first === undefined) return policies;
  const field = Object.keys(first).find((name) => name.toLowerCase() === wanted) as keyof Policy | undefined;
  const sorted = field === undefined ? policies : policies.toSorted((a, b) => compare(a[field], b[field]));
  return ascending ? sorted : sorted.toReversed();
}

/** Null first; numbers and booleans by value; everything else by text. */
function compare(left: unknown, right: unknown): number {
  if (left === right) return 0;
  if (left === null) return -1;
  if (right === null) return 1;
  const comparable =
    typeof left === 'number' || typeof left === 'boolean' ? [left, right] : [asText(left), asText(right)];
  const [a, b] = comparable as [string, string];
  return a < b ? -1 : a > b ? 1 : 0;
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
