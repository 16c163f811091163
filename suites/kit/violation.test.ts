import { expect, test } from 'vitest';
import type { Operation } from '../../spec/index.ts';
import { violationOf } from './violation.ts';

test('a violation of overlapping calls names them in words', () => {
  const messageOf = (subject: string): string =>
    violationOf('overlap/read', { id: 'GET /a' } as Operation, { subject, expected: '', received: '', exchanges: [] })
      .message;
  expect(messageOf('read+read|read+read|read+read')).toContain('(read twice on each of 3 items)');
  expect(messageOf('update+read+read+update+read')).toContain('(update twice and read 3 times)');
  expect(messageOf('update|delete')).toContain('(update on item 1, delete on item 2)');
  expect(messageOf('create')).toContain('(create)');
});
