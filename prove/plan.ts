import { checkEntry } from '../spec/index.ts';
import type { CheckName } from '../spec/index.ts';
import { DEPTHS } from '../suites/index.ts';
import type { Defect } from './defect.ts';

/** What a run of the suites is restricted to. */
export interface Stage {
  readonly only: readonly string[];
  readonly skip: readonly string[];
  /** Generated cases per property. */
  readonly runs: number;
}

/** Fewer cases where the tests are chosen for the defect; else as many as a run has by default. */
const FEW = 40;
const ALL = DEPTHS.standard.runs;

/** A check that looks at every exchange is tested by nearly every test. */
const isEverywhere = (check: CheckName): boolean => checkEntry(check).judge !== undefined;

/** Checks whose tests name no operation; they can be long, so that they come first only for what they alone catch. */
const WITHOUT_OPERATION: ReadonlySet<CheckName> = new Set(['model-conformance', 'served-description']);

/** Tests of the expected checks on the operations of the defects; checks of every exchange count in the contract suite. */
function firstStage(defects: readonly Defect[]): Stage {
  const only = new Set<string>();
  for (const { operations, checks } of defects) {
    const [alone] = checks.length === 1 ? checks : [];
    if (alone !== undefined && WITHOUT_OPERATION.has(alone)) only.add(alone);
    for (const check of checks)
      for (const operation of operations)
        only.add(isEverywhere(check) ? `contract/* & ${operation}` : `${check} & ${operation}`);
  }
  return { only: [...only], skip: [], runs: FEW };
}

/** Tests of the operations of a defect, in all suites, and of its narrow checks on any operation. */
function secondStage({ operations, checks }: Defect): Stage {
  const narrow = checks.filter((check) => !isEverywhere(check));
  return { only: [...new Set([...operations, ...narrow])], skip: [], runs: ALL };
}

const EVERYTHING: Stage = { only: [], skip: [], runs: ALL };

/** What to run for one defect, cheapest first; a stage runs only where the one before did not catch it. */
export function stagesFor(defect: Defect): readonly Stage[] {
  const first = firstStage([defect]);
  return [...(first.only.length === 0 ? [] : [first]), secondStage(defect), EVERYTHING].filter(
    ({ only }, index, all) => only.length > 0 || index === all.length - 1,
  );
}

/** What to run for several defects at once. */
export function stageTogether(defects: readonly Defect[]): Stage {
  return firstStage(defects);
}

const MOST_TOGETHER = 24;

/** True where a defect can share a run with others: it names what should catch it, and where. */
const canShare = ({ operations, checks, make }: Defect): boolean =>
  make !== undefined && operations.length > 0 && checks.length > 0;

/** Groups defects that show in different operations: one run tests a group. */
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
