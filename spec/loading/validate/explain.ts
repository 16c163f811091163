import { isObject } from '../../json.ts';
import { pointerTo, readPointer } from '../../pointer.ts';
import { keywordPointer } from './compiler.ts';
import { LAZY_REF } from './views.ts';
import type { Json } from '../../json.ts';
import type { Compiler, KeywordFailure } from './compiler.ts';

/** Alternatives nested deeper than this are not explained. */
const MAX_DEPTH = 5;

function keyOf(failure: KeywordFailure): string {
  return `${failure.error.instancePath} ${keywordPointer(failure)}`;
}

/** Distance of a value from an alternative: small for few failures, large for a wrong type. */
function distance(failures: readonly KeywordFailure[]): number {
  const wrongKind = failures.some(
    ({ error }) =>
      error.instancePath === '' && (error.keyword === 'type' || error.keyword === 'const' || error.keyword === 'enum'),
  );
  return failures.length + (wrongKind ? 1000 : 0);
}

/** Explains failed alternatives: by the failures of the closest one or, if none is close, as a value that matches none. */
export function explain(
  compiler: Compiler,
  failures: readonly KeywordFailure[],
  value: unknown,
  depth = 0,
): readonly KeywordFailure[] {
  const alternatives = failures.filter(
    ({ error }) => error.keyword === 'anyOf' || (error.keyword === 'oneOf' && error.params['passingSchemas'] === null),
  );
  if (alternatives.length === 0 || depth > MAX_DEPTH) return failures;
  const dropped = new Set<string>();
  const added: KeywordFailure[] = [];
  for (const failure of alternatives) {
    const explained = explainOne(compiler, failure, value, depth);
    for (const key of explained.dropped) dropped.add(key);
    added.push(...explained.added);
  }
  const kept = failures.filter((failure) => !dropped.has(keyOf(failure)));
  return [...new Map([...kept, ...added].map((failure) => [keyOf(failure), failure])).values()];
}

/** Position of the alternative that a discriminator selects, by its mapping or by the name of the schema. */
function selectedBy({ error }: KeywordFailure, value: Json | undefined): number | undefined {
  const { parentSchema, schema } = error as { readonly parentSchema?: unknown; readonly schema?: unknown };
  const discriminator = isObject(parentSchema) ? parentSchema['discriminator'] : undefined;
  const name = isObject(discriminator) ? discriminator['propertyName'] : undefined;
  const kind = typeof name === 'string' && isObject(value) ? value[name] : undefined;
  if (!isObject(discriminator) || typeof kind !== 'string' || !Array.isArray(schema)) return undefined;
  const { mapping } = discriminator;
  const mapped = isObject(mapping) && Object.hasOwn(mapping, kind) ? mapping[kind] : kind;
  const nameOf = (reference: unknown): string => (typeof reference === 'string' ? reference.replace(/^.*\//, '') : '');
  const index = schema.findIndex((each) => isObject(each) && nameOf(each[LAZY_REF] ?? each['$ref']) === nameOf(mapped));
  return index < 0 ? undefined : index;
}

function explainOne(
  compiler: Compiler,
  failure: KeywordFailure,
  root: unknown,
  depth: number,
): { readonly dropped: readonly string[]; readonly added: readonly KeywordFailure[] } {
  const at = failure.error.instancePath;
  const value = readPointer(root as Json, at);
  const count = Array.isArray(failure.error.schema) ? failure.error.schema.length : 0;
  const branches = Array.from(
    { length: count },
    (_, index) => compiler.judge(pointerTo(keywordPointer(failure), index), value) ?? [],
  );
  const inPlace = (item: KeywordFailure): KeywordFailure => ({
    ...item,
    error: { ...item.error, instancePath: `${at}${item.error.instancePath}` },
  });
  const dropped = branches.flatMap((branch) => branch.map((item) => keyOf(inPlace(item))));
  const selected = selectedBy(failure, value);
  const near = branches
    .map((branch, index) => ({
      branch,
      distance: distance(branch) + (selected === undefined || selected === index ? 0 : 1000),
    }))
    .sort((a, b) => a.distance - b.distance);
  const [best, second] = near;
  const clear =
    best !== undefined &&
    (best.distance < 1000 || selected !== undefined) &&
    (second === undefined || second.distance >= 1000 || best.distance < second.distance);
  if (!clear) return { dropped, added: [] };
  return {
    dropped: [...dropped, keyOf(failure)],
    added: explain(compiler, best.branch, value, depth + 1).map(inPlace),
  };
}
