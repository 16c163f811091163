import { CommanderError } from 'commander';
import type { Command } from 'commander';
import { EXIT } from '../spec/errors.ts';
import { setDebugging } from './debugging.ts';
import { reportError } from './problems.ts';
import { buildProgram } from './program.ts';
import { VERSION } from './version.ts';

/** Help on an unknown command is an error: without this, the parser shows the help of all commands. */
function withKnownCommand({ commands }: Command, words: readonly string[]): readonly string[] {
  const name = words[0] === 'help' ? words[1] : words[0];
  const isKnown = commands.some((command) => command.name() === name || command.aliases().includes(name ?? ''));
  return name === undefined || name === 'help' || name.startsWith('-') || isKnown ? words : [name];
}

/** Runs a command line, reports its error, and resolves to the exit code. */
export async function runLine(words: readonly string[]): Promise<number> {
  setDebugging(words.includes('--debug'));
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
    return reportError(error);
  }
}
