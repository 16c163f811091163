import { mkdir } from 'node:fs/promises';
import { AssayError, EXIT } from '../../spec/index.ts';
import type { ReportView } from '../view.ts';
import type { Format } from './format.ts';
import { allure } from './allure.ts';
import { github } from './github.ts';
import { html } from './html.ts';
import { json } from './json.ts';
import { junit } from './junit.ts';
import { markdown } from './markdown.ts';
import { sarif } from './sarif.ts';

/** Every report format; the flag `--report` and its help follow from this map. */
export const FORMATS = { html, json, junit, markdown, github, sarif, allure } as const satisfies Record<string, Format>;

export type FormatName = keyof typeof FORMATS;
export const FORMAT_NAMES = Object.keys(FORMATS).filter(isFormat);

/** Reads `html,junit` as names of formats; throws an {@link AssayError} (exit 2) for one that there is not. */
export function parseFormats(list: string): FormatName[] {
  const names = list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'console');
  return [...new Set(names)].map((name) => {
    if (isFormat(name)) return name;
    throw new AssayError(`There is no report format "${name}".`, {
      hint: `Formats: ${FORMAT_NAMES.join(', ')}.`,
      exitCode: EXIT.usage,
    });
  });
}

function isFormat(name: string): name is FormatName {
  return Object.hasOwn(FORMATS, name);
}

/** Writes the reports of these formats into `out`; resolves to the paths that were written. */
export async function writeReports(view: ReportView, names: readonly FormatName[], out: string): Promise<string[]> {
  await mkdir(out, { recursive: true });
  const written = await Promise.all(names.map((name) => FORMATS[name].write(view, out)));
  return [...new Set(written.flat())];
}
