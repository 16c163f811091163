import type { Contract, Operation } from '../../spec/index.ts';
import type { Probe } from './probes.ts';

/** Stands for all that no sentence speaks of. */
export const UNSAID = 'learned.behaviour';

/** The sentence of the document that leaves open what a probe asks; {@link UNSAID} where none says so. */
export function sentenceOf({ requirements }: Contract, { id }: Operation, { refused }: Probe): string {
  const open = requirements.filter((each) => each.grade === 'unspecified' && each.untestable === undefined);
  const own = open.find((each) =>
    refused ? each.operations === undefined && each.section.startsWith('7') : each.operations?.includes(id) === true,
  );
  return own?.id ?? UNSAID;
}
