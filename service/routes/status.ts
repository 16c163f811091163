import { ok } from '../http/answer.ts';
import { explicit } from './define.ts';

const STATUS = {
  ServiceStatus: 'Green',
  DataShards: [{ Type: 'Blob', ServiceStatus: 'Green' }, { Type: 'Search', ServiceStatus: 'Green' }],
  Components: [{ Type: 'Bus', ServiceStatus: 'Green' }],
} as const;

export const statusOperations = explicit('none', { 'GET /api/v1/status': () => ok(STATUS) });
