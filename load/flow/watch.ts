import { knowledgeFor } from '../../domain/index.ts';
import { isSuccess } from '../../spec/index.ts';
import type { Intent, Journal, JournalEntry } from '../../client/index.ts';
import type { SlicePart } from '../engines/messages.ts';
import type { Measurement, SliceView } from '../measurement.ts';
import type { CommonOptions } from '../options.ts';
import type { FlowJob } from './job.ts';

/** Number of errors of the scenario that end a run without a completed iteration. */
const HOPELESS = 20;

/** Watches a flow: writes created items to the journal, and detects a flow that always throws. */
export class FlowWatch {
  isHopeless = false;
  readonly #intents: readonly Intent[];
  readonly #journal: Journal;
  #entries: readonly JournalEntry[] = [];
  /** Served requests by operation. */
  readonly #served = new Map<string, number>();
  /** Operations of which a request may have been served without an answer. */
  readonly #uncertain = new Set<string>();
  #isInterrupted = false;

  constructor({ tag, effects }: FlowJob, { contract, fixtures, journal }: CommonOptions) {
    this.#journal = journal;
    this.#intents = knowledgeFor(contract, fixtures).resources.flatMap(({ create, remove, list, idName }) => {
      if (list === undefined || !effects.includes(create.effect)) return [];
      return [{ create: create.id, remove: remove.id, list: list.id, idName, tag }];
    });
  }

  /** Writes what the flow may create to the journal: one entry finds all items of a kind by their tag. */
  async begin(): Promise<void> {
    this.#entries = await Promise.all(this.#intents.map((intent) => this.#journal.intend(intent)));
    for (const entry of this.#entries) this.#journal.standsFor(entry, 0);
  }

  add(view: SliceView, { whole: { flow } }: Measurement): void {
    const mistakes = flow.mistakes.reduce((sum, [, count]) => sum + count, 0);
    this.isHopeless ||= mistakes >= HOPELESS && flow.completed === 0;
    this.#isInterrupted = flow.interrupted > 0;
    for (const part of view.parts) {
      const operation = part.named ?? part.operation;
      this.#served.set(operation, this.#servedOf(operation) + servedOf(part));
      if (isUncertain(part)) this.#uncertain.add(operation);
    }
  }

  /** The flow has ended: it may have removed a part of what it created itself. */
  async settled(): Promise<void> {
    for (const entry of this.#entries) {
      const created = this.#servedOf(entry.create);
      const isSure = !this.#isInterrupted && !this.#uncertain.has(entry.create);
      if (created === 0 && isSure) await this.#journal.cancelled(entry);
      else this.#journal.standsFor(entry, created);
      if (created > 0) await this.#journal.expects(entry, Math.max(0, created - this.#servedOf(entry.remove)));
    }
  }

  #servedOf(operation: string): number {
    return this.#served.get(operation) ?? 0;
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
