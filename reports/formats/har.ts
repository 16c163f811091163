import type { ScriptRequest, ShownExchange } from '../../spec/index.ts';
import { shownBody } from '../../spec/shown-body.ts';
import type { MergedFinding } from '../summary/types.ts';
import type { ReportView } from '../view.ts';

/** The exchanges of all findings as an HTTP archive (HAR 1.2): one page for each finding. */
export function harText({ summary: { version, findings, startedAt } }: ReportView): string {
  const pages = findings.map((finding) => ({
    startedDateTime: timeOf(finding.steps[0], startedAt),
    id: finding.fingerprint,
    title: finding.message,
    pageTimings: {},
    comment: `${finding.code}: expected ${finding.expected}; received ${finding.received}`,
  }));
  const entries = findings.flatMap((finding) => finding.steps.map((step, at) => entryOf(finding, step, at, startedAt)));
  const log = { version: '1.2', creator: { name: 'assay', version }, pages, entries };
  return `${JSON.stringify({ log }, null, 2)}\n`;
}

function timeOf(step: ShownExchange | undefined, startedAt: string): string {
  return step?.sentAt === undefined ? startedAt : new Date(step.sentAt).toISOString();
}

function entryOf({ fingerprint, script }: MergedFinding, step: ShownExchange, at: number, startedAt: string): object {
  const { request, response, failure, durationMs, label, identity, operation } = step;
  const headers = Object.entries(request.headers).map(([name, value]) => ({ name, value }));
  const type = request.headers['content-type'] ?? '';
  const { size, ...body } = sentBody(
    request,
    // A shortened list was not sent so.
    script?.requests.find(({ step, gap }) => step === at && gap === undefined),
  );
  return {
    pageref: fingerprint,
    startedDateTime: timeOf(step, startedAt),
    time: durationMs,
    request: {
      method: request.method,
      url: request.url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers,
      queryString: queryOf(request.url),
      ...(size === 0 ? {} : { postData: { mimeType: type, ...body } }),
      headersSize: -1,
      bodySize: size,
    },
    response: responseOf(response, failure),
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    comment: [label, operation, `token: ${identity}`].filter((part) => part !== undefined).join(' · '),
  };
}

const CUT = 'only the beginning of the body was kept';
const LOSSY = 'what is no text in the body was not kept';

interface Body {
  readonly text: string;
  readonly size: number;
  readonly comment?: string;
  /** HAR has no encoding of what was sent. */
  readonly _encoding?: 'base64';
}

/** The shown part of a body, and its size, which is unknown (-1) where bytes that are no text were replaced. */
function partOf(body: string): Body {
  const { text, bytes } = shownBody(body);
  if (bytes !== undefined) return { text, size: bytes, comment: CUT };
  return text.includes('\ufffd') ? { text, size: -1, comment: LOSSY } : { text, size: Buffer.byteLength(text) };
}

/** The whole body of a request where the script has it. */
function sentBody({ body = '' }: ShownExchange['request'], { body: text, base64 }: Partial<ScriptRequest> = {}): Body {
  if (base64 !== undefined)
    return { text: base64, _encoding: 'base64', size: Buffer.from(base64, 'base64').byteLength };
  return text === undefined ? partOf(body) : { text, size: Buffer.byteLength(text) };
}

function queryOf(url: string): readonly { readonly name: string; readonly value: string }[] {
  const query = url.split('?')[1] ?? '';
  return [...new URLSearchParams(query)].map(([name, value]) => ({ name, value }));
}

function responseOf(response: ShownExchange['response'], failure: ShownExchange['failure']): object {
  const { status = 0, headers = [], body = '', truncated = false } = response ?? {};
  const type = headers.find(([name]) => name === 'content-type')?.[1] ?? '';
  const { text, size, comment: part } = partOf(body);
  const comment = failure?.message ?? (truncated ? 'the rest of the body was not read' : part);
  return {
    status,
    statusText: '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: headers.map(([name, value]) => ({ name, value })),
    content: { size, mimeType: type, text },
    redirectURL: headers.find(([name]) => name === 'location')?.[1] ?? '',
    headersSize: -1,
    bodySize: size,
    ...(comment === undefined ? {} : { comment }),
  };
}
