import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Ends an iteration: a request was not answered as expected, or the run is over. Not the scenario's fault. */
export class IterationEnd extends Error {}

/** Where in the scenario an error comes from: `my-flow.ts:12:18`; undefined where its stack does not show it. */
function placeOf(stack: string, file: string): string | undefined {
  for (const line of stack.split('\n')) {
    const [, place, row, column] =
      /\(?((?:file:\/\/)?\/?[^():]+(?::\\[^():]+)?):(\d+):(\d+)\)?$/.exec(line.trim()) ?? [];
    if (place === undefined) continue;
    const path = place.replace(/^(?:async |at )+/, '');
    const plain = path.startsWith('file://') ? fileURLToPath(path) : path;
    if (plain.endsWith(file)) return `${basename(file)}:${row}:${column}`;
  }
  return undefined;
}

/** One line for an error that a flow threw, with the place in its file. */
export function mistakeText(error: unknown, file: string): string {
  if (!(error instanceof Error)) return `${basename(file)}: ${String(error)}`;
  const place = placeOf(error.stack ?? '', file) ?? basename(file);
  return `${place}: ${error.name}: ${error.message.split('\n')[0]}`;
}
