import { expect, test } from 'vitest';
import type { Exchange } from '../../spec/index.ts';
import { LastAnswers } from './last-answers.ts';

const read = (sentAt: number, body: string, status = 200): Exchange => ({
  id: String(sentAt),
  operation: 'GET /aiagent/{id}',
  form: '/api',
  identity: 'full',
  sentAt,
  durationMs: 1,
  attempts: 1,
  request: { method: 'GET', url: 'http://127.0.0.1/api/aiagent/1', headers: {} },
  response: { status, headers: [], body: Buffer.from(body), truncated: false },
});

test('tells since when a read is answered in the same way', () => {
  const answers = new LastAnswers();
  const last = read(900, 'old');
  for (const each of [read(50, 'old'), read(150, 'new'), read(800, 'old'), last]) answers.add(each);
  expect(answers.sameSince(last, 100), 'another answer came first').toBe(800);
  expect(answers.sameSince(last, 160), 'no other answer since').toBe(800);
  expect(answers.sameSince(read(1000, 'other'), 100), 'the only such answer').toBe(1000);
  for (const each of [read(1100, 'trace 1', 404), read(1200, 'trace 2', 404)]) answers.add(each);
  expect(answers.sameSince(read(1200, 'trace 2', 404), 1000), 'refusals are alike').toBe(1100);
});
