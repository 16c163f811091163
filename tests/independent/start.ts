/** Serves it over HTTP: routing, tokens, media types, and the layers that make it healthy in another way, or defective. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { serve } from '../../client/testing/fixtures.ts';
import { Refusal, isUuid } from './model.ts';
import { operations, permissionOf } from './operations.ts';
import { Service, TOKENS } from './service.ts';
import type { Answer, Call, Layer, Next, Options } from './service.ts';

const BODY_TYPE = /^(application\/([\w.-]+\+)?json|text\/json)\s*(;.*)?$/i;

/** Answers a call as documented. */
function documented(service: Service): Next {
  const routes = Object.entries(operations(service)).map(([operation, run]) => {
    const [method = '', path = ''] = operation.split(' ');
    const permission = permissionOf(path);
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
    return { method, permission, run, names, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`, 'i') };
  });
  return async (call) => {
    const matching = routes.filter(({ pattern }) => pattern.test(call.path));
    const route = matching.find(({ method }) => method === call.method);
    if (!route)
      return matching[0]
        ? { status: 405, headers: { allow: matching.map(({ method }) => method).join(', ') } }
        : { status: 404 };
    const token = /^Bearer (\S+)$/i.exec(call.headers['authorization'] ?? '')?.[1];
    if (route.permission !== 'none' && token !== TOKENS.full && token !== TOKENS.limited) return { status: 401 };
    if (route.permission.startsWith('RACI') && token === TOKENS.limited) return { status: 403 };
    const given = route.pattern.exec(call.path)?.slice(1).map(decodeURIComponent) ?? [];
    const params = Object.fromEntries(route.names.map((name, at) => [name, given[at] ?? '']));
    if (Object.entries(params).some(([name, value]) => name !== 'type' && !isUuid(value))) return { status: 404 };
    const type = call.headers['content-type'];
    if (call.body !== '' && !BODY_TYPE.test(type ?? '')) return { status: 415 };
    try {
      const body: unknown = await route.run({ ...call, params });
      return { status: 200, body };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { status: error.status, body: { title: error.message, status: error.status } };
    }
  };
}

async function callOf(request: IncomingMessage): Promise<Call | undefined> {
  const body = await text(request);
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://local');
  const [, form, path] = /^(\/api(?:\/v1)?)(\/.*)$/i.exec(pathname) ?? [];
  if (form === undefined || path === undefined) return undefined;
  const headers = request.headers as Record<string, string>;
  return {
    method: request.method ?? 'GET',
    form: form.toLowerCase(),
    path,
    query: searchParams,
    headers,
    body,
    params: {},
  };
}

function send(response: ServerResponse, call: Call | undefined, { status, body, headers = {} }: Answer): void {
  const accepted = /text\/json/i.test(call?.headers['accept'] ?? '') ? 'text/json' : 'application/json';
  const type =
    body === undefined
      ? {}
      : { 'content-type': `${status < 400 ? accepted : 'application/problem+json'}; charset=utf-8` };
  response.writeHead(status, { ...type, ...headers });
  response.end(
    body === undefined
      ? undefined
      : typeof headers['content-type'] === 'string' && typeof body === 'string'
        ? body
        : JSON.stringify(body),
  );
}

export interface Running {
  baseUrl: string;
  service: Service;
  close: () => Promise<void>;
}

/** Starts it on a free port; the last layer is the outermost. */
export async function start(layers: readonly Layer[] = [], options: Partial<Options> = {}): Promise<Running> {
  const service = new Service(options);
  const answer = layers.reduce<Next>((next, layer) => async (call) => layer(call, next, service), documented(service));
  const server = await serve((request, response) => {
    void (async () => {
      const call = await callOf(request);
      try {
        send(response, call, call ? await answer(call) : { status: 404 });
      } catch (error) {
        if (process.env['SHOW_CRASHES']) console.error(request.method, request.url, error);
        send(response, call, { status: 500 });
      }
    })().catch(() => response.destroy());
  });
  return { baseUrl: server.url, service, close: server.close };
}
