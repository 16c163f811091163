import { loadFailedBefore } from '../kit/load-suites.ts';
import { ALL } from './suites.ts';

await loadFailedBefore(ALL);
