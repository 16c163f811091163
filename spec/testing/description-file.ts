import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { loadContract } from '../load/load.ts';
import type { Contract } from '../contract.ts';

let folder: string | undefined;
let count = 0;

afterAll(() => {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

/** Writes a description (an object as JSON, text unchanged) to a folder that is removed after the test file; returns its path. */
export function descriptionFile(content: unknown, name?: string): string {
  folder ??= mkdtempSync(join(tmpdir(), 'assay-spec-'));
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

/** Minimal responses. */
export const OK = { 200: { description: 'ok' } } as const;
