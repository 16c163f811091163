import { expect, it } from 'vitest';
import type { Exchange, Operation } from '../../spec/index.ts';
import { ResponseLog } from './response-log.ts';

function logged(described: readonly string[], status: number): ResponseLog {
  const responses = described.map((each) => ({ status: each, content: [], headers: {} }));
  const operation = { id: 'GET /links', method: 'GET', permission: 'none', responses } as unknown as Operation;
  const exchange = { operation: operation.id, form: '/api', request: { method: 'GET' }, response: { status } };
  const log = new ResponseLog();
  log.add(operation, exchange as unknown as Exchange, { valid: true });
  return log;
}

const why = (described: readonly string[], status: number): string | undefined =>
  logged(described, status).whyVacuous(undefined, 'nothing was sent');

it('a redirect is a success only where it is the described one', () => {
  expect(logged(['302', '404'], 302).all).toMatchObject([{ status: '302', valid: 1, redirects: true }]);
  expect(why(['302', '404'], 302)).toBeUndefined();
  expect(why(['200', '302'], 302)).toContain('refused (302)');
  expect(why(['404'], 302)).toContain('refused (302)');
  expect(why(['304'], 304)).toContain('refused (304)');
});
