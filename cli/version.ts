import { readFileSync } from 'node:fs';

function read(): string {
  for (const path of ['../package.json', '../../package.json']) {
    try {
      const content = JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as {
        name?: string;
        version?: string;
      };
      if (content.name === 'assay') return content.version ?? '0.0.0';
    } catch {
      continue;
    }
  }
  return '0.0.0';
}

/** Version of the package, from source as from `dist/`. */
export const VERSION = read();
