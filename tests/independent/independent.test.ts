import { expect, test } from 'vitest';
import { emptyDirectory, runAssay, summaryIn } from '../command/run-assay.ts';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DEFECTS } from './defects.ts';
import { PERSONALITIES } from './personalities.ts';
import { TOKENS } from './service.ts';
import { start } from './start.ts';
import type { Running } from './start.ts';

/** What a run found, and what it left behind. */
interface Verdict {
  readonly code: number | null;
  /** Codes and operations of the violations. */
  readonly violations: readonly string[];
  readonly left: number;
  readonly leaks: readonly string[];
}

async function verify({ baseUrl, service, close }: Running, only: readonly string[]): Promise<Verdict> {
  const out = emptyDirectory();
  const tokens = ['--token', TOKENS.full, '--limited-token', TOKENS.limited, '--expired-token', TOKENS.expired];
  const words = ['verify', '--base-url', baseUrl, ...tokens, '--allow', 'all', '--seed', '1', '--out', out];
  const { code, stdout, stderr } = await runAssay([...words, ...only.flatMap((each) => ['--only', each])]).finally(
    close,
  );
  const { findings } = summaryIn(out);
  const texts = [stdout, stderr, ...readdirSync(out).map((name) => readFileSync(join(out, name), 'utf8'))];
  return {
    code,
    violations: findings.flatMap((each) => (each.severity === 'violation' ? `${each.code} ${each.operation}` : [])),
    left: [service.policies, service.agents, service.jobs].flatMap((store) => store.all()).length,
    leaks: Object.values(TOKENS).filter((token) => texts.some((text) => text.includes(token))),
  };
}

/** What runs in every `npm test`; with ASSAY_ALL_INDEPENDENT set, every personality and every defect is run alone. */
const ALL = process.env['ASSAY_ALL_INDEPENDENT'] !== undefined;
const NIGHTLY = { tags: ['nightly'] };
const QUICK = [
  'contract/operations',
  'contract/paging & *accesscontrolpolicies*',
  'contract/forms',
  'contract/media & *accesscontrolpolicies*',
  'state/lifecycle & *accesscontrolpolicies*',
  'state/lifecycle & POST /aijob',
  'state/order',
];
const HEALTHY: readonly (readonly string[])[] = ALL
  ? [[], ...Object.keys(PERSONALITIES).map((name) => [name])]
  : [
      [],
      [
        'upper-case-ids',
        'null-members-left-out',
        'policy-list-in-a-wrapper',
        'names-are-trimmed',
        'text-errors',
        'rules-need-an-action',
      ],
    ];

for (const names of HEALTHY) {
  // Without a personality it is the plain service.
  test(`passes a healthy service: ${names.join(', ') || 'plain'}`, names.length === 0 ? NIGHTLY : {}, async () => {
    const chosen = names.map((name) => PERSONALITIES[name] ?? expect.fail(`no personality ${name}`));
    const layers = chosen.flatMap((each) => (typeof each === 'function' ? each : (each.layer ?? [])));
    const options = Object.assign({}, ...chosen.map((each) => ('options' in each ? each.options : {}))) as object;
    const verdict = await verify(await start(layers, options), ALL ? [] : QUICK);
    expect(verdict).toEqual({ code: 0, violations: [], left: 0, leaks: [] });
  });
}

