import type { Exchange, Finding, Json } from '../spec/index.ts';
import type { Sample } from './engines/messages.ts';
import type { ScenarioRequest } from './scenarios/scenario.ts';

/** The checks of `verify`, as the caller wires them: one exchange in, findings out. */
export type Judge = (exchange: Exchange) => readonly Finding[];

interface Head {
  readonly headers: readonly (readonly [string, string])[];
}

function parseHead(bytes: Uint8Array): Head {
  const lines = Buffer.from(bytes).toString('latin1').split(/\r?\n/).slice(1);
  return { headers: lines.flatMap((line) => {
    const colon = line.indexOf(':');
    return colon > 0 ? [[line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const] : [];
  }) };
}

function parseBody(mediaType: string | undefined, body: Uint8Array, truncated: boolean): { json?: Json; jsonError?: string } {
  if (mediaType === undefined || !/[/+]json$/.test(mediaType) || truncated || body.length === 0) return {};
  try {
    return { json: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as Json };
  } catch (error) {
    return { jsonError: error instanceof Error ? error.message : String(error) };
  }
}

function sentRequest(sample: Sample, request: ScenarioRequest, baseUrl: string): Exchange['request'] {
  const sent = Buffer.from(sample.sent);
  const end = sent.indexOf('\r\n\r\n');
  const headers = Object.fromEntries(parseHead(sent.subarray(0, end)).headers);
  if (headers['authorization'] !== undefined) headers['authorization'] = 'Bearer $ASSAY_TOKEN';
  const body = sent.subarray(end + 4);
  return {
    method: request.method as Exchange['request']['method'],
    url: baseUrl.replace(/\/+$/, '') + request.path, headers,
    ...(body.length > 0 ? { body } : {}),
  };
}

/** An answer under load as the exchange that it was; the token is not in it. */
export function exchangeOf(sample: Sample, request: ScenarioRequest, baseUrl: string, id: string): Exchange {
  const { headers } = parseHead(sample.head);
  const type = headers.find(([name]) => name === 'content-type')?.[1].split(';')[0]?.trim().toLowerCase();
  return {
    id, operation: request.operation, form: request.form, identity: 'full',
    request: sentRequest(sample, request, baseUrl),
    response: {
      status: sample.status, headers, body: sample.body, truncated: sample.truncated,
      ...(type === undefined ? {} : { mediaType: type }),
      ...parseBody(type, sample.body, sample.truncated),
    },
    sentAt: sample.sentAt, durationMs: sample.durationMs, attempts: 1,
  };
}

export interface JudgingOptions {
  readonly requests: readonly ScenarioRequest[];
  readonly baseUrl: string;
  readonly judge: Judge;
  /** Most exchanges kept as evidence for one finding. */
  readonly evidence?: number;
}

/** Judges answers kept under load; one finding for each fingerprint, with the first exchanges as evidence. */
export class Judging {
  judged = 0;
  /** Answers with a violation, of those judged. */
  violating = 0;
  readonly #options: JudgingOptions;
  readonly #findings = new Map<string, { finding: Finding; steps: Finding['steps'][number][] }>();

  constructor(options: JudgingOptions) {
    this.#options = options;
  }

  add(samples: readonly Sample[]): void {
    for (const sample of samples) {
      const request = this.#options.requests[sample.request];
      if (request) this.#judge(exchangeOf(sample, request, this.#options.baseUrl, `l${(this.judged += 1)}`));
    }
  }

  findings(): readonly Finding[] {
    return [...this.#findings.values()].map(({ finding, steps }) => ({ ...finding, steps }));
  }

  #judge(exchange: Exchange): void {
    const found = this.#options.judge(exchange);
    if (found.some(({ severity }) => severity === 'violation')) this.violating += 1;
    for (const finding of found) {
      const known = this.#findings.get(finding.fingerprint);
      if (!known) this.#findings.set(finding.fingerprint, { finding, steps: [...finding.steps] });
      else if (known.steps.length < (this.#options.evidence ?? 3)) known.steps.push(...finding.steps);
    }
  }
}
