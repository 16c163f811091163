import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { shows, tryTests } from './command/finding-tests.ts';
import { emptyDirectory, runAssay, serveFaulty } from './command/run-assay.ts';

const MINUTES = 60_000;

/** Defects of many kinds, with the tests that find them. */
const FEW: Readonly<Record<string, string>> = {
  'unknown-id-answered:410 GET /aiagent/{id}': 'contract/ids & GET /aiagent/{id}',
  'malformed-json-answered:422 POST /aiagent': 'contract/bodies & POST /aiagent',
  'no-token-accepted GET /aijobskills': 'contract/authentication & GET /aijobskills',
  'member-lost:instructions POST /aiagent': 'state/lifecycle & POST /aiagent',
  'page-size-default GET /accesscontrolpolicies': 'contract/paging & GET /accesscontrolpolicies',
};

/** Further ones, which are tried at night. */
const MORE: typeof FEW = {
  'malformed-id-answered:200 GET /aiagent/{id}': 'contract/ids & GET /aiagent/{id}',
  'limited-token-accepted GET /aijob/summary': 'contract/authentication & GET /aijob/summary',
  'content-type-missing GET /accesscontrolpolicies/actions': 'contract/operations & GET /accesscontrolpolicies/actions',
  'write-forgotten POST /accesscontrolpolicies/{id}/activate': 'state/activation',
  'leak-to-neighbour POST /accesscontrolpolicies/{id}/deactivate': 'state/activation',
  'write-twice POST /aijob/{id}/execution-queue': 'state/jobs/runs & POST /aijob/{id}/execution-queue',
  'audit-silent-update': 'state/audit',
  'order-shown-otherwise:last-two-swapped GET /accesscontrolpolicies/byprocessingorder in /api/v1': 'state/order',
  'patch-altered:reversed PATCH /aijob/{id} in /api': 'state/json-patch & *several operations in their order*',
};

/** Ones that show in lists and decisions of several items. */
const OF_SEVERAL: typeof FEW = {
  'bulk-rejection-approves-in-one-form': 'state/approvals',
  'approvals-undone-after-300-ms': 'state/approvals',
  'chat-with-the-output-of-the-first': 'state/chat-stream',
  'last-item-lost GET /aijob/{jobId}/runs/{runId}/chats':
    'contract/paging & GET /aijob/{jobId}/runs/{runId}/chats & *on exactly one page',
  'results-of-deleted-jobs-readable': 'state/jobs/ownership',
  'audit-of-any-type': 'state/audit',
  'summary-constant': 'state/jobs/summary',
  'take-alone-ignored': 'contract/paging & GET /accesscontrolpolicies',
  'filter-loses-one:filterActive GET /accesscontrolpolicies': 'properties/lists & GET /accesscontrolpolicies',
};

/** Ones that depend on what happened before, or to other items. */
const OF_HISTORIES: typeof FEW = {
  'writes-crossed PUT /aiagent/{id}': 'contract/bodies & PUT /aiagent/{id}',
  'job-of-a-deleted-agent-500': 'state/lifecycle & DELETE /aiagent/{id}',
  'names-of-deleted-agents-taken-500': 'state/lifecycle & POST /aiagent',
  'agents-found-by-most-of-the-id': 'contract/ids & GET /aiagent/{id}',
  'cache-before-permissions': 'contract/authentication & GET /aijob/summary',
  'policy-rules-lose-their-actions': 'state/published & POST /accesscontrolpolicies',
  'audit-ignores-toDate': 'state/published & GET /auditLog/getByObjectTypeIds',
  'refused-update-deactivates': 'state/activation',
};

for (const [which, faults, tags] of [
  ['few', FEW, []],
  ['more', MORE, ['nightly']],
  ['several', OF_SEVERAL, ['nightly']],
  ['other', OF_HISTORIES, ['nightly']],
] as const)
  it(
    `each finding as a test fails on the faulty service and passes on the healthy one: ${which} kinds`,
    { timeout: 6 * MINUTES, tags: [...tags] },
    async () => {
      const faulty = await serveFaulty(...Object.keys(faults));
      const healthy = await serveFaulty();
      const cwd = emptyDirectory();
      const only = [...new Set(Object.values(faults))].join(',');
      const words = ['verify', '--allow', 'all', '--seed', '7', '--runs', '2', '--only', only];
      await runAssay([...words, '--report', 'vitest,har'], {
        cwd,
        env: { ...faulty.env, ASSAY_BASE_URL: faulty.baseUrl },
      });
      const tried = await tryTests(join(cwd, 'assay-report'), faulty, healthy);
      const least = Object.keys(faults).length;
      expect(tried.length).toBeGreaterThanOrEqual(least);
      const { log } = JSON.parse(readFileSync(join(cwd, 'assay-report/evidence.har'), 'utf8')) as {
        readonly log: { readonly entries: readonly object[] };
      };
      expect(log.entries.length).toBeGreaterThanOrEqual(least);
      const wrong = tried.filter((each) => !shows(each));
      expect(wrong.map(({ file, faulty, healthy }) => ({ file, faulty: faulty.status, healthy }))).toEqual([]);
      // The approvals of "several" keep their jobs from being deleted; nothing of the others keeps items from being removed.
      for (const { baseUrl, tokens } of which === 'several' ? [] : which === 'few' ? [healthy, faulty] : [healthy])
        for (const path of ['aiagent', 'accesscontrolpolicies', 'aijob']) {
          const headers = { authorization: `Bearer ${tokens.full}` };
          const answer = await fetch(`${baseUrl}/api/v1/${path}`, { headers });
          expect(answer.status).toBe(200);
          expect(await answer.text()).not.toContain('assay-');
        }
    },
  );