/** Defects of services, which concern different operations, with the tests that find them and the finding. */
const EXPECTED: readonly Readonly<Record<string, readonly [only: string, finding: string]>>[] = [
  {
    'pages-overlap-by-one': [
      'contract/paging & GET /accesscontrolpolicies',
      'paging-partition/item-twice GET /accesscontrolpolicies',
    ],
    'run-results-page-from-zero': [
      'contract/paging & GET /aijob/{id}/runs/{runId}/results',
      'paging-base/first-page GET /aijob/{id}/runs/{runId}/results',
    ],
    'refused-agents-are-created': [
      'contract/authentication & POST /aiagent',
      'refused-changes-nothing/stored POST /aiagent',
    ],
    'capitals-need-no-token': [
      'contract/authentication & GET /aijobskills',
      'authentication/accepted GET /aijobskills',
    ],
    'instructions-lost-in-one-form': ['contract/forms & POST /aiagent', 'form-equivalence/stored POST /aiagent'],
    'capital-ids-in-one-form-only': ['contract/forms & GET /aiagent/{id}', 'form-equivalence/status GET /aiagent/{id}'],
    'charset-refused': ['contract/bodies & PUT /aiagent/{id}', 'request-media-types/refused PUT /aiagent/{id}'],
    'limited-may-search': [
      'contract/authentication & GET /accesscontrolpolicies',
      'authorisation/accepted GET /accesscontrolpolicies',
    ],
    'jobs-read-as-agents': ['contract/ids & GET /aiagent/{id}', 'unknown-id/status GET /aiagent/{id}'],
  },
  {
    'put-loses-metadata': ['state/lifecycle & PUT /aiagent/{id}', 'updated-reads-back/member PUT /aiagent/{id}'],
    'refused-agent-deletions-delete': [
      'state/lifecycle & DELETE /aiagent/{id}',
      'refused-changes-nothing/changed-data DELETE /aiagent/{id}',
    ],
    'deactivate-forgets-the-rules': [
      'state/activation',
      'activation/changed-content POST /accesscontrolpolicies/{id}/deactivate',
    ],
    'search-lost-with-an-order': ['state/filters/policies', 'filters/wrongly-found GET /accesscontrolpolicies'],
    'jobs-without-metadata-match': ['state/filters/metadata', 'filters/wrongly-found GET /aijob'],
    'patch-test-ignored': ['state/json-patch', 'json-patch/not-atomic PATCH /aijob/{id}'],
  },
  {
    'descending-lost-with-filter': ['state/filters', 'ordering/order-asc GET /accesscontrolpolicies'],
    'half-a-patch-stays': ['state/json-patch', 'json-patch/not-atomic PATCH /aijob/{id}'],
    'put-stores-half-of-what-it-refuses': ['state/lifecycle', 'refused-changes-nothing/changed-data PUT /aiagent/{id}'],
    'agents-with-two-keys-created-twice': ['state/lifecycle', 'created-reads-back/created-twice POST /aiagent'],
    'jobs-listed-as-disabled': ['state/lifecycle', 'updated-reads-back/listed-member GET /aijob'],
    'refused-runs-are-queued': [
      'state/jobs/runs',
      'refused-changes-nothing/changed-data POST /aijob/{id}/execution-queue',
    ],
  },
  {
    'patch-ends-the-schedule': ['state/json-patch', 'json-patch/result PATCH /aijob/{id}'],
    'agent-list-ends-at-60': ['contract/long-lists', 'created-reads-back/not-listed GET /aiagent'],
    'deactivate-reaches-all': [
      'state/activation',
      'activation/other-policy POST /accesscontrolpolicies/{id}/deactivate',
    ],
    'jobs-listed-in-capitals': ['state/lifecycle & POST /aijob', 'created-reads-back/listed-member GET /aijob'],
    'text-json-as-latin-1': ['state/lifecycle & PUT /aiagent/{id}', 'updated-reads-back/member PUT /aiagent/{id}'],
    'plain-text-said-to-be-gzip': ['contract/media & GET /aijobskills', 'json-well-formed/malformed GET /aijobskills'],
    'job-list-ends-at-100': ['contract/long-lists', 'created-reads-back/not-listed GET /aijob'],
    'limited-may-update': ['contract/authentication', 'authorisation/accepted PUT /aiagent/{id}'],
    'nul-names-fail': [
      'properties/lists & GET /accesscontrolpolicies',
      'no-server-error/status POST /accesscontrolpolicies',
    ],
    'agents-are-deleted-twice': [
      'state/lifecycle & DELETE /aiagent/{id}',
      'deleted-is-gone/served DELETE /aiagent/{id}',
    ],
  },
];

for (const [index, group] of EXPECTED.entries()) {
  const [names, expected] = [Object.keys(group), Object.values(group)];
  test(`finds ${names.join(', ')}`, index === 0 ? {} : NIGHTLY, async () => {
    const layers = names.map((name) => DEFECTS[name] ?? expect.fail(`no defect ${name}`));
    const verdict = await verify(await start(layers), [...new Set(expected.map(([only]) => only))]);
    expect(verdict).toMatchObject({ code: 1, left: 0, leaks: [] });
    expect(verdict.violations).toEqual(expect.arrayContaining(expected.map(([, finding]) => finding)));
  });
}

for (const [name, defect] of ALL ? Object.entries(DEFECTS) : []) {
  test(`finds ${name} in a whole run`, async () => {
    expect(await verify(await start([defect]), [])).toMatchObject({ code: 1, leaks: [] });
  });
}
