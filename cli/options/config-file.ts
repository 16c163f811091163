import { existsSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isObject } from '../../spec/index.ts';
import { didYouMean } from '../nearest.ts';
import { OPTION_NAMES, optionSpec } from './table.ts';
import type { Problem } from '../problems.ts';
import type { OptionName } from './table.ts';
import type { Given, Source } from './sources.ts';

const DEFAULT_FILES = ['assay.config.ts', 'assay.config.js', 'assay.config.mjs', 'assay.config.json'];

const NOTHING: Source = new Map();

/** The file that was named, else the first of the default names that exists. */
export function findConfig(directory: string, named: string | undefined): string | undefined {
  if (named !== undefined) return resolve(directory, named);
  return DEFAULT_FILES.map((name) => join(directory, name)).find((file) => existsSync(file));
}

/** What `import … from 'assay'` in a configuration means, wherever Assay is installed. */
const API = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '../api.ts' : '../api.js', import.meta.url));

async function evaluate(file: string): Promise<unknown> {
  if (file.endsWith('.json')) return JSON.parse(readFileSync(file, 'utf8')) as unknown;
  const { createJiti } = await import('jiti');
  const loaded = await createJiti(import.meta.url, { moduleCache: false, alias: { assay: API } }).import(file, {
    default: true,
  });
  return typeof loaded === 'function' ? await (loaded as () => unknown)() : loaded;
}

function asTexts(value: unknown): readonly string[] | undefined {
  if (['string', 'number', 'boolean'].includes(typeof value)) return [String(value)];
  if (!Array.isArray(value)) return undefined;
  const parts = value.map((part) => asTexts(part)?.[0]);
  return parts.every((part) => part !== undefined) ? parts : undefined;
}

function readKey(key: string, value: unknown, file: string): Given | Problem {
  const thing = `${key} in ${file}`;
  const known = OPTION_NAMES.filter((name) => optionSpec(name).flagOnly !== true);
  if (!known.some((name) => name === key))
    return {
      thing,
      wrong: 'is no key of the configuration',
      mend: didYouMean(key, known) || `Known: ${known.join(', ')}.`,
    };
  const texts = asTexts(value);
  return texts === undefined
    ? { thing, wrong: 'is no text, number, true, false or list of them', mend: 'see docs/configuration.md' }
    : { texts, thing };
}

function readKeys(content: Readonly<Record<string, unknown>>, file: string, problems: Problem[]): Source {
  const source = new Map<OptionName, Given>();
  for (const [key, value] of Object.entries(content)) {
    if (value === undefined || value === null) continue;
    const read = readKey(key, value, file);
    if ('wrong' in read) problems.push(read);
    else source.set(key as OptionName, read);
  }
  return source;
}

/** Options out of a configuration file; its mistakes are added to `problems`. */
export async function configSource(directory: string, named: string | undefined, problems: Problem[]): Promise<Source> {
  const file = findConfig(directory, named);
  if (file === undefined) return NOTHING;
  if (!existsSync(file)) {
    problems.push({ thing: `--config ${JSON.stringify(named)}`, wrong: 'does not exist', mend: `looked for ${file}` });
    return NOTHING;
  }
  try {
    const content = await evaluate(file);
    if (isObject(content)) return readKeys(content, basename(file), problems);
    problems.push({ thing: basename(file), wrong: 'exports no object', mend: 'export the settings as the default' });
  } catch (error) {
    problems.push({
      thing: basename(file),
      wrong: 'cannot be read',
      mend: error instanceof Error ? error.message : String(error),
    });
  }
  return NOTHING;
}
