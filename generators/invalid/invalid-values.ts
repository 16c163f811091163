import { pointerTo } from '../../spec/index.ts';
import type { Json, SchemaRef, SchemaViolation } from '../../spec/index.ts';
import { Draw } from '../core/draw.ts';
import { PROFILES } from '../core/profile.ts';
import { Prng } from '../core/prng.ts';
import { arbitraryFor, isUnsatisfiable } from '../schema/arbitrary-for.ts';
import type { SchemaOptions } from '../schema/arbitrary-for.ts';
import type { SchemaGenerator } from '../schema/schema-generator.ts';
import type { SchemaSource } from '../schema/source.ts';
import type { Path } from '../shrink/json.ts';
import { mutations } from './mutations.ts';
import { replacedAt, partsOf } from './parts.ts';

/** At most this many properties of an object are made invalid. */
const MAX_PROPERTIES = 40;

/** A value that violates exactly one constraint of its schema. */
interface InvalidValue {
  readonly pointer: string;
  readonly keyword: string;
  readonly label: string;
  readonly value: Json;
}

/** At most so many violations of one pointer and keyword. */
const EACH = 2;

/**
 * Values that each violate one constraint, in a stable order. Each pointer and keyword is violated at most twice, the value as a
 * whole in every way.
 */
export function invalidValues(source: SchemaSource, ref: SchemaRef, options: SchemaOptions): InvalidValue[] {
  const arbitrary = arbitraryFor(source, ref, options);
  if (isUnsatisfiable(arbitrary)) return [];
  const base = fullValue(arbitrary.parts);
  const counts = new Map<string, number>();
  const found: InvalidValue[] = [];
  for (const { path, value } of partsOf(base, MAX_PROPERTIES)) {
    if (arbitrary.parts.isFixed(path)) continue;
    for (const { label, part } of mutations(value, arbitrary.parts.variantsAt(path))) {
      const invalid = replacedAt(base, path, part);
      const violation = invalid === undefined ? undefined : onlyViolation(source.validate(ref, invalid));
      if (invalid === undefined || violation === undefined) continue;
      // A member that an alternative requires violates the alternatives as a whole.
      const missing = part === undefined && isChoice(violation) ? [path.at(-1)] : [];
      const key = [violation.keyword, violation.instancePointer, ...missing].join(' ');
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      if (count <= EACH || path.length === 0)
        found.push({
          pointer: violation.instancePointer,
          keyword: violation.keyword,
          label: `${locationOf(path)} ${label}`,
          value: invalid,
        });
    }
  }
  return found;
}

/** A plain value with every optional part, so that each constraint can be violated. */
function fullValue(generator: SchemaGenerator): Json {
  return generator.generate(new Draw(new Prng(7), { ...PROFILES.plain, depth: 1 }));
}

/** The violation, if there is exactly one; alternatives count as one, with the violations inside them. */
function onlyViolation(violations: readonly SchemaViolation[]): SchemaViolation | undefined {
  const choice = violations.find(isChoice);
  const first = choice ?? violations[0];
  if (first === undefined) return undefined;
  const alone = violations.every(({ keyword, instancePointer }) =>
    instancePointer === first.instancePointer
      ? choice !== undefined || keyword === first.keyword
      : choice !== undefined && instancePointer.startsWith(`${first.instancePointer}/`),
  );
  return alone ? first : undefined;
}

const isChoice = ({ keyword }: SchemaViolation): boolean => keyword === 'anyOf' || keyword === 'oneOf';

function locationOf(path: Path): string {
  return path.length === 0 ? 'the body' : pointerTo('', ...path);
}
