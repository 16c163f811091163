import { fingerprint } from '../../spec/index.ts';
import type { Finding, RunRecord, RunStart, ShownExchange, TestRecord } from '../../spec/index.ts';

const SECTIONS = ['4 Access control policies', '4 AI agents', '4 AI jobs', '4 Audit log', '4 Other endpoints'];
const RESOURCES = ['accesscontrolpolicies', 'aiagent', 'aijob', 'auditLog', 'clue'];
const SHAPES = [
  'GET /X',
  'POST /X',
  'GET /X/{id}',
  'PUT /X/{id}',
  'DELETE /X/{id}',
  'GET /X/summary',
  'POST /X/{id}/activate',
  'GET /X/{id}/runs',
  'PATCH /X/{id}',
];
const CHECKS = [
  'status-documented',
  'content-type',
  'body-schema',
  'never-5xx',
  'form-equivalence',
  'auth-missing',
  'auth-expired',
  'auth-limited',
  'unknown-id',
  'malformed-json',
  'paging-partition',
  'paging-default',
];
const FORMS = ['/api', '/api/v1'];
const START = Date.parse('2026-11-21T08:00:00.000Z');

export interface SampleOptions {
  readonly tests?: number;
  readonly findings?: number;
  readonly ended?: boolean;
  /** Put into every text that a target answers. */
  readonly hostile?: string;
  readonly seed?: number;
}

const OPERATIONS = RESOURCES.flatMap((resource, index) =>
  SHAPES.map((shape) => ({ id: shape.replace('X', resource), section: SECTIONS[index] ?? '' })),
);

/** A verify run as the suites write it, for the tests of the reports: the same options give the same records. */
export function sampleRun(options: SampleOptions = {}): RunRecord[] {
  const { tests = 200, findings = 3, ended = true, hostile = '', seed = 42 } = options;
  return [
    sampleStart(seed),
    ...planRecords(),
    ...Array.from({ length: tests }, (_, index) => sampleTest(index, index < findings, hostile, seed)),
    ...closingRecords(hostile),
    ...(ended ? [{ type: 'run-end', durationMs: 9800, interrupted: false } as const] : []),
  ];
}

type RecordOf<T extends RunRecord['type']> = Extract<RunRecord, { readonly type: T }>;

/** The records, in which those of a type have some other values. */
export function changed<T extends RunRecord['type']>(
  records: readonly RunRecord[],
  type: T,
  change: (record: RecordOf<T>) => Partial<RecordOf<T>>,
): RunRecord[] {
  const isOfType = (record: RunRecord): record is RecordOf<T> => record.type === type;
  return records.map((record) => (isOfType(record) ? { ...record, ...change(record) } : record));
}

export function sampleStart(seed = 42): RunStart {
  return {
    type: 'run-start',
    version: '0.1.0',
    command: 'verify',
    target: { baseUrl: 'http://127.0.0.1:41234', embedded: true },
    seed,
    spec: { title: 'Data Management Service', source: 'spec/openapi.yaml', operations: OPERATIONS.length },
    startedAt: new Date(START).toISOString(),
    options: { allow: ['read', 'reversible'] },
  };
}

function planRecords(): RunRecord[] {
  return [
    ...OPERATIONS.map(({ id, section }): RunRecord => {
      return { type: 'operation', id, forms: FORMS, section, effect: id.startsWith('GET') ? 'read' : 'reversible' };
    }),
    ...CHECKS.map((check, index): RunRecord => ({
      type: 'requirement',
      id: `${check}.holds`,
      section: `${4 + (index % 5)}`,
      grade: index % 5 === 4 ? 'published' : 'documented',
      text: `What "${check}" checks is documented for every operation.`,
    })),
    {
      type: 'requirement',
      id: 'auth.https',
      section: '5',
      grade: 'documented',
      text: 'All requests use HTTPS.',
      untestable: 'the base URL decides it',
    },
  ];
}

function closingRecords(hostile: string): RunRecord[] {
  const repeats = { 'status-503': 3 };
  const waitedMs = { 'status-503': 900 };
  const left = [{ kind: 'clue', id: '/Person#crm:1', reason: 'no endpoint removes a clue' }];
  const value = `application/problem+json ${hostile}`;
  return [
    { type: 'observation', what: 'error body', value, operation: 'GET /aijob' },
    { type: 'effects', created: 12, removed: 11, left },
    {
      type: 'statistics',
      exchanges: 600,
      attempts: 603,
      failures: 0,
      responseBytes: 100_000,
      repeats,
      waitedMs,
      operations: [{ operation: 'GET /aijob', exchanges: 10, attempts: 13, repeats, waitedMs }],
    },
  ];
}

