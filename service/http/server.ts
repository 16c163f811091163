import type { Socket } from 'node:net';
import { fastify } from 'fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { writeJson } from '../json/exact.ts';
import type { World } from '../world/world.ts';
import type { Answer } from './answer.ts';
import type { Call, Handler, Operation } from './call.ts';
import { negotiate } from './media.ts';
import { Query } from './query.ts';
import { problem } from './refusal.ts';
import { shadowedRoutes } from './unrouted.ts';

const BODY_LIMIT = 30_000_000;
const HEADER_LIMIT = 32 * 1024;
const URL_LIMIT = 8 * 1024;

export interface Serving {
  readonly world: World;
  readonly operations: readonly Operation[];
  readonly serve: Handler;
}

/** Creates the HTTP server: requests to calls, responses to replies. */
export function createServer(serving: Serving): FastifyInstance {
  const app = fastify({
    bodyLimit: BODY_LIMIT,
    http: { maxHeaderSize: HEADER_LIMIT },
    forceCloseConnections: true,
    clientErrorHandler: refuseRequest,
    exposeHeadRoutes: false,
    routerOptions: {
      caseSensitive: false,
      ignoreTrailingSlash: true,
      maxParamLength: URL_LIMIT,
      querystringParser: () => ({}),
    },
    frameworkErrors: (error, _request, reply) => void sendProblem(reply, error.statusCode ?? 400, error.message),
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  for (const operation of serving.operations) addRoutes(app, serving, operation);
  const unrouted = (request: FastifyRequest, reply: FastifyReply) => answer(serving, undefined, request, reply);
  for (const { method, path } of shadowedRoutes(serving.operations))
    app.route({ method, url: urlOf(path), handler: unrouted });
  app.setNotFoundHandler(unrouted);
  app.setErrorHandler((error: { statusCode?: number; message: string }, request, reply) =>
    request.is404 ? unrouted(request, reply) : sendProblem(reply, error.statusCode ?? 500, error.message),
  );
  return app;
}

function urlOf(template: string): string {
  return template.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** Responds to requests that Node cannot parse, for example unknown methods or headers over the limit. */
function refuseRequest(error: { code?: string }, socket: Socket): void {
  const statuses: Record<string, string> = {
    HPE_INVALID_METHOD: '405 Method Not Allowed',
    HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  };
  const status = statuses[error.code ?? ''] ?? '400 Bad Request';
  if (socket.writable) socket.write(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
  socket.destroySoon();
}

function addRoutes(app: FastifyInstance, serving: Serving, operation: Operation): void {
  for (const form of operation.forms) {
    app.route({
      method: operation.method,
      url: urlOf(form + operation.path),
      handler: (request, reply) => answer(serving, operation, request, reply),
    });
  }
}

async function answer(
  serving: Serving,
  operation: Operation | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (request.url.length > URL_LIMIT) return sendProblem(reply, 414, 'The URL is too long.');
  const call = callFrom(serving.world, operation, request);
  return send(reply, await serving.serve(call), call);
}

function callFrom(world: World, operation: Operation | undefined, request: FastifyRequest): Call {
  const { url, headers } = request;
  const mark = url.indexOf('?');
  return {
    operation,
    path: mark < 0 ? url : url.slice(0, mark),
    world,
    params: operation === undefined ? {} : (request.params as Record<string, string>),
    query: Query.parse(mark < 0 ? '' : url.slice(mark + 1)),
    authorization: headers.authorization,
    accept: headers.accept,
    contentType: headers['content-type'],
    raw: request.body as Buffer | undefined,
    body: undefined,
    identity: undefined,
  };
}

function send(reply: FastifyReply, answer: Answer, call: Call): FastifyReply {
  reply.code(answer.status);
  if (answer.headers !== undefined) reply.headers(answer.headers);
  if (answer.body === undefined) return reply.send();
  const type = answer.type ?? negotiate(call.accept);
  return reply.header('content-type', `${type}; charset=utf-8`).send(writeJson(answer.body));
}

function sendProblem(reply: FastifyReply, status: number, detail: string): FastifyReply {
  const { body } = problem(status, detail);
  return reply.code(status).header('content-type', 'application/problem+json; charset=utf-8').send(writeJson(body));
}
