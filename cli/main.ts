#!/usr/bin/env node
import { EXIT } from '../spec/errors.ts';
import { isShare } from './fleet/parent.ts';
import { reportError } from './problems.ts';
import { runLine } from './run-line.ts';

const isDebugging = process.argv.includes('--debug');

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(EXIT.passed);
});
for (const event of ['uncaughtException', 'unhandledRejection'] as const)
  process.on(event, (error: unknown) => process.exit(reportError(error, isDebugging)));
const words = isShare() ? await (await import('./fleet/standby.ts')).wordsOfShare() : process.argv.slice(2);
const code = await runLine(words, isDebugging);
// Output in the buffer is written before the process ends.
if (process.stdout.writableLength === 0) process.exit(code);
process.stdout.once('drain', () => process.exit(code));
