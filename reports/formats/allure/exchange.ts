import { AssertionError } from 'node:assert';
import { attachment, step } from 'allure-js-commons';
import { ALLURE_HTTP_EXCHANGE_CONTENT_TYPE, ALLURE_HTTP_EXCHANGE_FILE_EXTENSION } from 'allure-js-commons/http';
import type { HttpExchange, HttpExchangeBody } from 'allure-js-commons/http';
import type { ShownExchange } from '../../../spec/index.ts';
import { clip, visibleLine } from '../../text/visible.ts';

const BODY = 20_000;
const HEADERS = 100;
const COMMAND = 100_000;

/** A step with the exchange as an attachment that Allure shows as request and response. */
export async function exchangeStep(exchange: ShownExchange, start: number, failed: boolean): Promise<void> {
  const { label, request, response, failure, curl } = exchange;
  const title = label === undefined ? '' : `${label}: `;
  const outcome = response === undefined ? (failure?.kind ?? 'no response') : String(response.status);
  const name = visibleLine(`${title}${request.method} ${clip(request.url, 300)} → ${outcome}`);
  const body = async (): Promise<void> => {
    await attachment('exchange', JSON.stringify(httpExchange(exchange, start)), {
      contentType: ALLURE_HTTP_EXCHANGE_CONTENT_TYPE,
      fileExtension: ALLURE_HTTP_EXCHANGE_FILE_EXTENSION,
    });
    if (curl !== '') await attachment('curl', clip(curl, COMMAND), 'text/plain');
    if (failed)
      throw Object.assign(new AssertionError({ message: 'this exchange shows the violation' }), { stack: '' });
  };
  try {
    await step(name, body);
  } catch (error) {
    if (!(error instanceof AssertionError)) throw error;
  }
}

function httpExchange({ request, response, failure, durationMs }: ShownExchange, start: number): HttpExchange {
  const { method, url, headers, body } = request;
  return {
    schemaVersion: 1,
    start,
    stop: start + durationMs,
    request: {
      method,
      url: clip(url, BODY),
      headers: headerList(Object.entries(headers)),
      ...(body === undefined ? {} : { body: shownBody(body, headers['content-type'], false) }),
    },
    ...(response === undefined ? {} : { response: httpResponse(response) }),
    ...(failure === undefined ? {} : { error: { name: failure.kind, message: failure.message } }),
  };
}

function httpResponse({
  status,
  headers,
  body,
  truncated,
}: NonNullable<ShownExchange['response']>): NonNullable<HttpExchange['response']> {
  const contentType = headers.find(([name]) => name === 'content-type')?.[1];
  return { status, headers: headerList(headers), body: shownBody(body, contentType, truncated) };
}

function headerList(headers: readonly (readonly [string, string])[]): { name: string; value: string }[] {
  return headers.slice(0, HEADERS).map(([name, value]) => ({ name: clip(name, 400), value: clip(value, 4000) }));
}

function shownBody(text: string, contentType: string | undefined, truncated: boolean): HttpExchangeBody {
  return {
    ...(contentType === undefined ? {} : { contentType }),
    encoding: 'utf8',
    value: clip(text, BODY),
    ...(truncated || text.length > BODY ? { truncated: true } : {}),
  };
}
