#!/usr/bin/env node
import { CommanderError } from 'commander';
import type { Command } from 'commander';
import { EXIT } from '../spec/errors.ts';
import { isShare } from './fleet/parent.ts';
import { reportError } from './problems.ts';
import { buildProgram } from './program.ts';
import { VERSION } from './version.ts';

const isDebugging = process.argv.includes('--debug');

/** Help on an unknown command is an error: without this, the parser shows the help of all commands. */
function withKnownCommand({ commands }: Command, words: readonly string[]): readonly string[] {
  const name = words[0] === 'help' ? words[1] : words[0];
  const isKnown = commands.some((command) => command.name() === name || command.aliases().includes(name ?? ''));
  return name === undefined || name === 'help' || name.startsWith('-') || isKnown ? words : [name];
}

async function main(words: readonly string[]): Promise<number> {
  let code: number = EXIT.passed;
  try {
    const program = await buildProgram(VERSION, words, async (spec, line) => {
      const { invoke } = await import('./invoke.ts');
      code = await invoke(spec, line);
    });
    await program.parseAsync(withKnownCommand(program, words), { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.passed : EXIT.usage;
    return reportError(error, isDebugging);
  }
}

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(EXIT.passed);
});
for (const event of ['uncaughtException', 'unhandledRejection'] as const)
  process.on(event, (error: unknown) => process.exit(reportError(error, isDebugging)));
const words = isShare() ? await (await import('./fleet/standby.ts')).wordsOfShare() : process.argv.slice(2);
const code = await main(words);
// Output in the buffer is written before the process ends.
if (process.stdout.writableLength === 0) process.exit(code);
process.stdout.once('drain', () => process.exit(code));
