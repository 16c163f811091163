import { loadSuites } from '../kit/load-suites.ts';
import { REQUESTS } from './first-pass.ts';

await loadSuites(REQUESTS);
