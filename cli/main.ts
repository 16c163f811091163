#!/usr/bin/env node
import { CommanderError } from 'commander';
import { EXIT } from '../spec/errors.ts';
import { buildProgram } from './program.ts';
import { tellFailure } from './failure.ts';
import { VERSION } from './version.ts';

async function main(words: readonly string[]): Promise<number> {
  const debug = words.includes('--debug');
  let code: number = EXIT.passed;
  try {
    const program = buildProgram(VERSION, async (spec, line) => {
      const { invoke } = await import('./invoke.ts');
      code = await invoke(spec, line);
    });
    await program.parseAsync(words, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.passed : EXIT.usage;
    return tellFailure(error, debug);
  }
}

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(EXIT.passed);
});
for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (error: unknown) => process.exit(tellFailure(error, process.argv.includes('--debug'))));
}
process.exit(await main(process.argv.slice(2)));
