import type { ShownExchange } from '../../spec/index.ts';
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
  const entries = findings.flatMap((finding) => finding.steps.map((step) => entryOf(finding, step, startedAt)));
  const log = { version: '1.2', creator: { name: 'assay', version }, pages, entries };
  return `${JSON.stringify({ log }, null, 2)}\n`;
}

function timeOf(step: ShownExchange | undefined, startedAt: string): string {
  return step?.sentAt === undefined ? startedAt : new Date(step.sentAt).toISOString();
}

function entryOf({ fingerprint }: MergedFinding, step: ShownExchange, startedAt: string): object {
  const { request, response, failure, durationMs, label, identity, operation } = step;
  const headers = Object.entries(request.headers).map(([name, value]) => ({ name, value }));
  const type = request.headers['content-type'] ?? '';
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
      ...(request.body === undefined ? {} : { postData: { mimeType: type, text: request.body } }),
      headersSize: -1,
      bodySize: request.body === undefined ? 0 : Buffer.byteLength(request.body),
    },
    response: responseOf(response, failure),
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    comment: [label, operation, `token: ${identity}`].filter((part) => part !== undefined).join(' · '),
  };
}

function queryOf(url: string): readonly { readonly name: string; readonly value: string }[] {
  const query = url.split('?')[1] ?? '';
  return [...new URLSearchParams(query)].map(([name, value]) => ({ name, value }));
}

function responseOf(response: ShownExchange['response'], failure: ShownExchange['failure']): object {
  const { status = 0, headers = [], body = '', truncated = false } = response ?? {};
  const type = headers.find(([name]) => name === 'content-type')?.[1] ?? '';
  const comment =
    failure === undefined ? (truncated ? 'the rest of the body was not read' : undefined) : failure.message;
  return {
    status,
    statusText: '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: headers.map(([name, value]) => ({ name, value })),
    content: { size: Buffer.byteLength(body), mimeType: type, text: body },
    redirectURL: headers.find(([name]) => name === 'location')?.[1] ?? '',
    headersSize: -1,
    bodySize: Buffer.byteLength(body),
    ...(comment === undefined ? {} : { comment }),
  };
}
