import { existsSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isObject } from '../../spec/json.ts';
import { didYouMean } from '../../spec/nearest.ts';
import { OPTION_NAMES, optionSpec } from './table.ts';
import type { Problem } from '../problems.ts';
import type { OptionName } from './table.ts';
import type { Given, Source } from './resolve.ts';

const DEFAULT_FILES = ['assay.config.ts', 'assay.config.js', 'assay.config.mjs', 'assay.config.json'];

const NOTHING: Source = new Map();

/** The named file, else the first default name that exists. */
export function findConfig(directory: string, named: string | undefined): string | undefined {
  if (named !== undefined) return resolve(directory, named);
  return DEFAULT_FILES.map((name) => join(directory, name)).find((file) => existsSync(file));
}

/** The module for `import … from 'assay'` in a configuration, wherever Assay is installed. */
const API = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '../api.ts' : '../api.js', import.meta.url));

async function evaluate(file: string): Promise<unknown> {
  if (file.endsWith('.json')) return JSON.parse(readFileSync(file, 'utf8')) as unknown;
  const { createJiti } = await import('jiti');
  const loaded = await createJiti(import.meta.url, {
    moduleCache: false,
    fsCache: false,
    alias: { assay: API },
  }).import(file, { default: true });
  return typeof loaded === 'function' ? await (loaded as () => unknown)() : loaded;
}

function asTexts(value: unknown): readonly string[] | undefined {
  if (['string', 'number', 'boolean'].includes(typeof value)) return [String(value)];
  if (!Array.isArray(value)) return undefined;
  const parts = value.map((part) => asTexts(part)?.[0]);
  return parts.every((part) => part !== undefined) ? parts : undefined;
}

function asJson(value: unknown): readonly string[] | undefined {
  const text = JSON.stringify(value);
  return text === undefined ? undefined : [text];
}

function readKey(key: string, value: unknown, file: string): Given | Problem {
  const subject = `${key} in ${file}`;
  const known = OPTION_NAMES.filter((name) => optionSpec(name).flagOnly !== true);
  if (!known.some((name) => name === key))
    return {
      subject,
      message: 'is not a configuration key',
      hint: didYouMean(key, known) || `known keys: ${known.join(', ')}`,
    };
  const texts = optionSpec(key as OptionName).fileOnly === true ? asJson(value) : asTexts(value);
  return texts === undefined
    ? { subject, message: 'is not a string, number, boolean or list of these', hint: 'see docs/configuration.md' }
    : { texts, subject };
}

function readKeys(content: Readonly<Record<string, unknown>>, file: string, problems: Problem[]): Source {
  const source = new Map<OptionName, Given>();
  for (const [key, value] of Object.entries(content)) {
    if (value === undefined || value === null) continue;
    const read = readKey(key, value, file);
    if ('message' in read) problems.push(read);
    else source.set(key as OptionName, read);
  }
  return source;
}

/** Options of a configuration file; its mistakes are added to `problems`. */
export async function configSource(directory: string, named: string | undefined, problems: Problem[]): Promise<Source> {
  const file = findConfig(directory, named);
  if (file === undefined) return NOTHING;
  if (!existsSync(file)) {
    problems.push({
      subject: `--config ${JSON.stringify(named)}`,
      message: 'does not exist',
      hint: `no file at ${file}`,
    });
    return NOTHING;
  }
  try {
    const content = await evaluate(file);
    if (isObject(content)) return readKeys(content, basename(file), problems);
    problems.push({
      subject: basename(file),
      message: 'does not export an object',
      hint: 'export the settings as the default export',
    });
  } catch (error) {
    problems.push({
      subject: basename(file),
      message: 'cannot be read',
      hint: (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/gu, ' '),
    });
  }
  return NOTHING;
}
