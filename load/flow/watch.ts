import { knowledgeFor } from '../../domain/index.ts';
import { AssayError, EXIT } from '../../spec/index.ts';
import type { ScenarioRecord } from '../../spec/index.ts';
import type { Measurement, SliceView } from '../measurement.ts';
import type { CommonOptions } from '../options.ts';
import type { FlowJob } from './job.ts';

/** So many errors of the scenario, and no completed iteration, end the run. */
const HOPELESS = 20;

/** Watches a flow: writes to the journal what it creates, and notices that it cannot work. */
export class FlowWatch {
  isHopeless = false;
  readonly #creates: Map<string, () => Promise<unknown>>;
  readonly #writing: Promise<unknown>[] = [];

  constructor({ tag }: FlowJob, { contract, fixtures, journal }: CommonOptions) {
    const { resources } = knowledgeFor(contract, fixtures);
    this.#creates = new Map(
      resources.flatMap(({ create, remove, list, idName }) => {
        if (list === undefined) return [];
        const intent = { create: create.id, remove: remove.id, list: list.id, idName, tag };
        return [[create.id, () => journal.intend(intent)] as const];
      }),
    );
  }

  add(view: SliceView, { whole: { flow } }: Measurement): void {
    const mistakes = flow.mistakes.reduce((sum, [, count]) => sum + count, 0);
    this.isHopeless ||= mistakes >= HOPELESS && flow.completed === 0;
    for (const { operation, answered } of view.parts) {
      const write = answered > 0 ? this.#creates.get(operation) : undefined;
      if (write === undefined) continue;
      this.#creates.delete(operation);
      this.#writing.push(write());
    }
  }

  async settled(): Promise<void> {
    await Promise.all(this.#writing);
  }
}

/** A scenario that fails by itself has measured nothing that counts. */
export function flowError({ name, detail }: ScenarioRecord): AssayError | undefined {
  const [first] = detail?.flow?.mistakes ?? [];
  if (first === undefined) return undefined;
  return new AssayError(`The scenario ${name} has an error, thrown ${first.count} times: ${first.text}.`, {
    hint: 'The error is in the flow, not in the target: fix that line. Use check() to test the content of responses.',
    exitCode: EXIT.usage,
  });
}
