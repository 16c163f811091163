#!/usr/bin/env node
import { isShare } from './fleet/parent.ts';
import { reportError } from './problems.ts';
import { runLine } from './run-line.ts';

// A reader such as head that has seen enough must not end a run: it cleans up, writes its reports and ends with its exit code.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') stream.write = () => true;
  });
for (const event of ['uncaughtException', 'unhandledRejection'] as const)
  process.on(event, (error: unknown) => process.exit(reportError(error)));
const words = isShare() ? await (await import('./fleet/standby.ts')).wordsOfShare() : process.argv.slice(2);
const code = await runLine(words);
// Output in the buffer is written before the process ends.
if (process.stdout.writableLength === 0 || process.stdout.destroyed) process.exit(code);
process.stdout.once('drain', () => process.exit(code));
