import { loadSuites } from '../kit/load-suites.ts';
import { ITEMS } from './first-pass.ts';

await loadSuites(ITEMS);
