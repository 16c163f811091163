import { ALLURE_HTTP_EXCHANGE_CONTENT_TYPE, ALLURE_HTTP_EXCHANGE_FILE_EXTENSION } from 'allure-js-commons/http';
import type { HttpExchange, HttpExchangeBody } from 'allure-js-commons/http';
import { Status } from 'allure-js-commons';
import type { RuntimeMessage } from 'allure-js-commons/sdk';
import type { ShownExchange } from '../../../spec/index.ts';
import { clip, visibleLine } from '../../text/visible.ts';

const BODY = 20_000;
const HEADERS = 100;
const COMMAND = 100_000;

/** A step with the exchange attached in the form that Allure draws as a request and its response. */
export function exchangeStep(exchange: ShownExchange, start: number, failed: boolean): RuntimeMessage[] {
  const { request, response } = exchange;
  const answer = response === undefined ? (exchange.failure?.kind ?? 'no answer') : String(response.status);
  const name = visibleLine(
    `${exchange.label === undefined ? '' : `${exchange.label}: `}${request.method} ${clip(request.url, 300)} → ${answer}`,
  );
  return [
    { type: 'step_start', data: { name, start } },
    attachment(
      'exchange',
      JSON.stringify(httpExchange(exchange, start)),
      ALLURE_HTTP_EXCHANGE_CONTENT_TYPE,
      ALLURE_HTTP_EXCHANGE_FILE_EXTENSION,
    ),
    ...(exchange.curl === '' ? [] : [attachment('curl', clip(exchange.curl, COMMAND), 'text/plain', '.txt')]),
    { type: 'step_stop', data: { stop: start + exchange.durationMs, status: failed ? Status.FAILED : Status.PASSED } },
  ];
}

/** A text attached to the test or step that is open. */
export function attachment(name: string, text: string, contentType: string, fileExtension: string): RuntimeMessage {
  return {
    type: 'attachment_content',
    data: { name, content: Buffer.from(text).toString('base64'), encoding: 'base64', contentType, fileExtension },
  };
}

function httpExchange(exchange: ShownExchange, start: number): HttpExchange {
  const { request, response, failure } = exchange;
  const headers = shown(Object.entries(request.headers));
  return {
    schemaVersion: 1,
    start,
    stop: start + exchange.durationMs,
    request: {
      method: request.method,
      url: clip(request.url, BODY),
      headers,
      ...(request.body === undefined ? {} : { body: body(request.body, request.headers['content-type'], false) }),
    },
    ...(response === undefined
      ? {}
      : {
          response: {
            status: response.status,
            headers: shown(response.headers),
            body: body(
              response.body,
              response.headers.find(([name]) => name === 'content-type')?.[1],
              response.truncated,
            ),
          },
        }),
    ...(failure === undefined ? {} : { error: { name: failure.kind, message: failure.message } }),
  };
}

function shown(headers: readonly (readonly [string, string])[]): { name: string; value: string }[] {
  return headers.slice(0, HEADERS).map(([name, value]) => ({ name: clip(name, 400), value: clip(value, 4000) }));
}

function body(text: string, contentType: string | undefined, truncated: boolean): HttpExchangeBody {
  const cut = text.length > BODY;
  return {
    ...(contentType === undefined ? {} : { contentType }),
    encoding: 'utf8',
    value: cut ? clip(text, BODY) : text,
    ...(cut || truncated ? { truncated: true } : {}),
  };
}
