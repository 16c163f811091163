import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import type { Exchange } from '../../spec/index.ts';
import { captureId } from './pick-id.ts';

const ID = '0ad2b3e8-0b3f-4e2a-9f57-2c1a7be40f11';
const POSIX = process.platform !== 'win32';

test.runIf(POSIX)('an id that only the list shows is read from it again until the list shows the item', () => {
  const creation = {
    request: { method: 'POST', url: '/things', headers: {} },
    listed: { url: '/things', name: 'new thing' },
  } as unknown as Exchange;
  // The first read of the list is too early.
  const list = `{ if [ -e "$d/read" ]; then echo '[{"name": "new thing", "id": "${ID}"}]'; else echo '[]'; touch "$d/read"; fi; }`;
  const commands = captureId(creation, ID, 'id1', ({ request }) => (request.method === 'GET' ? list : 'true'));
  const line = `d=$(mktemp -d) && ${commands.join(' && ')} && echo "$id1"; rm -r "$d"`;
  expect(execFileSync('sh', ['-c', line], { encoding: 'utf8' }).trim()).toBe(ID);
});
