import { expect, it } from 'vitest';
import { answered, finding, parsed } from '../testing/merged-finding.ts';
import { explains } from './root-causes.ts';

const LEAK = 'job-ownership/other-job: GET /aijob/{id}/runs';

it.each([
  ['a run of another job', LEAK, 'valid-request-served/refused: GET /aijob/{jobId}/runs/{runId}/chats: 404', 404, true],
  [
    'a run that is refused otherwise',
    LEAK,
    'valid-request-served/refused: GET /aijob/{jobId}/runs/{runId}/chats',
    400,
    false,
  ],
  ['a job that is not found', LEAK, 'valid-request-served/refused: GET /aijob/{id}: 404', 404, false],
  ['a queued run that seems to be several', LEAK, 'job-runs/queued-twice: POST /aijob/{id}/execution-queue', 200, true],
  [
    'an operation that needs no token',
    'valid-request-served/without-token: GET /status',
    'valid-request-served/refused: GET /status: 401',
    401,
    true,
  ],
  [
    'a read that finds no item, and a form that does not show it',
    'valid-request-served/refused: GET /aijob/{id}: 404',
    'form-shared-state/created-not-readable: GET /aijob/{id}',
    404,
    true,
  ],
  [
    'a form that does not show an item, and a read that finds none through any form',
    'form-shared-state/created-not-readable: GET /aijob/{id}',
    'valid-request-served/refused: GET /aijob/{id}: 404',
    404,
    false,
  ],
  [
    'a member that is stored otherwise, and an invalid value that is accepted',
    'created-reads-back/member: POST /accesscontrolpolicies: /description',
    'published-behaviour/accepted: POST /accesscontrolpolicies: unregistered-action',
    200,
    false,
  ],
  [
    'another kind of change that the log leaves out',
    'audit-log/no-entry: GET /auditLog: PUT /aiagent/{id}',
    'audit-log/no-entry: GET /auditLog: DELETE /aijob/{id}',
    200,
    true,
  ],
])('one cause or two: %s', (_title, cause, effect, status, isExplained) => {
  const common = { requirement: 'runs.list', forms: ['/api', '/api/v1'] };
  const [root, symptom] = [cause, effect].map((text) => finding({ ...common, ...answered(status), ...parsed(text) }));
  if (root === undefined || symptom === undefined) throw new Error('both findings exist');
  expect(explains({ ...root, fingerprint: 'a' }, { ...symptom, fingerprint: 'b' })).toBe(isExplained);
});
