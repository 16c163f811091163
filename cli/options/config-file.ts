import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isObject } from '../../spec/json.ts';
import { jsonMistake } from '../../spec/json-mistake.ts';
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

/** A mistake in a configuration file, at `line` or `line:column` where that is known. */
class ConfigError extends Error {
  readonly place: string;
  readonly hint: string;

  constructor(message: string, hint: string, place = '') {
    super(message);
    this.place = place === '' ? '' : `:${place}`;
    this.hint = hint;
  }
}

const EXPORT = 'write: export default { runs: 50 }';
const CORRECT = 'correct the file, or name another one with --config';

async function parseJson(text: string): Promise<unknown> {
  const mistake = await jsonMistake(text);
  if (mistake === undefined) return JSON.parse(text) as unknown;
  throw new ConfigError(`is not valid JSON: ${mistake.what}`, CORRECT, `${mistake.line}:${mistake.column}`);
}

/** The error in one line, without the place that its last line may name. */
function messageOf(error: unknown): string {
  const [first = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return first.trim();
}

/** The line of a file that an error is about, which its stack names. The transpiler keeps lines, but not columns. */
function lineOf(error: unknown, file: string): string | undefined {
  const [, after = ''] = (error instanceof Error ? (error.stack ?? '') : '').split(`${file}:`, 2);
  return /^\d+/u.exec(after)?.[0];
}

async function evaluate(file: string): Promise<unknown> {
  try {
    if (file.endsWith('.json')) return await parseJson(readFileSync(file, 'utf8'));
    const { createJiti } = await import('jiti');
    const jiti = createJiti(import.meta.url, { moduleCache: false, fsCache: false, alias: { assay: API } });
    const loaded = await jiti.import<Readonly<Record<string, unknown>>>(file);
    if (!('default' in loaded)) throw new ConfigError('has no default export', EXPORT);
    const content = loaded['default'];
    return typeof content === 'function' ? await (content as () => unknown)() : content;
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(`cannot be read: ${messageOf(error)}`, CORRECT, lineOf(error, file));
  }
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
  const subject = named === undefined ? basename(file) : `--config ${JSON.stringify(named)}`;
  if (!existsSync(file)) {
    problems.push({ subject, message: 'does not exist', hint: `no file at ${file}` });
    return NOTHING;
  }
  if (statSync(file).isDirectory()) {
    const inside = DEFAULT_FILES.find((name) => existsSync(join(file, name))) ?? DEFAULT_FILES[0] ?? '';
    const hint =
      named === undefined
        ? 'rename it, or name a file with --config'
        : `name a file, for example ${join(named, inside)}`;
    problems.push({ subject, message: 'is a folder', hint });
    return NOTHING;
  }
  try {
    const content = await evaluate(file);
    if (!isObject(content))
      throw file.endsWith('.json')
        ? new ConfigError('is not a JSON object', 'write: { "runs": 50 }')
        : new ConfigError('does not export an object', EXPORT);
    return readKeys(content, basename(file), problems);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    problems.push({ subject: `${basename(file)}${error.place}`, message: error.message, hint: error.hint });
    return NOTHING;
  }
}
