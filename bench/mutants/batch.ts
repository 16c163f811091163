import type { Handler, Mutant, Next } from './types.ts';

/** What everything else is made from: a mutant of it runs alone. */
const FOUNDATIONS = new Set(['POST /accesscontrolpolicies', 'POST /aijob', 'POST /aiagent']);
const MANY = 4;

function alone(mutant: Mutant): boolean {
  return (
    mutant.operations.length > MANY || mutant.operations.some((id) => FOUNDATIONS.has(id)) || mutant.area === 'overlap'
  );
}

/** Groups of at most `size` mutants that touch different operations: one run screens a group, by the operations that the findings name. */
export function batches(mutants: readonly Mutant[], size: number): (readonly Mutant[])[] {
  const groups: { readonly members: Mutant[]; readonly taken: Set<string> }[] = [];
  for (const mutant of mutants) {
    const group =
      size === 1 || alone(mutant)
        ? undefined
        : groups.find(
            ({ members, taken }) =>
              members.length < size && taken.size > 0 && !mutant.operations.some((id) => taken.has(id)),
          );
    if (group === undefined) {
      groups.push({ members: [mutant], taken: new Set(size === 1 || alone(mutant) ? [] : mutant.operations) });
      continue;
    }
    group.members.push(mutant);
    for (const id of mutant.operations) group.taken.add(id);
  }
  return groups.map(({ members }) => members);
}

/** Some mutants as one. */
export function together(mutants: readonly Mutant[]): Mutant {
  const [first] = mutants;
  if (first === undefined) throw new Error('no mutant');
  if (mutants.length === 1) return first;
  return {
    name: mutants.map((mutant) => mutant.name).join('+'),
    area: 'several',
    breaks: 'several',
    operations: mutants.flatMap((mutant) => mutant.operations),
    make: (context): Handler => {
      const handlers = mutants.map((mutant) => mutant.make(context));
      return (call, next) => {
        const step =
          (index: number): Next =>
          async (changes) => {
            const handler = handlers[index];
            return changes !== undefined || handler === undefined ? next(changes) : handler(call, step(index + 1));
          };
        return step(0)();
      };
    },
  };
}
