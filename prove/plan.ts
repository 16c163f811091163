import { checkEntry } from '../spec/index.ts';
import type { CheckName } from '../spec/index.ts';
import { DEPTHS } from '../suites/index.ts';
import type { Defect } from './defect.ts';
import type { ProveJob } from './job.ts';

/** The tests of one run of the suites, and the generated cases per property. */
export type Stage = Pick<ProveJob, 'only' | 'runs'>;

/** Generated cases per property of tests that are chosen for the defect, and of other tests. */
const FEW = 40;
const STANDARD = DEPTHS.standard.runs;

/** Checks that judge every exchange: nearly every test runs them. */
const isEverywhere = (check: CheckName): boolean => checkEntry(check).judge !== undefined;

/** Checks whose tests name no operation. They can take long: they run first only for defects that only they catch. */
const WITHOUT_OPERATION: ReadonlySet<CheckName> = new Set(['model-conformance', 'served-description']);

/** The tests that the defects name, or those of the expected checks on their operations; for checks of every exchange, the contract suite. */
export function firstStage(defects: readonly Defect[]): Stage {
  const only = new Set<string>();
  for (const { operations, checks, first } of defects) {
    if (first !== undefined) {
      only.add(first);
      continue;
    }
    const [alone] = checks.length === 1 ? checks : [];
    if (alone !== undefined && WITHOUT_OPERATION.has(alone)) only.add(alone);
    for (const check of checks)
      for (const operation of operations)
        only.add(isEverywhere(check) ? `contract/* & ${operation}` : `${check} & ${operation}`);
  }
  return { only: [...only], runs: FEW };
}

/** All tests of the operations of a defect, and of its expected checks on any operation. */
function secondStage({ operations, checks }: Defect): Stage {
  const narrow = checks.filter((check) => !isEverywhere(check));
  return { only: [...new Set([...operations, ...narrow])], runs: STANDARD };
}

const EVERYTHING: Stage = { only: [], runs: STANDARD };

/** The runs for one defect, the shortest first; each runs only if the one before did not catch it. */
export function stagesFor(defect: Defect): readonly Stage[] {
  const stages = [firstStage([defect]), secondStage(defect)];
  return [...stages.filter(({ only }) => only.length > 0), EVERYTHING];
}

const MOST_TOGETHER = 24;

/** True if a defect can share a run with others: its operations and expected checks are known. */
const canShare = ({ operations, checks, make }: Defect): boolean =>
  make !== undefined && operations.length > 0 && checks.length > 0;

/** Groups defects that are observed on different operations: one run tests a group. */
export function batchesOf(defects: readonly Defect[]): readonly (readonly Defect[])[] {
  const groups: { readonly members: Defect[]; readonly taken: Set<string> }[] = [];
  for (const defect of defects) {
    const fits = groups.find(
      ({ members, taken }) =>
        members[0]?.warns === defect.warns &&
        members.length < MOST_TOGETHER &&
        taken.size > 0 &&
        !defect.operations.some((id) => taken.has(id)),
    );
    const group = canShare(defect) ? fits : undefined;
    if (group === undefined)
      groups.push({ members: [defect], taken: new Set(canShare(defect) ? defect.operations : []) });
    else {
      group.members.push(defect);
      for (const id of defect.operations) group.taken.add(id);
    }
  }
  return groups.map(({ members }) => members);
}
