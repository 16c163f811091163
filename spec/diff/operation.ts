import { compareBodies, compareResponses } from './content.ts';
import { compareParameters } from './parameters.ts';
import type { Operation } from '../contract.ts';
import type { Tell } from './change.ts';
import type { OperationPair, Setting } from './pair.ts';

function formNames(operation: Operation): readonly string[] {
  return operation.forms.map((form) => form.name);
}

function compareForms({ a, b }: OperationPair, tell: Tell): void {
  const pointers = { pointerA: a.forms[0]?.pointer ?? '', pointerB: b.forms[0]?.pointer ?? '' };
  for (const form of a.forms.filter((item) => !formNames(b).includes(item.name))) {
    tell({
      class: 'breaking',
      side: 'operation',
      ...pointers,
      pointerA: form.pointer,
      subject: `the form ${form.name || form.path}`,
      words: 'is gone',
    });
  }
  for (const form of b.forms.filter((item) => !formNames(a).includes(item.name))) {
    tell({
      class: 'harmless',
      side: 'operation',
      ...pointers,
      pointerB: form.pointer,
      subject: `the form ${form.name || form.path}`,
      words: 'is new',
    });
  }
}

/** From no token to a policy of its own. */
function demand(permission: string): number {
  return ['none', 'any', 'unstated'].indexOf(permission) === -1 ? 2 : permission === 'none' ? 0 : 1;
}

function compareAccess({ a, b }: OperationPair, tell: Tell): void {
  if (a.permission === b.permission || a.authUndeclared === true || b.authUndeclared === true) return;
  const more = demand(b.permission) - demand(a.permission);
  tell({
    class: more < 0 ? 'harmless' : 'breaking',
    side: 'operation',
    pointerA: a.forms[0]?.pointer ?? '',
    pointerB: b.forms[0]?.pointer ?? '',
    subject: 'the permission',
    words: `is now ${b.permission}, was ${a.permission}`,
  });
}

/** Compares two versions of one operation. */
export function compareOperations(setting: Setting, pair: OperationPair): void {
  compareForms(pair, setting.tell);
  compareAccess(pair, setting.tell);
  compareParameters(setting, pair);
  compareBodies(setting, pair);
  compareResponses(setting, pair);
}
