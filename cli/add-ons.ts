import { createRequire } from 'node:module';
import type { Problem } from './problems.ts';
import { PEERS } from './version.ts';

/** Optional peer dependencies, by the options that need them. */
const ADD_ONS = { metrics: /^@opentelemetry\//u, data: /^lmdb$/u } as const;

const { resolve } = createRequire(import.meta.url);

function isMissing(name: string): boolean {
  try {
    resolve(name);
    return false;
  } catch {
    return true;
  }
}

/** Adds a problem where packages of an add-on are missing. */
export function requireAddOn(addOn: keyof typeof ADD_ONS, subject: string, problems: Problem[]): void {
  const packages = Object.entries(PEERS).filter(([name]) => ADD_ONS[addOn].test(name));
  if (!packages.some(([name]) => isMissing(name))) return;
  problems.push({
    subject,
    message:
      packages.length > 1 ? 'needs packages that are not installed' : `needs the package ${packages[0]?.[0] ?? ''}`,
    hint: `npm install --save-dev ${packages.map(([name, version]) => `${name}@${version}`).join(' ')}`,
  });
}
