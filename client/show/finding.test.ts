import { expect, test } from 'vitest';
import type { Contract, Exchange, FindingCode, Violation } from '../../spec/index.ts';
import { operation } from '../testing/fixtures.ts';
import { toFinding } from './finding.ts';
import type { FindingSources } from './finding.ts';

const THINGS = operation({ path: '/things' });
const THING = operation({ path: '/things/{id}' });
const ID = '00000000-0000-4000-8000-00000000000a';
const CONTRACT = {
  source: 'api.json',
  requirements: [],
  operations: [THINGS, THING],
  operation: (id: string) => [THINGS, THING].find((each) => each.id === id),
} as unknown as Contract;

function read(id: string, path: string, authorization?: string, body: object = {}): Exchange {
  const response = { status: 200, headers: [], truncated: false, body: Buffer.from(JSON.stringify(body)), json: body };
  return {
    id,
    operation: path.includes('/things/') ? THING.id : THINGS.id,
    form: '/api',
    identity: authorization === undefined ? 'none' : 'full',
    request: {
      method: 'GET',
      url: `http://target${path}`,
      headers: authorization === undefined ? {} : { authorization },
    },
    response,
    sentAt: Number(id),
    durationMs: 0,
    attempts: 1,
  } as unknown as Exchange;
}

function findingOf(
  code: FindingCode,
  exchanges: readonly Exchange[],
  sources: FindingSources,
): ReturnType<typeof toFinding> {
  const violation: Violation = { code, message: '', expected: '', received: '', exchanges };
  return toFinding(violation, { contract: CONTRACT, seed: 1, redact: (text) => text, ...sources });
}

const FULL = read('1', `/things/${ID}`, 'Bearer $ASSAY_TOKEN', { id: ID });

test('a read that should be refused is shown after the same read with the full token', () => {
  const finding = findingOf('authentication/accepted', [read('2', `/things/${ID}`)], { readBefore: () => FULL });
  expect(finding.steps.map(({ id }) => id)).toEqual(['1', '2']);
  expect(finding.curl).toMatch(/curl .*ASSAY_TOKEN.* && curl /);
  const alone = findingOf('authentication/accepted', [read('2', `/things/${ID}`)], {});
  expect(alone.steps.map(({ id }) => id)).toEqual(['2']);
});

test('an update is shown after the one before it, where what is read back may be a part of that, or both are equal', () => {
  const update = (id: string, name: string): Exchange => {
    const { request, ...rest } = read(id, `/things/${ID}`, 'Bearer $ASSAY_TOKEN');
    return { ...rest, request: { ...request, method: 'PUT', body: Buffer.from(JSON.stringify({ name })) } };
  };
  const ids = (code: FindingCode, last: Exchange): readonly string[] =>
    findingOf(code, [last], { changes: () => [update('1', 'a'), update('2', 'b'), update('4', 'c')] }).steps.map(
      ({ id }) => id,
    );
  expect(ids('updated-reads-back/member', update('3', 'c'))).toEqual(['2', '3']);
  expect(ids('body-fits-schema/missing', update('3', 'b'))).toEqual(['2', '3']);
  expect(ids('body-fits-schema/missing', update('3', 'c'))).toEqual(['3']);
});

test('the read of another query with the same answer comes first, unless two reads are compared', () => {
  const [first, last, other] = [read('1', '/things?page=0'), read('2', '/things?page=1'), read('3', '/things?page=2')];
  const sources = { sameAnswer: () => first };
  const finding = findingOf('filters/not-found', [last], sources);
  expect(finding.curl).toMatch(/page=0.* && curl .*page=1/);
  expect(finding.curlShows).toBe('cached');
  expect(findingOf('filters/not-found', [other, last], sources).curl).not.toContain('page=0');
});

test('it is said why a line with all steps may not show the violation', () => {
  const shows = (code: FindingCode, sources: FindingSources = {}): unknown =>
    findingOf(code, [read('2', `/things/${ID}`, 'Bearer $ASSAY_TOKEN')], sources).curlShows;
  expect(shows('overlap/created-twice')).toBe('alone');
  expect(shows('deleted-is-gone/other-item')).toBe('others');
  expect(shows('created-reads-back/not-readable', { hasServed: () => true })).toBe('sometimes');
  expect(shows('created-reads-back/not-readable')).toBeUndefined();
  expect(shows('own-id/other', { readBefore: () => FULL })).toBe('sometimes');
  expect(shows('own-id/other')).toBeUndefined();
  expect(shows('no-server-error/status', { readBefore: () => FULL })).toBe('sometimes');
  expect(shows('no-server-error/status')).toBeUndefined();
  const gateway = read('2', '/things');
  const failed = { ...gateway, response: { ...gateway.response, status: 504 } } as Exchange;
  expect(findingOf('no-server-error/status', [failed], { hasServed: () => true }).curlShows).toBe('sometimes');
  expect(findingOf('no-server-error/status', [failed], { hasServed: () => false }).curlShows).toBeUndefined();
});

test('a creation that fails is shown after that of an item with the same name', () => {
  const creation = (id: string): Exchange => {
    const sent = read(id, '/things', 'Bearer $ASSAY_TOKEN');
    return { ...sent, request: { ...sent.request, method: 'POST' } };
  };
  const [first, second] = [creation('1'), creation('2')];
  const finding = findingOf('no-server-error/status', [second], { sameName: () => [first] });
  expect(finding.steps.map(({ id }) => id)).toEqual(['1', '2']);
  expect(finding.curl).toMatch(/-X POST .* && curl .*-X POST /);
});

test('a line waits before a read whose answer changed only some time after the last change', () => {
  const update = { ...read('1', `/things/${ID}`, 'Bearer $ASSAY_TOKEN'), operation: 'PUT /things/{id}' };
  const sent = { ...update, request: { ...update.request, method: 'PUT' as const } };
  const last = read('2000', `/things/${ID}`, 'Bearer $ASSAY_TOKEN', { id: ID });
  const shownAfter = (ms: number, ...between: readonly Exchange[]): ReturnType<typeof toFinding> =>
    findingOf('updated-reads-back/member', [sent, ...between, last], {
      sameSince: (_, change) => ({ at: change.sentAt + ms, wasOther: true }),
    });
  expect(shownAfter(1200).curl).toMatch(/ -X PUT .* && sleep 2 && curl /);
  expect(shownAfter(1200)).toMatchObject({ pauseSeconds: 2, curlShows: 'later' });
  expect(shownAfter(100).curl).not.toContain('sleep');
  const other = read('1990', `/things/${ID}`, 'Bearer $ASSAY_TOKEN', { id: ID, name: 'new' });
  expect(shownAfter(1200, { ...other, sentAt: last.sentAt }).curl, 'read just before').not.toContain('sleep');
});

test('of a known finding, only the identity is made', () => {
  const violation: Violation = {
    code: 'filters/not-found',
    message: '',
    expected: '',
    received: '',
    exchanges: [FULL],
  };
  const context = { contract: CONTRACT, seed: 1, redact: (text: string) => text };
  const { fingerprint } = toFinding(violation, context);
  const known = toFinding(violation, { ...context, isKnown: (of) => of === fingerprint });
  expect(known).toMatchObject({ fingerprint, curl: '', steps: [] });
});
