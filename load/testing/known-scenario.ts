import type { Journal } from '../../client/index.ts';
import { contractOf } from '../../client/testing/fixtures.ts';
import type { Exchange, Finding } from '../../spec/index.ts';
import type { CommonOptions } from '../options.ts';
import type { Scenario } from '../scenarios/index.ts';
import { knownRequests } from './traffic.ts';

/** POST requests with a unique id, for known targets. */
export function knownScenario(given: Partial<Scenario> & { size?: number } = {}): Scenario {
  const { size = 100, ...rest } = given;
  return {
    name: 'known',
    title: 'Requests to a known target.',
    effects: [],
    thresholds: [],
    rate: 100,
    setup: () => Promise.resolve(knownRequests({ count: 200, size })),
    ...rest,
  };
}

/** Options that need neither a description nor a client. */
export function knownOptions(baseUrl: string): Omit<CommonOptions, 'scenario'> {
  return {
    target: { baseUrl, token: 'secret' },
    contract: contractOf(),
    allow: [],
    send: () => Promise.reject(new Error('nothing is to be sent')),
    journal: { pending: () => [] } as unknown as Journal,
  };
}

/** What is found in a wrong body of a known target. */
export const WRONG_BODY: Finding = {
  fingerprint: 'f1',
  code: 'json-well-formed/malformed',
  check: 'json-well-formed',
  requirement: 'r',
  grade: 'documented',
  operation: 'POST /',
  form: '',
  severity: 'violation',
  message: 'no JSON',
  expected: 'JSON',
  source: 's',
  received: '{',
  curl: 'curl',
  steps: [],
};

export const judgeKnown = ({ response }: Exchange): Finding[] =>
  response?.jsonError === undefined ? [] : [WRONG_BODY];
