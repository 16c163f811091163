import { expect, it } from 'vitest';
import type { FindingCode, Violation } from '../../spec/index.ts';
import { hintOf } from './hint.ts';
import type { Session } from './session.ts';

const SESSION = {
  knowledge: { hintFor: (_exchange: unknown, hasServed: boolean) => (hasServed ? undefined : 'look at the fixtures') },
  history: { hasServed: () => false },
} as unknown as Session;

const hint = (code: FindingCode, status: number): string | undefined =>
  hintOf(SESSION, { code, exchanges: [{ operation: 'GET /things', response: { status } }] } as unknown as Violation);

it('says where an answer usually comes from a gateway', () => {
  expect(hint('no-server-error/status', 504)).toContain('504 usually comes from a gateway');
  expect(hint('no-server-error/status', 500)).toBeUndefined();
});

it('says that a firewall may have refused or reset a request where others are answered', () => {
  const served = { ...SESSION, history: { hasServed: () => true } } as unknown as Session;
  const hintFor = (code: FindingCode, exchange: object): string | undefined =>
    hintOf(served, { code, exchanges: [{ operation: 'POST /things', identity: 'full', ...exchange }] } as never);
  const page = { response: { status: 403, mediaType: 'text/html' } };
  expect(hintFor('clue-accepted/refused', page)).toContain('firewall');
  expect(hintFor('clue-accepted/refused', { response: { status: 406, mediaType: 'text/plain' } })).toContain(
    'firewall',
  );
  expect(hintFor('authentication/status', { ...page, identity: 'none' })).toBeUndefined();
  expect(
    hintFor('clue-accepted/refused', { response: { status: 403, mediaType: 'application/json' } }),
  ).toBeUndefined();
  expect(hintFor('answered/no-response', { failure: { kind: 'reset' } })).toContain('firewall');
  expect(hintFor('answered/no-response', { failure: { kind: 'timeout' } })).toBeUndefined();
});

it('asks the knowledge of the API where a valid request was refused', () => {
  expect(hint('valid-request-served/refused', 400)).toBe('look at the fixtures');
  expect(hint('status-documented/status', 400)).toBeUndefined();
});
