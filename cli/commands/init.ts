import { existsSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { makeFolder } from '../../spec/make-folder.ts';
import { credentialVariable } from '../../client/index.ts';
import { EXIT, loadContract } from '../../spec/index.ts';
import { baselineText, USUAL_DIR } from '../../reports/index.ts';
import { COMMAND } from '../command-name.ts';
import type { OptionOf } from '../catalogue.ts';
import { findConfig } from '../options/config-file.ts';
import type { Invocation } from '../invocation.ts';
import { baseUrl as baseUrlKind, choice } from '../options/kinds.ts';
import type { OptionKind } from '../options/kinds.ts';
import { flagOf } from '../options/spec.ts';
import { refuse } from '../problems.ts';
import { BASELINE, configText, PIPELINE_NAMES, PIPELINES, TOKEN_VARIABLES } from '../text/init.ts';

/** The configuration that exists under any of its names, else the one to write. */
const configIn = (directory: string): string => basename(findConfig(directory, undefined) ?? 'assay.config.ts');

/** The file for a pipeline: one that exists is left as it is where it can include another one. */
function pipelineIn(directory: string, name: keyof typeof PIPELINES): string {
  const { file, included = file } = PIPELINES[name];
  return existsSync(join(directory, file)) ? included : file;
}

/** Ctrl-C or the end of the input at a question. */
class Cancelled extends Error {}

type Ask = <T>(question: string, kind: OptionKind<T>, fallback?: string) => Promise<T>;

/** Asks until the answer is valid; an empty answer is the fallback. */
async function withQuestions<T>(use: (ask: Ask) => Promise<T>, signal: AbortSignal): Promise<T> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const ask: Ask = async (question, kind, fallback) => {
    const answer = await terminal.question(`${question}${fallback === undefined ? '' : ` [${fallback}]`}: `, {
      signal,
    });
    const parsed = kind.parse([answer.trim() === '' ? (fallback ?? '') : answer.trim()]);
    if ('value' in parsed) return parsed.value;
    process.stdout.write(`  ${parsed.message}; ${parsed.hint}\n`);
    return ask(question, kind, fallback);
  };
  const cancelled = new Promise<never>((_resolve, reject) => {
    for (const event of ['SIGINT', 'close'] as const) terminal.once(event, () => reject(new Cancelled()));
  });
  cancelled.catch(() => undefined);
  try {
    return await Promise.race([use(ask), cancelled]);
  } finally {
    terminal.close();
  }
}

type InitInvocation = Invocation<OptionOf<'init'>>;

/** Writes a configuration and a pipeline; prompts for missing values on a terminal, and overwrites nothing. */
export async function init(invocation: InitInvocation): Promise<number> {
  const { problems, directory, isSet, settings } = invocation;
  const asks = process.stdin.isTTY && process.stdout.isTTY;
  if (!isSet('baseUrl') && !asks)
    problems.push({ subject: '--base-url', message: 'is missing', hint: 'give the part of the URL before /api/…' });
  const chosen = PIPELINE_NAMES.filter((name) => name === settings.ci);
  const pipelines = chosen.flatMap((name) => (name === 'none' ? [] : pipelineIn(directory, name)));
  // A pipeline can be added to a configuration that exists, which stays as it is.
  const files = pipelines.length === 0 ? [configIn(directory)] : pipelines;
  for (const file of files.filter((each) => existsSync(join(directory, each))))
    problems.push({ subject: file, message: 'already exists', hint: 'edit it: init overwrites nothing' });
  refuse(problems, 'nothing was written');
  try {
    return await writeFiles(invocation, asks);
  } catch (error) {
    if (!(error instanceof Cancelled)) throw error;
    process.stdout.write('\nNothing was written.\n');
    return EXIT.interrupted;
  }
}

/** Tokens besides the first one are optional. */
const required = (secrets: readonly string[]): string =>
  secrets.filter((name) => name === TOKEN_VARIABLES[0] || !TOKEN_VARIABLES.includes(name)).join(', ');

/** The variables of the tokens and credentials that the operations of a description take. Throws for an invalid description. */
async function secretsOf(spec: string | undefined): Promise<readonly string[]> {
  if (spec === undefined) return TOKEN_VARIABLES;
  const { operations } = await loadContract(spec);
  const schemes = operations.flatMap(({ security = [] }) => security.flat());
  const own = schemes.filter(({ takesToken }) => !takesToken).map(({ name }) => credentialVariable(name));
  const needsToken = schemes.some(({ takesToken }) => takesToken) || operations.some(({ security }) => !security);
  return [...(needsToken ? TOKEN_VARIABLES : []), ...new Set(own)];
}

/** Asks for what is missing, and writes the files. */
async function writeFiles({ settings, directory, signal, isFlag }: InitInvocation, asks: boolean): Promise<number> {
  const answers = asks
    ? await withQuestions(
        async (ask) => ({
          baseUrl: settings.baseUrl ?? (await ask('Base URL of the deployment, before /api/…', baseUrlKind)),
          ci:
            settings.ci ?? (await ask('Pipeline: github, gitlab or none', choice(PIPELINE_NAMES, 'pipeline'), 'none')),
        }),
        signal,
      )
    : { baseUrl: settings.baseUrl ?? '', ci: settings.ci ?? ('none' as const) };
  const { baseUrl, ci } = answers;
  const { spec, allow = ['read'] as const } = settings;
  const secrets = await secretsOf(spec);
  const config = configIn(directory);
  const pipeline = ci === 'none' ? undefined : { file: pipelineIn(directory, ci), text: PIPELINES[ci].text(secrets) };
  const files = [
    { file: config, text: configText({ baseUrl, spec, allow, secrets }) },
    ...(pipeline === undefined ? [] : [pipeline, { file: BASELINE, text: baselineText({ entries: [] }) }]),
  ];
  const ignored = (['baseUrl', 'spec', 'allow'] as const).filter(isFlag).map(flagOf);
  for (const { file, text } of files) {
    if (existsSync(join(directory, file))) {
      const without = file === config && ignored.length > 0 ? `; not written to it: ${ignored.join(', ')}` : '';
      process.stdout.write(`kept ${file} as it is${without}\n`);
      continue;
    }
    makeFolder(dirname(join(directory, file)));
    writeFileSync(join(directory, file), text);
    process.stdout.write(`wrote ${file}\n`);
  }
  process.stdout.write(`Keep .env and ${USUAL_DIR}/ out of the repository: add both to .gitignore.\n`);
  process.stdout.write(
    `\n${secrets.length === 0 ? 'Check' : `Set ${required(secrets)}, then check`} the deployment and run the tests:\n  ${COMMAND} doctor\n  ${COMMAND} verify\n`,
  );
  if (ci === 'none' || pipeline === undefined) return EXIT.passed;
  if (pipeline.file === PIPELINES[ci].included)
    process.stdout.write(
      `\nAdd this line to ${PIPELINES[ci].file}; if it has an include already, add the entry there:\n  include: { local: ${pipeline.file} }\n`,
    );
  process.stdout.write(
    `\nIn the pipeline, set the variable ASSAY_PACKAGE to the package to install${secrets.length === 0 ? '' : `, and the secrets ${secrets.join(', ')}`}.\n` +
      `Known findings must not fail it: record them, and commit ${BASELINE}:\n  ${COMMAND} verify --seed 1 --depth thorough --baseline ${BASELINE} --update-baseline\n`,
  );
  return EXIT.passed;
}
