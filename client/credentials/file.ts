import { readFile } from 'node:fs/promises';
import { usageError } from '../../spec/index.ts';
import { parseToken } from './issued.ts';
import type { IssuedToken } from './issued.ts';
import type { FileSource } from './source.ts';

export async function tokenOfFile({ file }: FileSource, name: string): Promise<IssuedToken> {
  const refuse = (what: string, cause?: unknown): never => {
    throw usageError(
      `The file ${file} of ${name} ${what}.`,
      'It has to hold the token alone, or JSON with "token" and, if known, "expiresAt".',
      cause,
    );
  };
  const text = await readFile(file, 'utf8').catch((cause: unknown) => refuse('cannot be read', cause));
  return parseToken(text) ?? refuse('holds no token');
}
