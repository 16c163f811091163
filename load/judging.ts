import { baseFinder } from '../client/connection.ts';
import type { FindBase } from '../client/connection.ts';
import { secretValues, shownHeaders } from '../client/extra-headers.ts';
import { secretHeaders } from '../client/security.ts';
import { receive } from '../client/index.ts';
import { traceIds } from '../client/show/trace.ts';
import { Secrets } from '../spec/index.ts';
import type { Contract, Exchange, Finding, Operation, Redactor, SlowAnswer } from '../spec/index.ts';
import { secretsOf } from './authentication.ts';
import type { Sample } from './engines/messages.ts';
import { headersIn } from './engines/response-head.ts';
import type { ScenarioRequest } from './scenarios/scenario.ts';
import type { LoadTarget } from './target.ts';

/** Number of the slowest responses that are kept. */
const SLOWEST = 5;
/** Maximum number of exchanges that are kept as evidence of a finding. */
export const EVIDENCE = 3;
const MOST_BODY_BYTES = 16 * 1024 * 1024;

/** Applies the checks of `verify` to one exchange. Of a known finding, only the identity is needed. */
export type Judge = (exchange: Exchange, isKnown: (fingerprint: string) => boolean) => readonly Finding[];

/** Headers that belong to the connection: a curl command has them from its URL. */
const OF_CONNECTION: readonly string[] = ['host', 'proxy-authorization'];

/** The headers of a sent request, and where its body begins. */
function headOf({ sent }: Sample): { readonly sentHeaders: Record<string, string>; readonly bodyAt: number } {
  const end = Buffer.from(sent).indexOf('\r\n\r\n');
  const own = headersIn(sent.subarray(0, end)).filter(([name]) => !OF_CONNECTION.includes(name));
  return { sentHeaders: Object.fromEntries(own), bodyAt: end + 4 };
}

/** A redactor that replaces the token and the values of secret headers of a request too. */
function redactorFor({ authorization = '', ...headers }: Record<string, string>, redactor: Redactor): Redactor {
  const own = new Secrets();
  own.keep(authorization.replace(/^\S+ /, ''), '$ASSAY_TOKEN');
  for (const [value, name] of secretValues(headers)) own.keep(value, name);
  return { text: (text) => own.text(redactor.text(text)), bytes: (bytes) => own.bytes(redactor.bytes(bytes)) };
}

function sentRequest({ sample, request, target, operation, url }: Kept): Exchange['request'] {
  const { sentHeaders, bodyAt } = headOf(sample);
  const headers: Record<string, string> = { ...shownHeaders(sentHeaders) };
  if (headers['authorization'] !== undefined) headers['authorization'] = 'Bearer $ASSAY_TOKEN';
  const secrets = secretsOf(target, operation, true);
  const given = operation === undefined ? [] : (target.authentication?.given(operation) ?? []);
  for (const [name, shown] of Object.entries(secretHeaders(given, undefined)))
    if (headers[name] !== undefined) headers[name] = shown;
  Object.assign(headers, shownHeaders(target.headers ?? {}), secrets.headers);
  const body = Buffer.from(sample.sent).subarray(bodyAt);
  return {
    method: request.method as Exchange['request']['method'],
    url: secrets.target(url),
    headers,
    ...(body.length > 0 ? { body } : {}),
  };
}

interface Kept {
  readonly sample: Sample;
  readonly request: ScenarioRequest;
  readonly target: LoadTarget;
  readonly operation?: Operation | undefined;
  /** Where the request went. */
  readonly url: string;
  readonly id: string;
}

/** A sampled response as an exchange, decoded as in `verify`, without secrets. */
async function exchangeOf(kept: Kept, redactor: Redactor): Promise<Exchange> {
  const { sample, request, id } = kept;
  const answer = {
    status: sample.status,
    headers: headersIn(sample.head),
    body: Buffer.from(sample.body),
    truncated: sample.truncated,
  };
  return {
    id,
    operation: request.operation,
    form: request.form,
    identity: 'full',
    request: sentRequest(kept),
    response: await receive(answer, {
      redactor: redactorFor(headOf(sample).sentHeaders, redactor),
      maxBodyBytes: MOST_BODY_BYTES,
      method: request.method,
    }),
    sentAt: sample.sentAt,
    durationMs: sample.durationMs,
    attempts: 1,
  };
}

