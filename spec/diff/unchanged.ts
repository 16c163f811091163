import { isObject } from '../json.ts';
import { pointerOfRef, pointerTo, readPointer } from '../pointer.ts';
import type { Contract } from '../contract.ts';
import type { JsonObject } from '../json.ts';

function schemasOf(contract: Contract): JsonObject {
  const schemas = readPointer(contract.document, '/components/schemas');
  return isObject(schemas) ? schemas : {};
}

function pointersIn(text: string): readonly string[] {
  return [...text.matchAll(/"\$ref":"#([^"]*)"/g)].map((match) => pointerOfRef(`#${match[1] ?? ''}`));
}

/** Components that differ, or refer to one that differs. */
function touched(a: Contract, b: Contract): ReadonlySet<string> {
  const [before, after] = [schemasOf(a), schemasOf(b)];
  const users = new Map<string, string[]>();
  const changed: string[] = [];
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const pointer = pointerTo('/components/schemas', name);
    const text = JSON.stringify(before[name] ?? null);
    if (text !== JSON.stringify(after[name] ?? null)) changed.push(pointer);
    for (const target of pointersIn(text)) {
      const owner = target.split('/').slice(0, 4).join('/');
      users.set(owner, [...(users.get(owner) ?? []), pointer]);
    }
  }
  const seen = new Set(changed);
  for (let pointer = changed.pop(); pointer !== undefined; pointer = changed.pop()) {
    for (const user of users.get(pointer) ?? []) {
      if (seen.has(user)) continue;
      seen.add(user);
      changed.push(user);
    }
  }
  return seen;
}

function componentOf(pointer: string): string | undefined {
  return pointer.startsWith('/components/schemas/') ? pointer.split('/').slice(0, 4).join('/') : undefined;
}

/** Whether a pointer leads to the same schemas in both descriptions; it lets the comparison skip most of a large description. */
export function unchangedPointers(a: Contract, b: Contract): (pointer: string) => boolean {
  const changed = touched(a, b);
  const known = new Map<string, boolean>();
  const judge = (pointer: string): boolean => {
    const component = componentOf(pointer);
    if (component !== undefined && (component === pointer || !changed.has(component))) return !changed.has(component);
    const text = JSON.stringify(readPointer(a.document, pointer) ?? null);
    if (text !== JSON.stringify(readPointer(b.document, pointer) ?? null)) return false;
    return pointersIn(text).every(
      (target) => !changed.has(componentOf(target) ?? '') && componentOf(target) !== undefined,
    );
  };
  return (pointer) => {
    const answer = known.get(pointer) ?? judge(pointer);
    known.set(pointer, answer);
    return answer;
  };
}
