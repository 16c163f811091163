import { expect, it } from 'vitest';
import { runInProcess } from '../testing/in-process.ts';

const HEALTHY = 'lenient-and-late';

it('lists names as JSON, of what it is asked for', async () => {
  const { stdout } = await runInProcess(['prove', '--list', '--json', 'status-202 GET /aijobskills', HEALTHY]);
  expect(JSON.parse(stdout)).toEqual(['status-202 GET /aijobskills', HEALTHY]);
});
