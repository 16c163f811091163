import { createServer } from 'node:http';
import type { OutgoingHttpHeaders, RequestListener } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { afterAll, onTestFinished } from 'vitest';
import type { Contract, Method, Operation, Parameter } from '../../spec/index.ts';
import type { TargetOptions } from '../options.ts';
import { createTarget } from '../pipeline.ts';
import type { Target } from '../pipeline.ts';
import type { RequestSpec } from '../request-spec.ts';

export interface TestServer {
  readonly port: number;
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Closes these when the running test has ended. */
export function closeAfterTest(...opened: readonly { close(): unknown }[]): void {
  onTestFinished(async () => void (await Promise.all(opened.map((each) => each.close()))));
}

/** The same for one that may still be opening. */
export async function kept<T extends { close(): unknown }>(opening: T | Promise<T>): Promise<T> {
  const opened = await opening;
  closeAfterTest(opened);
  return opened;
}

/** Starts any server on 127.0.0.1, port 0. */
export async function listen(server: Server, scheme = 'http'): Promise<TestServer> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no address');
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  return { port: address.port, url: `${scheme}://127.0.0.1:${address.port}`, close };
}

export function serve(listener: RequestListener): Promise<TestServer> {
  return listen(createServer(listener));
}

/** Always the same response. */
export function answering(
  status: number,
  body: string | Buffer = '',
  headers: OutgoingHttpHeaders = {},
): RequestListener {
  return (_request, response) => void response.writeHead(status, headers).end(body);
}

/** A server that speaks raw bytes, once it has read something. */
export function raw(answer: (socket: Socket, connection: number) => void): Promise<TestServer> {
  let connections = 0;
  return listen(
    createTcpServer((socket) => {
      const connection = ++connections;
      socket.on('data', () => answer(socket, connection));
    }),
  );
}

export function operation(parts: Partial<Operation> & { path: string; method?: Method }): Operation {
  const { path, method = 'GET' } = parts;
  return {
    id: `${method} ${path}`,
    method,
    forms: [{ name: '/api', path: `/api${path}`, pointer: '' }],
    tag: '',
    summary: '',
    parameters: [],
    responses: [],
    permission: 'any',
    effect: 'read',
    extensions: {},
    ...parts,
  };
}

/** A request to `/api/things`, or to the given operation. */
export function aRequest(parts: Partial<RequestSpec> = {}): RequestSpec {
  const op = parts.operation ?? operation({ path: '/things' });
  const form = parts.form ?? op.forms[0] ?? { name: '/api', path: '/api', pointer: '' };
  return { ...parts, operation: op, form };
}

export function contractOf(...operations: readonly Operation[]): Contract {
  return {
    title: 'Things',
    version: '1',
    source: 'test',
    dialect: 'openapi-3.1',
    builtIn: false,
    document: {},
    operations,
    requirements: [],
    problems: [],
    operation: (id) => operations.find((each) => each.id === id),
    resolve: (ref) => ref,
    validate: () => [],
  };
}

export function integer(name: string, initial: number): Parameter {
  const schema = { pointer: '', schema: { type: 'integer', default: initial } };
  return { name, in: 'query', required: false, style: 'form', explode: true, allowReserved: false, schema };
}

/** A target for a server, which is not asked again where it cannot be reached. Both are closed after the test. */
export function targetOf(server: TestServer, options: Partial<TargetOptions> = {}): Target {
  const target = createTarget({ baseUrl: server.url, retry: { reconnect: false }, ...options });
  closeAfterTest(server, target);
  return target;
}

/** The same for a service with this listener. */
export async function targetServing(listener: RequestListener, options: Partial<TargetOptions> = {}): Promise<Target> {
  return targetOf(await serve(listener), options);
}

/** The same for all tests of a file, with a target like that of a run. */
export async function targetForAll(listener: RequestListener, options: Partial<TargetOptions> = {}): Promise<Target> {
  const server = await serve(listener);
  const target = createTarget({ baseUrl: server.url, ...options });
  afterAll(() => Promise.all([target.close(), server.close()]));
  return target;
}
