import { ok } from '../http/answer.ts';
import { inForm } from './define.ts';

const STATUS = {
  ServiceStatus: 'Green',
  DataShards: [
    { Type: 'Blob', ServiceStatus: 'Green' },
    { Type: 'Search', ServiceStatus: 'Green' },
  ],
  Components: [{ Type: 'Bus', ServiceStatus: 'Green' }],
} as const;

export const statusOperations = inForm('/api/v1', 'none', { 'GET /status': () => ok(STATUS) });
