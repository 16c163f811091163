import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Status } from 'allure-js-commons';
import { ReporterRuntime } from 'allure-js-commons/sdk/reporter';
import type { Category } from 'allure-js-commons/sdk';
import AllureVitestReporter from 'allure-vitest/reporter';
import type { Summary } from '../../summary/types.ts';
import type { ReportView } from '../../view.ts';
import { clearOurs, listOurs } from './directory.ts';
import { tasksOf } from './task.ts';
import type { LogTask } from './task.ts';

/** Characters of exchanges that are attached to tests which passed; those of findings always are. */
const EVIDENCE = 20_000_000;

const CATEGORIES: Category[] = [
  { name: 'Broken promises', matchedStatuses: [Status.FAILED] },
  { name: 'Tests that could not be judged', matchedStatuses: [Status.BROKEN] },
  { name: 'Known findings', matchedStatuses: [Status.SKIPPED], messageRegex: '^known: .*' },
  { name: 'Not tried', matchedStatuses: [Status.SKIPPED] },
];

/** The part of allure-vitest's reporter that a log is given to. */
interface TaskReporter {
  onInit(vitest: { readonly projects: readonly unknown[] }): void;
  handleTask(task: Pick<LogTask, 'type' | 'name' | 'mode'> & { readonly meta: object }): void;
}

/**
 * Writes Allure results through allure-vitest's own reporter, which is given the log's tests as the tasks that it reads from Vitest.
 * That is the one way that serves a run, a killed run and merged shards alike, keeps the true times, and starts no second Vitest
 * (a suite that replays the log took seconds more for 5,000 tests and had to mend every start and stop afterwards).
 */
export function writeResults(view: ReportView, dir: string): number {
  clearOurs(dir);
  let current: LogTask | undefined;
  const reporter = new AllureVitestReporter({
    resultsDir: dir,
    environmentInfo: environment(view.summary),
    categories: CATEGORIES,
    listeners: [
      {
        beforeTestResultWrite(result) {
          if (current?.skipReason !== undefined) result.statusDetails = { message: current.skipReason };
        },
      },
    ],
  });
  const sink: TaskReporter = reporter;
  sink.onInit({ projects: [] });
  const names: string[] = [];
  writeFast(reporter, dir, names);
  let count = 0;
  for (const task of tasksOf(view, EVIDENCE)) {
    current = task;
    sink.handleTask(task);
    count += 1;
  }
  listOurs(dir, names);
  return count;
}

/** The results can be written again from the log at any time, so they need not reach the disk one by one (an fsync each: six times slower). */
function writeFast(reporter: object, dir: string, names: string[]): void {
  const runtime: unknown = Reflect.get(reporter, 'allureReporterRuntime');
  if (!(runtime instanceof ReporterRuntime)) return;
  const write = (name: string, content: string | Buffer): void => {
    names.push(name);
    writeFileSync(join(dir, name), content);
  };
  const { writer } = runtime;
  runtime.writer = Object.assign(writer, {
    writeResult: (result: { uuid: string }) => write(`${result.uuid}-result.json`, JSON.stringify(result)),
    writeAttachment: write,
  });
}

function environment(summary: Summary): Record<string, string> {
  const { target, spec, seed, version } = summary;
  return { target: target.baseUrl, description: spec.title, seed: String(seed), assay: version, node: process.version };
}
