import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { parsedJson } from '../../spec/json.ts';
import type { Json } from '../../spec/index.ts';
import { serve } from './fixtures.ts';
import type { TestServer } from './fixtures.ts';

/** What a small service receives. */
export interface Received {
  readonly method: string;
  readonly url: string;
  /** The path without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The body; undefined if it is no JSON. */
  readonly sent: Json | undefined;
}

/** What a small service answers. */
export interface Answer {
  readonly status: number;
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A service that answers in JSON. */
export function serveJson(answer: (received: Received) => Answer): Promise<TestServer> {
  return serve((request, response) => {
    void text(request).then((body) => {
      const { method = '', url = '', headers } = request;
      const [path = '', query] = url.split('?', 2);
      const received = { method, url, path, query: new URLSearchParams(query), headers, body };
      const found = answer({ ...received, sent: parsedJson(body) });
      const type = found.json === undefined ? {} : { 'content-type': 'application/json' };
      response.writeHead(found.status, { ...type, ...found.headers });
      response.end(found.json === undefined ? undefined : JSON.stringify(found.json));
    });
  });
}
