import { gather } from './change.ts';
import { compareOperations } from './operation.ts';
import { unchangedPointers } from './taint.ts';
import type { Contract, Operation } from '../contract.ts';
import type { Change, Difference } from './change.ts';

/** What an operation is known by from one description to the next: names of path parameters don't matter. */
function keyOf(operation: Operation): string {
  return `${operation.method} ${operation.path.replace(/\{[^{}/]*\}/g, '{}')}`;
}

/** How the second description differs from the first, worst changes first, each as those feel it who call the API by the first. */
export function diffContracts(a: Contract, b: Contract): readonly Change[] {
  const found: { operation: string; difference: Difference }[] = [];
  const known = { unchanged: unchangedPointers(a, b), examined: new Map() };
  const [before, after] = [
    new Map(a.operations.map((item) => [keyOf(item), item])),
    new Map(b.operations.map((item) => [keyOf(item), item])),
  ];
  for (const [key, operation] of before) {
    const tell = (difference: Difference): void => {
      found.push({ operation: operation.id, difference });
    };
    const other = after.get(key);
    if (other !== undefined) compareOperations({ a, b, tell, ...known }, { a: operation, b: other });
    else
      tell({
        class: 'breaking',
        side: 'operation',
        pointerA: operation.forms[0]?.pointer ?? '',
        subject: operation.id,
        words: 'is gone',
      });
  }
  for (const [key, operation] of after) {
    if (before.has(key)) continue;
    found.push({
      operation: operation.id,
      difference: {
        class: 'harmless',
        side: 'operation',
        pointerB: operation.forms[0]?.pointer ?? '',
        subject: operation.id,
        words: 'is new',
      },
    });
  }
  return gather(found);
}
