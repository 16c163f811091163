import { expect, it } from 'vitest';
import type { ScriptRequest } from '../../spec/index.ts';
import { finding } from '../testing/merged-finding.ts';
import { curlNote } from './finding.ts';

it('says what the curl command creates and does not remove', () => {
  const headers = {};
  const captures = [{ id: 'a1', place: 0 }];
  const create: ScriptRequest = { method: 'POST', url: 'https://h/api/x', headers, creates: true, captures };
  const received = { status: 204, ids: [] };
  const remove: ScriptRequest = { method: 'DELETE', url: 'https://h/api/x/A1', headers, received };
  const noteOf = (requests: readonly ScriptRequest[], change = {}): string => {
    const script = { requests, tag: '12ab', statuses: [], mediaTypes: [], defaults: {}, version: '1' };
    return curlNote(finding({ fingerprint: 'f', curl: "curl -sS https://h --data 'assay-12ab-1'", script, ...change }));
  };
  const text = 'The curl command creates 1 item, which stays; names begin with assay-12ab.';
  expect(noteOf([create])).toBe(`${text} A replay removes what it creates.`);
  expect(noteOf([{ ...create, times: 15 }, create])).toContain('creates up to 16 items, which stay;');
  expect(noteOf([create, remove])).toBe('');
  expect(noteOf([create], { curl: '' })).toBe('');
});
