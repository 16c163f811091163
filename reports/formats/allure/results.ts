import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { label, labels, Stage, Status } from 'allure-js-commons';
import type { TestResult } from 'allure-js-commons';
import type { RuntimeMessage } from 'allure-js-commons/sdk';
import { FileSystemWriter, ReporterRuntime } from 'allure-js-commons/sdk/reporter';
import { MessageTestRuntime, setGlobalTestRuntime } from 'allure-js-commons/sdk/runtime';
import type { TestRuntime } from 'allure-js-commons/sdk/runtime';
import { thresholdOutcomes } from '../../summary/test-outcome.ts';
import type { Summary } from '../../summary/types.ts';
import type { ReportView } from '../../view.ts';
import { describeTest } from './describe-test.ts';
import type { AllureContext } from './describe-test.ts';
import { clearOurs, listOurs } from './directory.ts';
import { CATEGORIES, environmentIn, allureOutcomes } from './outcome.ts';
import type { AllureOutcome } from './outcome.ts';

/** Writes Allure results from a log, through the public runtime of allure-js-commons. */
export async function writeResults(view: ReportView, dir: string): Promise<void> {
  clearOurs(dir);
  const writer = new UnsyncedWriter(dir);
  const runtime = new ReporterRuntime({ writer, environmentInfo: environmentIn(view.summary), categories: CATEGORIES });
  runtime.writeCategoriesDefinitions();
  runtime.writeEnvironmentInfo();
  for await (const entry of entriesOf(view)) writeEntry(runtime, entry);
  listOurs(dir, writer.names);
}

/** Does not flush each result to disk, which takes six times as long: the log has them too. */
class UnsyncedWriter extends FileSystemWriter {
  readonly names: string[] = [];
  readonly #dir: string;

  constructor(dir: string) {
    super({ resultsDir: dir });
    this.#dir = dir;
  }

  override writeResult(result: TestResult): void {
    this.writeAttachment(`${result.uuid}-result.json`, Buffer.from(JSON.stringify(result)));
  }

  override writeAttachment(name: string, content: Buffer): void {
    this.names.push(name);
    writeFileSync(join(this.#dir, name), content);
  }
}

interface Entry extends AllureOutcome {
  readonly name: string;
  readonly start: number;
  readonly durationMs: number;
  readonly messages: RuntimeMessage[];
}

function writeEntry(runtime: ReporterRuntime, entry: Entry): void {
  const { name, start, durationMs, status, statusDetails, messages } = entry;
  const uuid = runtime.startTest({ name, fullName: name, start });
  runtime.applyRuntimeMessages(uuid, messages);
  runtime.updateTest(uuid, (result) => Object.assign(result, { status, statusDetails, stage: Stage.FINISHED }));
  runtime.stopTest(uuid, { duration: durationMs });
  runtime.writeTest(uuid);
}

/** Collects what the facade reports about one test; steps have the time of the test, not of the rendering. */
class Collector extends MessageTestRuntime {
  readonly messages: RuntimeMessage[] = [];
  readonly #start: number;

  constructor(start: number) {
    super();
    this.#start = start;
  }

  override sendMessage(message: RuntimeMessage): Promise<void> {
    if (message.type === 'step_start') message.data.start = this.#start;
    if (message.type === 'step_stop') message.data.stop = this.#start;
    if (message.type === 'attachment_content') delete message.data.wrapInStep;
    this.messages.push(message);
    return Promise.resolve();
  }
}

async function collect(start: number, describe: () => Promise<void>): Promise<RuntimeMessage[]> {
  const collector = new Collector(start);
  setGlobalTestRuntime(collector as TestRuntime);
  await label('framework', 'vitest');
  await describe();
  return collector.messages;
}

async function* entriesOf({ tests, summary }: ReportView): AsyncGenerator<Entry> {
  const context = contextOf(summary);
  const outcomeOf = allureOutcomes(summary);
  for (const test of tests) {
    const start = Date.parse(test.startedAt);
    const messages = await collect(start, () => describeTest(test, context));
    yield { name: test.name, start, durationMs: test.durationMs, messages, ...outcomeOf(test) };
  }
  yield* thresholdEntries(summary);
}

export function contextOf({ spec, operations, requirements }: Summary): AllureContext {
  return {
    title: spec.title,
    source: spec.source,
    sections: Object.fromEntries(operations.map(({ id, section }) => [id, section])),
    requirements: Object.fromEntries(requirements.map(({ id, grade, section }) => [id, { grade, section }])),
  };
}

async function* thresholdEntries(summary: Summary): AsyncGenerator<Entry> {
  const { spec, startedAt, durationMs } = summary;
  const start = Date.parse(startedAt);
  for (const { scenario, expression, passed, message } of thresholdOutcomes(summary)) {
    const described = [
      { name: 'epic', value: spec.title },
      { name: 'feature', value: 'Load' },
      { name: 'story', value: scenario },
    ];
    const messages = await collect(start, async () => labels(...described));
    const status = passed ? Status.PASSED : Status.FAILED;
    yield { name: expression, start, durationMs, messages, status, statusDetails: passed ? {} : { message } };
  }
}
