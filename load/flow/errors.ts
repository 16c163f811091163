import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { count } from '../../spec/count.ts';
import { usageError } from '../../spec/index.ts';
import type { AssayError, ScenarioRecord } from '../../spec/index.ts';

/** Ends an iteration that is not an error of the scenario: an unexpected response, or the end of the run. */
export class IterationEnd extends Error {}

/** The line of an error in the scenario, such as `my-flow.ts:12`; undefined if its stack does not show it. The transpiler keeps lines, but not columns. */
function placeOf(stack: string, file: string): string | undefined {
  for (const line of stack.split('\n')) {
    const [, place, row] = /\(?((?:file:\/\/)?\/?[^():]+(?::\\[^():]+)?):(\d+):\d+\)?$/.exec(line.trim()) ?? [];
    if (place === undefined) continue;
    const path = place.replace(/^(?:async |at )+/, '');
    const plain = path.startsWith('file://') ? fileURLToPath(path) : path;
    if (plain.endsWith(file)) return `${basename(file)}:${row}`;
  }
  return undefined;
}

/** One line for an error that a flow threw, with its place in the file. */
export function mistakeText(error: unknown, file: string): string {
  if (!(error instanceof Error)) return `${basename(file)}: ${String(error)}`;
  const place = placeOf(error.stack ?? '', file) ?? basename(file);
  return `${place}: ${error.name}: ${error.message.split('\n')[0]}`;
}

/** True if the stack of an error shows the file. */
export function isThrownIn(error: unknown, file: string): boolean {
  return error instanceof Error && placeOf(error.stack ?? '', file) !== undefined;
}

/** One line for an error that a flow did not wait for. */
export function strayText(error: unknown, file: string): string {
  if (error instanceof IterationEnd) return `${basename(file)}: a request without await failed: ${error.message}`;
  return `${mistakeText(error, file)} (in work that the flow did not await)`;
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
