import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadContract } from '../loading/load.ts';
import type { Contract } from '../contract.ts';
import { escapeToken } from '../pointer.ts';
import { emptyDirectory } from './empty-directory.ts';

let folder: string | undefined;
let count = 0;

/** Writes a description (an object as JSON, text unchanged) to a folder that is removed when all tests have ended; returns its path. */
export function descriptionFile(content: unknown, name?: string): string {
  folder ??= emptyDirectory();
  count += 1;
  const path = join(folder, name ?? `${count}.yaml`);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

/** Writes a description to a file and loads it. */
export async function loadWritten(content: unknown): Promise<Contract> {
  return loadContract(descriptionFile(content));
}

/** A minimal OpenAPI document around some paths. */
export function openapi(
  paths: unknown,
  more: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  return { openapi: '3.0.4', info: { title: 'Things', version: '1' }, paths, ...more };
}

/** Loads a minimal OpenAPI document around some paths. */
export function loadPaths(paths: unknown, more: Readonly<Record<string, unknown>> = {}): Promise<Contract> {
  return loadWritten(openapi(paths, more));
}

/** Loads schemas; `judge` returns the place in the value and the keyword of each violation of the schema with that name. */
export async function loadSchemas(
  schemas: unknown,
  version = '3.0.4',
): Promise<{ readonly contract: Contract; readonly judge: (name: string, value: unknown) => readonly string[] }> {
  const contract = await loadPaths({}, { openapi: version, components: { schemas } });
  const judge = (name: string, value: unknown): readonly string[] =>
    contract
      .validate({ pointer: `/components/schemas/${escapeToken(name)}`, schema: true }, value)
      .map(({ instancePointer, keyword }) => `${instancePointer} ${keyword}`);
  return { contract, judge };
}

/** Minimal responses. */
export const OK = { 200: { description: 'ok' } } as const;
