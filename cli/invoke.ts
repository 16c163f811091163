import type { Command } from 'commander';
import { setDebugging } from './debugging.ts';
import { isShare } from './fleet/parent.ts';
import { listenForInterrupt } from './interrupt.ts';
import { commandLineSource, operandsOf } from './options/command-line.ts';
import { configSource } from './options/config-file.ts';
import { readDotEnv } from './dot-env.ts';
import { environmentSource, variableWarnings } from './options/environment.ts';
import { resolve, SECRET_OPTIONS } from './options/resolve.ts';
import { optionSpec } from './options/table.ts';
import { variableOf } from './options/spec.ts';
import { wrapLines } from './text/print.ts';
import { keepSecret } from './secrets.ts';
import type { CommandSpec } from './invocation.ts';
import type { Problem } from './problems.ts';
import type { Source } from './options/resolve.ts';

function learnSecrets(sources: readonly Source[]): void {
  const given = sources.flatMap((source) =>
    SECRET_OPTIONS.map((name) => ({ name, texts: source.get(name)?.texts ?? [] })),
  );
  for (const { name, texts } of given) {
    const parsed = optionSpec(name).kind.parse(texts);
    for (const text of 'value' in parsed ? [...texts, String(parsed.value)] : texts) keepSecret(text, variableOf(name));
  }
}

/** Runs a command with the settings of the command line, the environment, `.env` and the configuration file. */
export async function invoke(spec: CommandSpec, line: Command): Promise<number> {
  const problems: Problem[] = [];
  const directory = process.cwd();
  const flags = commandLineSource(line, spec.options);
  const dotEnv = readDotEnv(directory);
  if (!isShare())
    for (const text of variableWarnings(process.env, dotEnv)) process.stderr.write(`${wrapLines(text)}\n`);
  const sources = [
    flags,
    environmentSource(process.env, dotEnv),
    await configSource(directory, flags.get('config')?.texts.at(-1), problems),
  ];
  learnSecrets(sources);
  const settings = resolve(spec.options, sources, problems);
  setDebugging(settings.debug);
  const operands = operandsOf(line, spec, problems);
  const run = await spec.load();
  const interrupt = listenForInterrupt(!isShare());
  try {
    return await run({
      settings,
      operands,
      problems,
      directory,
      signal: interrupt.signal,
      isFlag: (name) => flags.has(name),
      isSet: (name) => sources.some((source) => source.has(name)),
    });
  } finally {
    interrupt.stop();
  }
}