/** The test of the run with that number; `broken`: with a finding. */
export function sampleTest(index: number, broken: boolean, hostile = '', seed = 42): TestRecord {
  const operation = OPERATIONS[index % OPERATIONS.length]?.id ?? '';
  const check = CHECKS[Math.floor(index / OPERATIONS.length) % CHECKS.length] ?? '';
  const form = FORMS[Math.floor(index / (OPERATIONS.length * CHECKS.length)) % 2] ?? '';
  const skipped = !broken && index % 29 === 28;
  return {
    type: 'test',
    name: `contract/${check} > ${operation} > ${form} > ${index}`,
    suite: `contract/${check}`,
    operation,
    form,
    checks: [check],
    requirements: [`${check}.holds`],
    verdict: broken ? 'failed' : skipped ? 'skipped' : 'passed',
    startedAt: new Date(START + index * 2).toISOString(),
    durationMs: 1.5 + ((index * 7919) % 97) / 10,
    cases: index % 3 === 0 ? 100 : 0,
    slowestMs: ((index * 7919) % 97) / 10,
    statuses: skipped
      ? []
      : [
          { operation, form, status: '200', count: 2 },
          { operation, form, status: '404', count: 1 },
        ],
    findings: broken ? [sampleFinding(operation, form, check, index, hostile, seed)] : [],
    ...(skipped ? { reason: 'the effect "irreversible" is not allowed (--allow)' } : {}),
  };
}

/** A passed test of `GET /aijob`, with other members. */
export function passedTest(change: Partial<TestRecord> = {}): TestRecord {
  const operation = 'GET /aijob';
  return {
    type: 'test',
    name: `t${Math.random()}`,
    suite: 'contract/paging',
    operation,
    form: '/api',
    checks: ['paging'],
    requirements: ['paging.holds'],
    verdict: 'passed',
    startedAt: '2026-11-21T08:00:00.000Z',
    durationMs: 2,
    statuses: [{ operation, form: '/api', status: '200', count: 3 }],
    cases: 1,
    findings: [],
    ...change,
  };
}

/** A finding with two steps, as a check makes it. */
export function sampleFinding(
  operation = 'GET /aijob',
  form = '/api',
  check = 'paging',
  index = 0,
  hostile = '',
  seed = 1,
): Finding {
  return {
    fingerprint: fingerprint({ code: `${check}/take`, requirement: `${check}.holds`, operation }),
    code: `${check}/take`,
    check,
    requirement: `${check}.holds`,
    grade: 'documented',
    operation,
    form,
    severity: index % 3 === 2 ? 'warning' : 'violation',
    message: `A request without "take" answers 10 items, not the documented default of 20. ${hostile}`,
    expected: '20 items, as the default of "take" is 20',
    source: 'api.md section 8',
    received: `10 items ${hostile}`,
    instancePointer: '/data/0/id',
    schemaPointer: '#/paths/~1accesscontrolpolicies/get/parameters/1',
    curl: `curl -sS "http://127.0.0.1:41234${form}/accesscontrolpolicies?page=0" -H "Authorization: Bearer $ASSAY_TOKEN" -H 'Accept: application/json'`,
    steps: [
      { ...sampleExchange('POST /accesscontrolpolicies', form, `x${index}a`, hostile), label: 'make a policy' },
      { ...sampleExchange(operation, form, `x${index}b`, hostile), label: 'ask for the first page' },
    ],
    seed,
    path: '3:1:0',
    replay: `assay verify --seed ${seed} --path 3:1:0 --only "${operation}"`,
  };
}

function sampleExchange(operation: string, form: string, id: string, hostile: string): ShownExchange {
  return {
    id,
    operation,
    form,
    identity: 'full',
    durationMs: 3.25,
    request: {
      method: operation.split(' ')[0] ?? 'GET',
      url: `http://127.0.0.1:41234${form}/accesscontrolpolicies?page=0`,
      headers: { authorization: 'Bearer $ASSAY_TOKEN', accept: 'application/json' },
      body: '{"name":"assay-1"}',
    },
    response: {
      status: 200,
      headers: [
        ['content-type', 'application/json; charset=utf-8'],
        ['x-note', hostile],
      ],
      truncated: false,
      body: `{"totalCount":10,"data":[{"id":"0b1c8b3e-3a56-4a0e-9d0a-0d7c1c8b3e3a","name":${JSON.stringify(`policy ${hostile}`)}}]}`,
    },
    curl: `curl -sS "http://127.0.0.1:41234${form}/accesscontrolpolicies?page=0" -H "Authorization: Bearer $ASSAY_TOKEN"`,
  };
}
