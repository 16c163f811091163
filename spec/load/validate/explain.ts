import { pointerTo, readPointer } from '../../pointer.ts';
import { keywordPointer } from './compiler.ts';
import type { Json } from '../../json.ts';
import type { Compiler, Failure } from './compiler.ts';

/** Alternatives nested deeper than this are not explained. */
const MAX_DEPTH = 5;

function keyOf(failure: Failure): string {
  return `${failure.error.instancePath} ${keywordPointer(failure)}`;
}

/** Distance of a value from an alternative: small for few failures, large for a wrong type. */
function distance(failures: readonly Failure[]): number {
  const wrongKind = failures.some(
    ({ error }) =>
      error.instancePath === '' && (error.keyword === 'type' || error.keyword === 'const' || error.keyword === 'enum'),
  );
  return failures.length + (wrongKind ? 1000 : 0);
}

/**
 * Explains failed alternatives: reports the failures of the closest alternative, or, if none is close, that none matches.
 */
export function explain(
  compiler: Compiler,
  failures: readonly Failure[],
  value: unknown,
  depth = 0,
): readonly Failure[] {
  const alternatives = failures.filter(
    ({ error }) => error.keyword === 'anyOf' || (error.keyword === 'oneOf' && error.params['passingSchemas'] === null),
  );
  if (alternatives.length === 0 || depth > MAX_DEPTH) return failures;
  const dropped = new Set<string>();
  const added: Failure[] = [];
  for (const failure of alternatives) {
    const explained = explainOne(compiler, failure, value, depth);
    for (const key of explained.dropped) dropped.add(key);
    added.push(...explained.added);
  }
  const kept = failures.filter((failure) => !dropped.has(keyOf(failure)));
  return [...new Map([...kept, ...added].map((failure) => [keyOf(failure), failure])).values()];
}

function explainOne(
  compiler: Compiler,
  failure: Failure,
  root: unknown,
  depth: number,
): { readonly dropped: readonly string[]; readonly added: readonly Failure[] } {
  const at = failure.error.instancePath;
  const value = readPointer(root as Json, at);
  const count = Array.isArray(failure.error.schema) ? failure.error.schema.length : 0;
  const branches = Array.from(
    { length: count },
    (_, index) => compiler.judge(pointerTo(keywordPointer(failure), index), value) ?? [],
  );
  const inPlace = (item: Failure): Failure => ({
    ...item,
    error: { ...item.error, instancePath: `${at}${item.error.instancePath}` },
  });
  const dropped = branches.flatMap((branch) => branch.map((item) => keyOf(inPlace(item))));
  const near = branches
    .map((branch) => ({ branch, distance: distance(branch) }))
    .sort((a, b) => a.distance - b.distance);
  const [best, second] = near;
  const clear =
    best !== undefined &&
    best.distance < 1000 &&
    (second === undefined || second.distance >= 1000 || best.distance < second.distance);
  if (!clear) return { dropped, added: [] };
  return {
    dropped: [...dropped, keyOf(failure)],
    added: explain(compiler, best.branch, value, depth + 1).map(inPlace),
  };
}
