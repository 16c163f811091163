import { scalarText } from '../spec/index.ts';
import type { Contract, Json, Operation } from '../spec/index.ts';

const rivals = new WeakMap<Contract, Map<string, readonly (readonly string[])[]>>();

const isVariable = (segment: string): boolean => segment.includes('{');

/** True where the template has fixed segments where the operation has parameters, and matches otherwise. */
function isRival(words: readonly string[], own: readonly string[]): boolean {
  return (
    words.length === own.length &&
    words.every(
      (word, at) => isVariable(own[at] ?? '') || isVariable(word) || word.toLowerCase() === own[at]?.toLowerCase(),
    ) &&
    words.some((word, at) => !isVariable(word) && isVariable(own[at] ?? ''))
  );
}

function rivalsOf(contract: Contract, { id, method, path }: Operation): readonly (readonly string[])[] {
  const known = rivals.get(contract) ?? new Map<string, readonly (readonly string[])[]>();
  rivals.set(contract, known);
  const own = path.split('/');
  const found =
    known.get(id) ??
    contract.operations.flatMap((each) => {
      const words = each.path.split('/');
      return each.method === method && isRival(words, own) ? [words] : [];
    });
  known.set(id, found);
  return found;
}

/** True where these values turn the path into that of another operation: `/keys/{key}` into `/keys/global`. */
export function crosses(contract: Contract, operation: Operation, values: Readonly<Record<string, Json>>): boolean {
  if (!operation.path.includes('{')) return false;
  const sent = operation.path
    .replaceAll(/\{([^{}]+)\}/g, (whole, name: string) => scalarText(values[name] ?? whole))
    .split('/');
  return rivalsOf(contract, operation).some((words) =>
    words.every((word, at) => isVariable(word) || word.toLowerCase() === sent[at]?.toLowerCase()),
  );
}
