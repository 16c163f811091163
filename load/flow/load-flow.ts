import { existsSync } from 'node:fs';
import { createJiti } from 'jiti';
import { isObject } from '../../spec/index.ts';
import type { FlowScenario } from './types.ts';

/** Possible scenarios of a file: its exports `scenario` and `default`, and its exports as a whole. */
export async function exportedBy(file: string): Promise<readonly unknown[]> {
  if (!existsSync(file)) return [];
  const loaded: unknown = await createJiti(import.meta.url, { fsCache: false }).import(file);
  const exported = isObject(loaded) ? (loaded as Record<string, unknown>) : {};
  // Without a default export, jiti gives the exports as a whole a second time.
  return [exported['scenario'], Object.hasOwn(exported, 'default') ? exported['default'] : undefined, loaded];
}

export function isFlow(value: unknown): value is FlowScenario {
  return isObject(value) && typeof value['flow'] === 'function';
}

export async function loadFlow(file: string): Promise<FlowScenario> {
  const found = (await exportedBy(file)).find(isFlow);
  if (found === undefined) throw new Error(`${file} exports no flow`);
  return found;
}
