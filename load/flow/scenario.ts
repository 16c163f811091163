import { parseBaseUrl } from '../../client/base-url.ts';
import type { Contract, Operation } from '../../spec/index.ts';
import { cookieOf, GIVEN_TOKEN, secretsOf } from '../authentication.ts';
import { commonHead, DEFAULT_FIELD_WIDTH, tokenOf } from '../encode-traffic.ts';
import { headerLines } from '../engines/request-head.ts';
import type { Traffic } from '../engines/traffic.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import type { LoadTarget } from '../target.ts';
import { readData } from './data-files.ts';
import type { FlowJob, KnownOperation } from './job.ts';
import type { FlowScenario } from './types.ts';

export function scenarioOfFlow(flow: FlowScenario, file: string): Scenario {
  readData(flow.data ?? {}, file);
  const { name, title = name, effects = ['read'], thresholds = [], rate = 10 } = flow;
  const { executor, vus, iterations, stages } = flow;
  return {
    name,
    title,
    effects,
    thresholds,
    rate,
    throughput: false,
    flow: { file, executor, vus, iterations, stages },
    setup: () => Promise.resolve({ requests: [] }),
  };
}

/** The traffic of a flow, which encodes its requests itself. */
export const NO_TRAFFIC: Traffic = {
  bytes: new Uint8Array(),
  starts: Uint32Array.of(0),
  fields: [],
  fieldWidth: DEFAULT_FIELD_WIDTH,
  accepts: [],
  partOf: [],
  seriesOf: [],
  series: [],
  parts: [{ label: 'flow', weight: 1 }],
};

function knownOperation(operation: Operation, target: LoadTarget): KnownOperation {
  const { id, method, effect, forms } = operation;
  const { authentication, headers: common } = target;
  const known = { id, method, effect, forms: forms.map(({ name, path }) => ({ name, path })) };
  if (authentication === undefined) return known;
  const { sendsToken, headers, target: withQuery } = secretsOf(target, operation);
  const given = authentication
    .given(operation)
    .map((each) => (each.secret === GIVEN_TOKEN ? each : { ...each, secret: authentication.fill(each.secret) }));
  return { ...known, secrets: { sendsToken, headers, query: withQuery('').slice(1), given, cookie: cookieOf(common) } };
}

export function flowJob(
  file: string,
  effects: Scenario['effects'],
  target: LoadTarget,
  contract: Contract,
  tag: string,
): FlowJob {
  const { prefix, headers } = commonHead(parseBaseUrl(target.baseUrl), target);
  const token = tokenOf(target);
  return {
    file,
    effects,
    tag,
    prefix,
    head: headerLines(...headers),
    ...(token === undefined ? {} : { token }),
    operations: contract.operations.map((operation) => knownOperation(operation, target)),
  };
}
