import { readFileSync } from 'node:fs';

interface Package {
  readonly name?: string;
  readonly version?: string;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

function read(): Package {
  for (const path of ['../package.json', '../../package.json']) {
    try {
      const content = JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as Package;
      if (content.name === 'assay') return content;
    } catch {
      continue;
    }
  }
  return {};
}

/** The package.json above the sources, or above `dist/`. */
const { version = '0.0.0', peerDependencies = {} } = read();

export const VERSION = version;

export const PEERS = peerDependencies;
