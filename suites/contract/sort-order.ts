import { isObject } from '../../spec/index.ts';
import type { Json } from '../../spec/index.ts';
import { keyOf, memberOf } from '../../domain/items.ts';
import { isSameList } from './violations.ts';

/** Position of the first item that is followed by one against the order; -1 where there is none. */
export function placeAgainst(items: readonly Json[], key: string, orderAsc: boolean): number {
  return isComparable(items, key) ? stepsOf(items.map((item) => valueOf(item, key))).indexOf(orderAsc ? -1 : 1) : -1;
}

export function shownAt(items: readonly Json[], key: string, at: number): string {
  const [one, next] = items.slice(at, at + 2).map((item) => JSON.stringify(memberOf(item, key)));
  return `${one} before ${next} (items ${at + 1} and ${at + 2} of ${items.length})`;
}

/** Fewer distinct values may be in order by chance. */
const ENOUGH_VALUES = 6;

/** Members that can show the order of both lists. */
const comparableIn = (a: readonly Json[], b: readonly Json[]): readonly string[] =>
  membersOf(a[0]).filter((each) => isComparable(a, each) && isComparable(b, each) && isSteady(a, b, each));

/** True where one of the lists is in the order of one of its members. */
export function showOrder(a: readonly Json[], b: readonly Json[]): boolean {
  return comparableIn(a, b).some((each) => directionOf(a, each) !== 0 || directionOf(b, each) !== 0);
}

/** The reason why `b` is not the reverse of `a`; undefined where it may be, or where neither shows an order. */
export function notReversed(a: readonly Json[], b: readonly Json[]): string | undefined {
  const keys = comparableIn(a, b);
  const same = keys.find((each) => directionOf(a, each) !== 0);
  if (same !== undefined && isSameList(keysOfItems(a), keysOfItems(b)))
    return `${same} ${directionName(a, same)} in both directions`;
  const key = keys.find((each) => isOrdered(a, each) || isOrdered(b, each));
  if (key === undefined || directionOf(a, key) === -directionOf(b, key)) return undefined;
  return `${key} ${directionName(a, key)} in one direction, ${directionName(b, key)} in the other`;
}

/** True where the items of both lists have the same value: one that is computed for each response cannot be sorted by. */
function isSteady(a: readonly Json[], b: readonly Json[], key: string): boolean {
  const before = new Map(a.map((item) => [keyOf(item), valueOf(item, key)]));
  return b.every((item) => before.get(keyOf(item)) === undefined || before.get(keyOf(item)) === valueOf(item, key));
}

function keysOfItems(items: readonly Json[]): readonly string[] {
  return items.map((item) => keyOf(item));
}

function isOrdered(items: readonly Json[], key: string): boolean {
  return directionOf(items, key) !== 0 && new Set(items.map((item) => valueOf(item, key))).size >= ENOUGH_VALUES;
}

function directionName(items: readonly Json[], key: string): string {
  return { [-1]: 'descending', 0: 'in no order', 1: 'ascending' }[directionOf(items, key)];
}

export function membersOf(item: Json | undefined): readonly string[] {
  return isObject(item) ? Object.keys(item) : [];
}

function valueOf(item: Json, key: string): number {
  const value = memberOf(item, key);
  return typeof value === 'string' ? Date.parse(value) : Number(value);
}

const TIME = /^\d{4}-\d{2}-\d{2}T/;

/** True where all items hold a number there, or all hold a time. */
export function isComparable(items: readonly Json[], key: string): boolean {
  const values = items.map((item) => memberOf(item, key));
  return (
    values.every((each) => typeof each === 'number') ||
    values.every((each) => typeof each === 'string' && TIME.test(each))
  );
}

/** Signs of the differences between consecutive values. */
function stepsOf(values: readonly number[]): readonly number[] {
  return values.slice(1).map((value, at) => Math.sign(value - (values[at] ?? value)));
}

/** 1 for ascending, -1 for descending, 0 for neither, also where all values are equal. */
function directionOf(items: readonly Json[], key: string): -1 | 0 | 1 {
  const steps = stepsOf(items.map((item) => valueOf(item, key)));
  const [rises, falls] = [steps.includes(1), steps.includes(-1)];
  return rises === falls ? 0 : rises ? 1 : -1;
}

/** Members of which several items have the same value: flags and numbers, then texts. */
export function tiedMembers(items: readonly Json[]): readonly string[] {
  const isTied = (key: string): boolean => {
    const values = items.map((item) => memberOf(item, key));
    return new Set(values).size < items.length && values.every((each) => /boolean|number|string/.test(typeof each));
  };
  const isText = (key: string): boolean => typeof memberOf(items[0] ?? null, key) === 'string';
  return membersOf(items[0])
    .filter(isTied)
    .toSorted((a, b) => Number(isText(a)) - Number(isText(b)));
}
