import { defined } from './defined.ts';
import { groupBy } from './group-by.ts';
import { scalarText } from './json.ts';
import { validateDescription } from './loading/parse.ts';
import { existingPointer } from './pointer.ts';
import type { DescriptionProblem } from './contract.ts';
import type { Json, JsonObject } from './json.ts';
import type { ValidationDetail } from './loading/parse.ts';

/** Limit for the listed problems of swagger-parser's validation. */
const MAX_INVALID = 100;

/** Keywords whose failures only repeat a failure below them. */
const COMBINING: readonly string[] = ['oneOf', 'anyOf', 'if', '$ref', 'allOf', 'not'];

/** The places of a description that break the schema of its version of OpenAPI. */
export async function invalidPlaces(written: JsonObject, source: string): Promise<readonly DescriptionProblem[]> {
  const details = meant(await validateDescription(written, source));
  return joined(deepest(details))
    .slice(0, MAX_INVALID)
    .map(({ pointer, message }) => ({
      code: 'invalid',
      severity: 'warning',
      pointer: existingPointer(written, pointer),
      message: `Not valid OpenAPI: ${message}.`,
      hint: 'Follow the specification, so that other tools can read the description too.',
    }));
}

/** The alternative of the schema in which a failure occurred: the definition that has it, and its number there. */
function alternativeOf({ schemaPath }: ValidationDetail): { readonly definition: string; readonly number?: string } {
  const [, definition = '', number] =
    /^#(\/(?:definitions|\$defs)\/[^/]+)?(?:\/(?:oneOf|anyOf)\/(\d+))?/.exec(schemaPath) ?? [];
  return { definition, ...defined({ number }) };
}

const allowedBy = ({ params }: ValidationDetail): readonly Json[] | undefined =>
  Array.isArray(params['allowedValues']) ? (params['allowedValues'] as readonly Json[]) : undefined;

/** The object that a failure is about: a wrong value is that of a member, such as `in` or `type`. */
const ownerOf = (detail: ValidationDetail): string =>
  allowedBy(detail) === undefined ? detail.pointer : detail.pointer.slice(0, detail.pointer.lastIndexOf('/'));

/** A failure within one of the alternatives of an object. */
interface InAlternative {
  readonly detail: ValidationDetail;
  readonly alternative: string;
}

/**
 * Without the failures of alternatives that are not meant. An object is not meant as a reference, nor as an alternative that
 * wants another value of a member (`in: query`) if that value is right in a further alternative, nor as one if it fits several.
 */
function meant(details: readonly ValidationDetail[]): readonly ValidationDetail[] {
  const fitsSeveral = new Set(
    details.flatMap(({ pointer, schemaPath, params }) =>
      Array.isArray(params['passingSchemas']) ? `${pointer} ${schemaPath}` : [],
    ),
  );
  const objects = details.filter((detail) => {
    const { definition, number } = alternativeOf(detail);
    const isInOneOfSeveral = number !== undefined && fitsSeveral.has(`${detail.pointer} #${definition}/oneOf`);
    return detail.params['missingProperty'] !== '$ref' && !isInOneOfSeveral;
  });
  const located = objects.map((detail) => ({ detail, owner: ownerOf(detail), ...alternativeOf(detail) }));
  const ofDefinitions = groupBy(located, ({ owner, definition }) => `${owner} ${definition}`).values();
  const ofObjects = groupBy(located, ({ owner }) => owner).values();
  const dropped = new Set([
    ...[...ofDefinitions].flatMap((group) =>
      notMeant(group.flatMap(({ detail, number }) => (number === undefined ? [] : [{ detail, alternative: number }]))),
    ),
    ...[...ofObjects].flatMap((group) =>
      notMeant(group.map(({ detail, definition }) => ({ detail, alternative: definition }))),
    ),
  ]);
  return objects.filter((detail) => !dropped.has(detail));
}

function notMeant(group: readonly InAlternative[]): readonly ValidationDetail[] {
  const wanting = group.filter(({ detail }) => allowedBy(detail)?.length === 1);
  return [...groupBy(wanting, ({ detail }) => detail.pointer).values()].flatMap((ofMember) => {
    const others = new Set(ofMember.map(({ alternative }) => alternative));
    const isRightInOne = group.some(({ alternative }) => !others.has(alternative));
    if (others.size < 2 || !isRightInOne) return [];
    return group.filter(({ alternative }) => others.has(alternative)).map(({ detail }) => detail);
  });
}

/** Each alternative allows other values or requires another member: one place names all of them. */
function joined(details: readonly ValidationDetail[]): readonly Pick<ValidationDetail, 'pointer' | 'message'>[] {
  const groups = groupBy(details, (detail) => {
    const { definition, number } = alternativeOf(detail);
    if (allowedBy(detail) !== undefined) return detail.pointer;
    return detail.keyword === 'required' && number !== undefined ? `${detail.pointer} ${definition}` : detail;
  });
  return [...groups.values()].map((group) => ({ pointer: group[0]?.pointer ?? '', message: messageOf(group) }));
}

function messageOf(group: readonly ValidationDetail[]): string {
  const values = new Set(group.flatMap((detail) => allowedBy(detail) ?? []).map(String));
  if (values.size > 0) return `must be one of ${[...values].join(', ')}`;
  const names = group.flatMap(({ params }) => params['missingProperty'] ?? []);
  if (names.length > 0) return `must have the property ${names.map(scalarText).join(' or ')}`;
  const extra = group.flatMap(({ params }) => params['additionalProperty'] ?? params['unevaluatedProperty'] ?? []);
  return extra.length > 0 ? `must not have the property ${scalarText(extra[0])}` : (group[0]?.message ?? '');
}

/** Keeps the deepest details: those above them repeat the same problem. */
function deepest(details: readonly ValidationDetail[]): readonly ValidationDetail[] {
  const specific = details.filter((item) => !COMBINING.includes(item.keyword));
  const candidates = specific.length > 0 ? specific : details;
  const above = new Set<string>();
  for (const { pointer } of candidates) {
    const steps = pointer.split('/');
    for (let length = 1; length < steps.length; length += 1) above.add(steps.slice(0, length).join('/'));
  }
  return candidates.filter((item) => !above.has(item.pointer));
}
