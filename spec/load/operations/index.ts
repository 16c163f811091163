import { buildOperation } from './build.ts';
import { candidatesOf } from './candidates.ts';
import { blanked } from './effect.ts';
import { addressesOf, areForms, renamed } from './forms.ts';
import { templateNames } from './parameters.ts';
import { ANY } from './responses.ts';
import type { Operation } from '../../contract.ts';
import type { Address } from './forms.ts';
import type { Reading } from './read.ts';

function grouped(addresses: readonly Address[]): readonly (readonly Address[])[] {
  const groups = new Map<string, Address[]>();
  for (const address of addresses) {
    const group = groups.get(address.key);
    if (group === undefined) groups.set(address.key, [address]);
    else group.push(address);
  }
  return [...groups.values()];
}

function tellDifference(reading: Reading, group: readonly Address[]): void {
  for (const address of group.slice(1)) {
    reading.report({
      code: 'forms-differ',
      severity: 'note',
      pointer: address.candidate.pointer,
      message: `${address.form.path} is not described as ${group[0]?.form.path} is.`,
      mend: 'They count as operations of their own, and nothing is promised of their likeness.',
    });
  }
}

/** Operations at one address are one for whoever asks: what is answered may be meant by any of them, so nothing is promised of it. */
function opened(reading: Reading, group: readonly Address[]): readonly Address[] {
  return group.map((address, index) => {
    const { form, candidate, operation } = address;
    const first = group.findIndex((each) => blanked(each.form.path) === blanked(form.path));
    const alone =
      first === index && !group.some((each, at) => at > index && blanked(each.form.path) === blanked(form.path));
    if (alone) return address;
    if (first < index)
      reading.report({
        code: 'same-address',
        severity: 'note',
        pointer: candidate.pointer,
        message: `${candidate.method} ${form.path} has the address of ${group[first]?.form.path ?? ''}.`,
        mend: 'Give each an address of its own; nothing is promised of their answers.',
      });
    return { ...address, operation: { ...operation, responses: [ANY] } };
  });
}

/** Forms in their order: the unversioned one first. */
function operationOf(group: readonly Address[], taken: ReadonlySet<string>): Operation | undefined {
  const [first, ...others] = [...group].sort((a, b) => a.form.name.length - b.form.name.length);
  if (first === undefined) return undefined;
  const { operation, form, rest } = first;
  const names = templateNames(form.path);
  const id = [rest, form.path, `${form.path} (${taken.size})`]
    .map((path) => `${operation.method} ${path}`)
    .find((name) => !taken.has(name));
  return {
    id: id ?? `${operation.method} ${rest}`,
    path: rest,
    forms: [form, ...others.map((other) => renamed(other.form, names))],
    ...operation,
  };
}

/** The operations of a description, in its order, with their forms. */
export function operationsOf(reading: Reading): readonly Operation[] {
  const candidates = candidatesOf(reading);
  const removable = new Set(
    candidates.filter((item) => item.method === 'DELETE').map((item) => blanked(item.template)),
  );
  const addresses = candidates.flatMap((candidate) =>
    addressesOf(candidate, buildOperation(reading, candidate, removable)),
  );
  const taken = new Set<string>();
  return grouped(addresses).flatMap((group) => {
    const together = areForms(group);
    if (!together) tellDifference(reading, group);
    const found = (together ? [group] : opened(reading, group).map((address) => [address])).flatMap((part) => {
      const operation = operationOf(part, taken);
      if (operation !== undefined) taken.add(operation.id);
      return operation ?? [];
    });
    return found;
  });
}
