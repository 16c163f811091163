import { scalarText } from '../spec/index.ts';
import type { Contract, Json, Operation } from '../spec/index.ts';
import { memoize } from '../spec/memoize.ts';

const isVariable = (segment: string): boolean => segment.includes('{');

/** True for a template that has a fixed segment in place of a parameter of the operation, and else matches its path. */
function isMoreSpecific(words: readonly string[], own: readonly string[]): boolean {
  return (
    words.length === own.length &&
    words.every(
      (word, at) => isVariable(own[at] ?? '') || isVariable(word) || word.toLowerCase() === own[at]?.toLowerCase(),
    ) &&
    words.some((word, at) => !isVariable(word) && isVariable(own[at] ?? ''))
  );
}

/** The segments of the templates that overlap with an operation's path. */
const overlappingPaths = memoize(({ operations }: Contract) =>
  memoize(({ method, path }: Operation) => {
    const own = path.split('/');
    const templates = operations.filter((each) => each.method === method).map((each) => each.path.split('/'));
    return templates.filter((words) => isMoreSpecific(words, own));
  }),
);

/** True where these values make the path one of another operation: `/keys/{key}` becomes `/keys/global`. */
export function addressesOtherOperation(
  contract: Contract,
  operation: Operation,
  values: Readonly<Record<string, Json>>,
): boolean {
  if (!operation.path.includes('{')) return false;
  const sent = operation.path
    .replaceAll(/\{([^{}]+)\}/g, (whole, name: string) => scalarText(values[name] ?? whole))
    .split('/');
  return overlappingPaths(contract)(operation).some((words) =>
    words.every((word, at) => isVariable(word) || word.toLowerCase() === sent[at]?.toLowerCase()),
  );
}
