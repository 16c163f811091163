import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type * as suites from '../index.ts';

const FILE = join(fileURLToPath(new URL('../../', import.meta.url)), 'dist/suites/index.js');

/** The suites as they are built. From the sources, Vite would transform some 300 modules for each run. */
export const { patternsWithoutTests, runSuites } = (await import(pathToFileURL(FILE).href)) as typeof suites;
