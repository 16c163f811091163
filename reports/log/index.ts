export { LOG_NAME, logPath } from './file.ts';
export { mergeLogs, readLogs } from './merge.ts';
export { readLog, streamLog } from './read.ts';
export { openLog } from './write.ts';
export type { RunLog } from './write.ts';
