export { mergeLogs, readLogs } from './merge.ts';
export { readLog } from './read.ts';
export { openLog } from './write.ts';
