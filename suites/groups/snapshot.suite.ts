import { loadSuites } from '../kit/load-suites.ts';
import { SNAPSHOT } from './suites.ts';

await loadSuites([SNAPSHOT]);
