import { isObject } from '../../json.ts';
import { memberPointers, requiredNames, shiftsBetween } from './aspects.ts';
import { canonicalSchema, refAt, viewAt } from './view.ts';
import type { Contract, SchemaRef } from '../../contract.ts';
import type { ChangeClass, Difference, ReportDifference } from '../change.ts';
import type { SchemaShift } from './aspects.ts';
import type { View } from './view.ts';

/** A difference of two schemas; `member` names the property that it is about, if not the schema itself. */
interface Local extends Omit<Difference, 'side' | 'subject'> {
  readonly member?: string;
}

interface SubschemaPair {
  readonly a: SchemaRef;
  readonly b: SchemaRef;
  /** Its place relative to the schemas above, for example `name in` or `items of`; empty for the same value. */
  readonly words: string;
}

/** The differences of two schemas without their subschemas; computed once, even if several operations share them. */
interface Parts {
  readonly differences: readonly Local[];
  readonly below: readonly SubschemaPair[];
}

interface LocalComparison extends Parts {
  readonly below: readonly (SubschemaPair & { readonly key: string })[];
}

/** Two descriptions and the state of their comparison. */
export interface SchemaDiff {
  readonly a: Contract;
  readonly b: Contract;
  readonly report: ReportDifference;
  /** True if both descriptions have the same schemas at and below a pointer. */
  readonly unchanged: (pointer: string) => boolean;
  readonly compared: Map<string, LocalComparison>;
}

interface Pair {
  readonly side: Side;
  readonly a: View;
  readonly b: View;
}

type Side = 'request' | 'response';

/** A request schema must not become narrower, a response schema must not become wider. */
function classOf(side: Side, shift: SchemaShift): ChangeClass {
  if (shift.direction === 'other') return shift.soft === true ? 'risky' : 'breaking';
  if (side === 'request') return shift.direction === 'narrower' ? 'breaking' : 'harmless';
  if (shift.direction === 'narrower') return 'harmless';
  return shift.soft === true ? 'risky' : 'breaking';
}

function keyOf(comparison: SchemaDiff, side: Side, { a, b }: SubschemaPair): string {
  const [before, after] = [canonicalSchema(comparison.a, a), canonicalSchema(comparison.b, b)];
  return `${side} ${before.ref.pointer} ${before.nullable} ${after.ref.pointer} ${after.nullable}`;
}

function mayDiffer(comparison: SchemaDiff, { a, b }: SubschemaPair): boolean {
  return a.pointer !== b.pointer || !comparison.unchanged(a.pointer);
}

function compareLocally(comparison: SchemaDiff, side: Side, below: SubschemaPair, key: string): LocalComparison {
  const known = comparison.compared.get(key);
  if (known !== undefined) return known;
  const pair = { side, a: viewAt(comparison.a, below.a), b: viewAt(comparison.b, below.b) };
  const parts = [
    compareMembers(comparison, pair),
    ...['oneOf', 'anyOf'].map((keyword) => compareAlternatives(comparison, pair, keyword)),
  ];
  const found = {
    differences: [...compareAspects(pair), ...parts.flatMap((part) => part.differences)],
    below: [...parts.flatMap((part) => part.below), ...partsBelow(comparison, pair)]
      .filter((item) => mayDiffer(comparison, item))
      .map((item) => ({ ...item, key: keyOf(comparison, side, item) })),
  };
  comparison.compared.set(key, found);
  return found;
}

/** Compares two schemas and their subschemas, breadth first. */
export function compareSchemas(comparison: SchemaDiff, side: Side, a: SchemaRef, b: SchemaRef, subject: string): void {
  const root = { a, b, words: '' };
  if (!mayDiffer(comparison, root)) return;
  const queue = [{ below: root, key: keyOf(comparison, side, root), at: subject }];
  const met = new Set(queue.map((item) => item.key));
  for (const { below, key, at } of queue) {
    const found = compareLocally(comparison, side, below, key);
    for (const { member, ...difference } of found.differences) {
      comparison.report({ ...difference, side, subject: member === undefined ? at : `${member} in ${at}` });
    }
    for (const item of found.below.filter((each) => !met.has(each.key))) {
      met.add(item.key);
      queue.push({ below: item, key: item.key, at: item.words === '' ? at : `${item.words} ${at}` });
    }
  }
}

function compareAspects({ side, a, b }: Pair): readonly Local[] {
  return shiftsBetween(a, b).map((shift) => ({
    class: classOf(side, shift),
    pointerA: a.pointer,
    pointerB: b.pointer,
    words: shift.message,
  }));
}

/** True for properties that are never on this side of an exchange. */
function hidden(contract: Contract, pointer: string | undefined, side: Side): boolean {
  if (pointer === undefined) return false;
  const { schema } = contract.resolve(refAt(contract, pointer));
  return isObject(schema) && schema[side === 'request' ? 'readOnly' : 'writeOnly'] === true;
}

