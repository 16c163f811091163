import { join } from 'node:path';

/** The run log in a report directory. */
export const LOG_NAME = 'run.ndjson';

/** Path of the run log in `dir`. */
export function logPath(dir: string): string {
  return join(dir, LOG_NAME);
}
