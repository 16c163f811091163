import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { usageError } from '../spec/errors.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

/** The variables of `.env` in a directory; none where there is no such file. Throws an AssayError (exit 2) for one that cannot be read. */
export function readDotEnv(directory: string): Variables {
  const file = join(directory, '.env');
  try {
    return existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {};
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException;
    const what = code === 'EISDIR' ? 'is a folder' : `cannot be read (${code})`;
    throw usageError(
      `${file} ${what}.`,
      'Assay reads variables from a file of this name: rename the folder, or make the file readable.',
      cause,
    );
  }
}
