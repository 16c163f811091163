import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server of known behaviour on a free port of the loopback interface. */
export interface TestTarget {
  readonly baseUrl: string;
  readonly port: number;
  close(): Promise<void>;
}

/** Starts a real server around a handler that gets the whole body. */
export async function startTarget(handle: (request: http.IncomingMessage, response: http.ServerResponse, body: string) => void, server = http.createServer()): Promise<TestTarget> {
  server.on('request', (request: http.IncomingMessage, response: http.ServerResponse) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text)).on('end', () => handle(request, response, body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { baseUrl: `http://127.0.0.1:${port}`, port, close };
}
