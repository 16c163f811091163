import { loadSuites } from '../kit/load-suites.ts';
import { LISTS } from './first-pass.ts';

await loadSuites(LISTS);