function compareMembers(comparison: SchemaDiff, pair: Pair): Parts {
  const [before, after] = [memberPointers(pair.a), memberPointers(pair.b)];
  const [needed, needs] = [requiredNames(pair.a), requiredNames(pair.b)];
  const differences: Local[] = [];
  const below: SubschemaPair[] = [];
  for (const name of new Set([...Object.keys(before), ...Object.keys(after), ...needed, ...needs])) {
    const [from, to] = [before[name], after[name]];
    if (hidden(comparison.a, from, pair.side) || hidden(comparison.b, to, pair.side)) continue;
    const change = memberChange(pair, { from, to, required: needs.includes(name), wasRequired: needed.includes(name) });
    if (change !== undefined)
      differences.push({ ...change, member: name, pointerA: from ?? pair.a.pointer, pointerB: to ?? pair.b.pointer });
    if (from !== undefined && to !== undefined)
      below.push({ a: refAt(comparison.a, from), b: refAt(comparison.b, to), words: `${name} in` });
  }
  return { differences, below };
}

interface Member {
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly required: boolean;
  readonly wasRequired: boolean;
}

function memberChange(
  { side, b }: Pair,
  { from, to, required, wasRequired }: Member,
): { readonly class: ChangeClass; readonly words: string } | undefined {
  const request = side === 'request';
  if (from !== undefined && to === undefined)
    return {
      class: request && b.keywords['additionalProperties'] !== false ? 'risky' : 'breaking',
      words: 'was removed',
    };
  if (from === undefined && to !== undefined && !wasRequired) {
    return required && request
      ? { class: 'breaking', words: 'was added and is required' }
      : { class: 'harmless', words: 'was added' };
  }
  if (required && !wasRequired) return { class: request ? 'breaking' : 'harmless', words: 'is now required' };
  if (wasRequired && !required) return { class: request ? 'harmless' : 'breaking', words: 'is no longer required' };
  return undefined;
}

function schemaUnder(view: View, contract: Contract, keyword: string): SchemaRef | undefined {
  const value = view.keywords[keyword];
  return typeof value === 'string' ? refAt(contract, value) : undefined;
}

function alternativesOf(view: View, contract: Contract, keyword: string): readonly SchemaRef[] {
  const value = view.keywords[keyword];
  return Array.isArray(value) ? value.map((pointer) => refAt(contract, String(pointer))) : [];
}

function partsBelow(comparison: SchemaDiff, { a, b }: Pair): readonly SubschemaPair[] {
  return (
    [
      ['items', 'items of'],
      ['additionalProperties', 'additional properties of'],
    ] as const
  ).flatMap(([keyword, words]) => {
    const [from, to] = [schemaUnder(a, comparison.a, keyword), schemaUnder(b, comparison.b, keyword)];
    return from === undefined || to === undefined ? [] : [{ a: from, b: to, words }];
  });
}

/** The change of a list of alternatives of which some were removed or added. */
function alternativesShift(before: number, after: number, lost: number, gained: number): SchemaShift | undefined {
  if (before === 0 && after > 0)
    return { direction: 'narrower', message: 'must now match one of several alternatives' };
  if (after === 0 && before > 0)
    return { direction: 'wider', message: 'no longer has to match one of several alternatives' };
  if (lost > gained) return { direction: 'narrower', message: 'lost an alternative' };
  return gained > lost ? { direction: 'wider', message: 'has an additional alternative' } : undefined;
}

function textOf(ref: SchemaRef): string {
  return JSON.stringify(ref.schema);
}

function compareAlternatives(comparison: SchemaDiff, { side, a, b }: Pair, keyword: string): Parts {
  const [before, after] = [alternativesOf(a, comparison.a, keyword), alternativesOf(b, comparison.b, keyword)];
  const equal = before.flatMap((ref) => {
    const other = after.find((item) => textOf(item) === textOf(ref));
    return other === undefined ? [] : [{ a: ref, b: other, words: '' }];
  });
  const lost = before.filter((ref) => !equal.some((pair) => pair.a === ref));
  const gained = after.filter((ref) => !before.some((other) => textOf(other) === textOf(ref)));
  const changed = lost.flatMap((ref, index) => {
    const other = gained[index];
    return other === undefined ? [] : [{ a: ref, b: other, words: 'an alternative of' }];
  });
  const shift = alternativesShift(before.length, after.length, lost.length, gained.length);
  const differences =
    shift === undefined
      ? []
      : [{ class: classOf(side, shift), pointerA: a.pointer, pointerB: b.pointer, words: shift.message }];
  return { differences, below: [...equal, ...changed] };
}