/** Responses that count as errors of the load: findings about them are warnings. */
function isError(status: number): boolean {
  return status >= 500 || status === 429;
}

/** The results of the checks of samples. */
export interface Judged {
  readonly judged: number;
  readonly violating: number;
  readonly findings: readonly Finding[];
}

export interface JudgingOptions {
  readonly requests: readonly ScenarioRequest[];
  readonly target: LoadTarget;
  readonly judge: Judge;
  readonly contract: Pick<Contract, 'operation'>;
}

/** Checks the sampled responses; one finding per fingerprint, with the first exchanges as evidence. */
export class Judging {
  judged = 0;
  /** Checked responses with a violation. */
  violating = 0;
  readonly #options: JudgingOptions;
  readonly #redactor: Redactor;
  readonly #baseOf: FindBase;
  #slowest: readonly SlowAnswer[] = [];
  readonly #findings = new Map<string, { finding: Finding; steps: Finding['steps'][number][] }>();

  constructor(options: JudgingOptions) {
    this.#options = options;
    const { token, authentication, headers = {}, baseUrl, bases } = options.target;
    this.#baseOf = baseFinder(baseUrl, bases);
    const secrets = new Secrets();
    for (const [value, name] of secretValues(headers)) secrets.keep(value, name);
    if (token !== undefined) secrets.keep(token, '$ASSAY_TOKEN');
    this.#redactor = authentication?.redactor ?? secrets;
  }

  async add(samples: readonly Sample[]): Promise<void> {
    const { requests, target, contract } = this.#options;
    for (const sample of samples) {
      const request = sample.made ?? requests[sample.request];
      if (request === undefined) continue;
      const own = contract.operation(request.operation);
      const url = this.#baseOf(own ?? { id: request.operation }).href + request.path;
      const kept = { sample, request, target, operation: own, url, id: `l${(this.judged += 1)}` };
      const exchange = await exchangeOf(kept, this.#redactor);
      this.#judge(exchange);
      this.#noteSlow(exchange);
    }
  }

  /** Adds the results of another machine. */
  merge({ judged, violating, findings }: Judged): void {
    this.judged += judged;
    this.violating += violating;
    for (const finding of findings) this.#keep(finding);
  }

  findings(): readonly Finding[] {
    return [...this.#findings.values()].map(({ finding, steps }) => ({ ...finding, steps }));
  }

  /** The slowest sampled responses, the slowest first. */
  get slowest(): readonly SlowAnswer[] {
    return this.#slowest;
  }

  #noteSlow(exchange: Exchange): void {
    const { durationMs, operation, response, sentAt } = exchange;
    if (this.#slowest.length === SLOWEST && durationMs <= (this.#slowest.at(-1)?.ms ?? 0)) return;
    const answer = { operation, status: response?.status ?? 0, ms: durationMs, ids: traceIds(exchange) };
    this.#slowest = [...this.#slowest, { ...answer, sentAt: new Date(sentAt).toISOString() }]
      .toSorted((a, b) => b.ms - a.ms)
      .slice(0, SLOWEST);
  }

  #judge(exchange: Exchange): void {
    const isKnown = (of: string): boolean => (this.#findings.get(of)?.steps.length ?? 0) >= EVIDENCE;
    const judged = this.#options.judge(exchange, isKnown);
    const found = isError(exchange.response?.status ?? 0)
      ? judged.map((finding): Finding => ({ ...finding, severity: 'warning' }))
      : judged;
    if (found.some(({ severity }) => severity === 'violation')) this.violating += 1;
    for (const finding of found) this.#keep(finding);
  }

  #keep(finding: Finding): void {
    const known = this.#findings.get(finding.fingerprint);
    if (!known) this.#findings.set(finding.fingerprint, { finding, steps: [...finding.steps] });
    else if (known.steps.length < EVIDENCE) known.steps.push(...finding.steps);
  }
}
