import { knowledgeFor } from '../../domain/index.ts';
import { count } from '../../spec/count.ts';
import { isSuccess, usageError } from '../../spec/index.ts';
import type { Intent, Journal, JournalEntry } from '../../client/index.ts';
import type { AssayError, ScenarioRecord } from '../../spec/index.ts';
import type { SlicePart } from '../engines/messages.ts';
import type { Measurement, SliceView } from '../measurement.ts';
import type { CommonOptions } from '../options.ts';
import type { FlowJob } from './job.ts';

/** Number of errors of the scenario that end a run without a completed iteration. */
const HOPELESS = 20;

/** Watches a flow: writes created items to the journal, and detects a flow that always throws. */
export class FlowWatch {
  isHopeless = false;
  readonly #creates: ReadonlyMap<string, Intent>;
  readonly #journal: Journal;
  readonly #created = new Map<string, { readonly entry: Promise<JournalEntry>; amount: number }>();
  /** Removals that were served, by operation. */
  readonly #removed = new Map<string, number>();

  constructor({ tag }: FlowJob, { contract, fixtures, journal }: CommonOptions) {
    const { resources } = knowledgeFor(contract, fixtures);
    this.#journal = journal;
    this.#creates = new Map(
      resources.flatMap(({ create, remove, list, idName }) => {
        if (list === undefined) return [];
        return [[create.id, { create: create.id, remove: remove.id, list: list.id, idName, tag }] as const];
      }),
    );
  }

  add(view: SliceView, { whole: { flow } }: Measurement): void {
    const mistakes = flow.mistakes.reduce((sum, [, count]) => sum + count, 0);
    this.isHopeless ||= mistakes >= HOPELESS && flow.completed === 0;
    for (const part of view.parts) {
      const { operation } = part;
      const intent = this.#creates.get(operation);
      const served = servedOf(part);
      this.#removed.set(operation, (this.#removed.get(operation) ?? 0) + served);
      if (intent === undefined || (served === 0 && !isUncertain(part))) continue;
      const known = this.#created.get(operation) ?? { entry: this.#journal.intend(intent), amount: 0 };
      known.amount += served;
      this.#created.set(operation, known);
    }
  }

  /** One entry of the journal finds all items of a kind by their tag; the flow may have removed some itself. */
  async settled(): Promise<void> {
    for (const { entry: intended, amount } of this.#created.values()) {
      const entry = await intended;
      this.#journal.standsFor(entry, amount);
      await this.#journal.expects(entry, Math.max(0, amount - (this.#removed.get(entry.remove) ?? 0)));
    }
  }
}

/** Requests that the target served, whether or not the flow expected it. */
function servedOf({ statuses, errors }: SlicePart): number {
  const counts = [...statuses, ...errors].filter(([status]) => isSuccess(Number(status)));
  return counts.reduce((sum, [, amount]) => sum + amount, 0);
}

/** True if a request may have been served although no response says so. */
function isUncertain({ errors }: SlicePart): boolean {
  return errors.some(([kind]) => !(Number(kind) < 500));
}

/** The error of a flow that threw: its figures do not count. */
export function flowError({ name, detail }: ScenarioRecord): AssayError | undefined {
  const [first] = detail?.flow?.mistakes ?? [];
  if (first === undefined) return undefined;
  return usageError(
    `The scenario ${name} has an error, thrown ${count(first.count, 'time')}: ${first.text}.`,
    'The error is in the flow, not in the target: fix that line. Use check() to test the content of responses.',
  );
}
