import { adviceFor, isReached } from '../../spec/index.ts';
import type { TestRecord } from '../../spec/index.ts';
import type { OperationSummary, Summary } from './types.ts';

/** Whether an operation was reached in a form: it answered a valid request successfully. */
export interface Reach {
  readonly reached: boolean;
  /** How often valid requests were refused, by status. */
  readonly refused: ReadonlyMap<string, number>;
}

interface Cell {
  reached: boolean;
  readonly refused: Map<string, number>;
}

const NEVER_ASKED: Reach = { reached: false, refused: new Map() };

/** Reach by operation and form. In logs of older versions, which do not mark valid requests, every success counts. */
export class ReachMap {
  readonly #operations = new Map<string, Map<string, Cell>>();

  constructor(tests: readonly TestRecord[]) {
    for (const { statuses } of tests)
      for (const each of statuses) {
        const { operation, form, status, count, valid } = each;
        const succeeded = isReached(each);
        const asked = valid ?? (succeeded ? count : 0);
        if (asked === 0) continue;
        const forms = this.#operations.get(operation) ?? new Map<string, Cell>();
        this.#operations.set(operation, forms);
        const cell: Cell = forms.get(form) ?? { reached: false, refused: new Map() };
        forms.set(form, cell);
        if (succeeded) cell.reached = true;
        else cell.refused.set(status, (cell.refused.get(status) ?? 0) + asked);
      }
  }

  of(operation: string, form: string): Reach {
    return this.#operations.get(operation)?.get(form) ?? NEVER_ASKED;
  }

  /** Why an operation was not reached in a form, or in any; undefined if it was, or if no valid request was sent. */
  whyRefused(operation: string, form: string | undefined): string | undefined {
    const forms = this.#operations.get(operation);
    const cells = [...(forms ?? [])].filter(([name]) => form === undefined || name === form).map(([, cell]) => cell);
    if (cells.length === 0 || cells.some(({ reached }) => reached)) return undefined;
    return refusedText(cells.map(({ refused }) => refused));
  }
}

/** True where no form of an operation was sent a request. */
export function wasSentNothing({ forms }: OperationSummary): boolean {
  return Object.values(forms).every(({ statuses }) => Object.keys(statuses).length === 0);
}

/** True where valid requests were sent to an operation, and none succeeded. */
export function refusedAll({ forms }: OperationSummary): boolean {
  const all = Object.values(forms);
  return all.some(({ refused }) => refused !== undefined) && !all.some(({ reached }) => reached);
}

/** True if a run was limited to some tests. */
export function isSelection({ only, skip, path }: Summary['options']): boolean {
  return [only, skip].some((list) => Array.isArray(list) && list.length > 0) || path !== undefined;
}

/** Operations that a selection of tests left without a request. */
export function unselected({ options, operations }: Summary): readonly OperationSummary[] {
  if (!isSelection(options)) return [];
  return operations.filter((each) => wasSentNothing(each) && !Object.values(each.forms).some((form) => form.isSkipped));
}

/** Operations that received no request and whose effect the run was not allowed to have. */
export function notAllowed({
  options,
  operations,
}: Pick<Summary, 'options' | 'operations'>): readonly OperationSummary[] {
  const { allow } = options;
  if (!Array.isArray(allow) || isSelection(options)) return [];
  return operations.filter((each) => wasSentNothing(each) && !allow.includes(each.effect));
}

function refusedText(all: readonly ReadonlyMap<string, number>[]): string {
  const statuses = [...new Set(all.flatMap((refused) => [...refused.keys()]))].toSorted();
  return `the operation was not reached: every valid request was refused (${statuses.join(', ').replace('000', 'no response')})${adviceFor(statuses)}`;
}

/** The tests of a run as they count: on an operation that refused every valid request, none was passed, but skipped. */
export function countedTests(tests: readonly TestRecord[]): readonly TestRecord[] {
  const reach = new ReachMap(tests);
  return tests.map((test) => {
    if (test.verdict !== 'passed' || test.operation === undefined) return test;
    const reason = reach.whyRefused(test.operation, test.form);
    return reason === undefined ? test : { ...test, verdict: 'skipped', reason };
  });
}

/** Why a form is untested if no test gives a reason; `answered`: number of different statuses. */
export function whyUnreached({ reached, refused }: Reach, answered: number): string {
  if (reached) return 'none of its tests passed';
  if (refused.size > 0)
    return `every valid request was refused (${[...refused.keys()].toSorted().join(', ')})${adviceFor(refused.keys())}`;
  return answered > 0 ? 'no valid request was sent' : 'no request of this run reached it';
}
