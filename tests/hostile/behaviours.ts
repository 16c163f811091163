import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Socket } from 'node:net';
import type { Hostility } from './server.ts';

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';

/** A whole answer. */
function whole(body: string | Buffer, head = HEAD): (socket: Socket) => void {
  const bytes = Buffer.from(body);
  return (socket) => {
    socket.write(`${head}Content-Length: ${bytes.byteLength}\r\n\r\n`);
    socket.write(bytes);
  };
}

/** Writes the same again and again, as fast as it is taken or every so many milliseconds. */
function pour(socket: Socket, piece: string | Buffer, everyMs?: number): void {
  if (everyMs !== undefined) {
    const timer = setInterval(() => socket.write(piece), everyMs);
    socket.once('close', () => {
      clearInterval(timer);
    });
    return;
  }
  const more = (): void => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on('drain', more);
  more();
}

const zeros = Buffer.alloc(64 * 1024 * 1024, 0x20);
const once = <T>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => (made ??= make());
};
const gzipBomb = once(() => gzipSync(gzipSync(zeros)));
const brotliBomb = once(() => brotliCompressSync(zeros));
export const escaped = (text: string): string =>
  Array.from(text, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
const MARKUP = '</script><script>document.title="owned"</script><img src=x onerror=alert(1)>]]>';
const ESCAPES = '\u001B]0;owned\u0007\u001B[2J\u001B[31m\u009B5m\u202Egnp';
const echo =
  (how: (token: string) => string): Hostility =>
  (socket, { token }) =>
    whole(how(token))(socket);

const says =
  (text: string): Hostility =>
  (socket) =>
    void socket.write(text);
/** Says something, and then the same again and again. */
const goesOn =
  (head: string, piece: string, everyMs?: number): Hostility =>
  (socket) => {
    socket.write(head);
    pour(socket, piece, everyMs);
  };

/** What servers do that make a client fail, by name. */
export const HOSTILE_BEHAVIOURS = {
  'endless-body': goesOn(`${HEAD}\r\n`, ' '.repeat(65_536)),
  'endless-chunks': goesOn(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`, `10000\r\n${'['.repeat(65_536)}\r\n`),
  'byte-now-and-then': goesOn(`${HEAD}Content-Length: 99999\r\n\r\n`, ' ', 100),
  'slow-head': goesOn('HTTP/1.1 200 OK\r\n', 'a: b\r\n', 100),
  'million-headers': goesOn('HTTP/1.1 200 OK\r\n', 'a: b\r\n'.repeat(10_000)),
  'one-huge-header': goesOn('HTTP/1.1 200 OK\r\na: ', 'x'.repeat(65_536)),
  'gzip-bomb': (socket) => {
    whole(gzipBomb(), `${HEAD}Content-Encoding: gzip, gzip\r\n`)(socket);
  },
  'brotli-bomb': (socket) => {
    whole(brotliBomb(), `${HEAD}Content-Encoding: br\r\n`)(socket);
  },
  'false-gzip': whole('[]', `${HEAD}Content-Encoding: gzip\r\n`),
  'deep-json': whole('['.repeat(2_000_000)),
  'deep-whole-json': whole(`${'{"a":'.repeat(400)}1${'}'.repeat(400)}`),
  'invalid-utf8': whole(Buffer.from([0x5b, 0x22, 0xff, 0xc0, 0x80, 0x22, 0x5d])),
  utf16: whole(Buffer.from('\uFEFF[]', 'utf16le')),
  'nul-bytes': whole('[\u0000"\u0000"\u0000]', `${HEAD}x-nul: a\u0000b\r\n`),
  'too-short': (socket) => {
    socket.end(`${HEAD}Content-Length: 100\r\n\r\n[`);
  },
  'too-long': says(`${HEAD}Content-Length: 2\r\n\r\n[]HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\nsmuggled`),
  'two-lengths': says(`${HEAD}Content-Length: 2\r\nContent-Length: 3\r\n\r\n[]`),
  'bad-chunk': says(`${HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\n[]\r\n`),
  'redirect-to-itself': (socket, { path }) => {
    socket.write(`HTTP/1.1 307 Again\r\nLocation: ${path}\r\nContent-Length: 0\r\n\r\n`);
  },
  'redirect-elsewhere': (socket, { host }) => {
    const port = host.split(':')[1] ?? '80';
    socket.write(`HTTP/1.1 308 Elsewhere\r\nLocation: http://localhost:${port}/stolen\r\nContent-Length: 0\r\n\r\n`);
  },
  'reset-at-once': (socket) => {
    socket.resetAndDestroy();
  },
  'reset-within': (socket) => {
    socket.write(`${HEAD}Content-Length: 100\r\n\r\n[`, () => setTimeout(() => socket.resetAndDestroy(), 10));
  },
  'closed-at-once': (socket) => {
    socket.end();
  },
  'never-answers': () => undefined,
  markup: whole(
    JSON.stringify([{ id: MARKUP, name: MARKUP, [MARKUP]: MARKUP }]),
    `${HEAD}x-note: <script>alert(1)</script>\r\n`,
  ),
  'html-page': whole(
    `<!doctype html><title>Sign in</title>${MARKUP}`,
    'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n',
  ),
  'terminal-escapes': whole(
    JSON.stringify({ [ESCAPES]: ESCAPES }) + ESCAPES,
    `HTTP/1.1 200 \u001B[31mred\u001B]0;owned\r\nContent-Type: application/json\r\n`,
  ),
  'echo-body': echo((token) => JSON.stringify({ token, authorization: `Bearer ${token}` })),
  'echo-escaped': echo((token) => `{"token":"${escaped(token)}"}`),
  'echo-encoded': echo((token) => JSON.stringify([encodeURIComponent(token), Buffer.from(token).toString('base64')])),
  'echo-wrong-json': echo((token) => `{"${token}": ${token}`),
  'echo-header': (socket, { token }) => {
    whole('[]', `${HEAD}x-token: ${token}\r\nset-cookie: t=${token}\r\nx-${token}: 1\r\n`)(socket);
  },
  'echo-status-text': (socket, { token }) => {
    socket.write(`HTTP/1.1 500 bad ${token}\r\nContent-Type: text/${token}\r\nContent-Length: 0\r\n\r\n`);
  },
  'echo-broken': (socket, { token }) => {
    socket.end(`${token}\r\nHTTP/9.9 ${token}\r\n\r\n`);
  },
  'always-429': says('HTTP/1.1 429 Slower\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n'),
  'always-429-for-ages': says('HTTP/1.1 429 Slower\r\nRetry-After: 99999999999999999999\r\nContent-Length: 0\r\n\r\n'),
  'always-503': says('HTTP/1.1 503 Later\r\nRetry-After: Thu, 01 Jan 2099 00:00:00 GMT\r\nContent-Length: 0\r\n\r\n'),
  'interim-flood': (socket) => {
    pour(socket, 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'.repeat(100));
  },
  'switching-protocols': says('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
  'duplicated-headers': whole(
    '[]',
    `${HEAD}${'Set-Cookie: a=b\r\n'.repeat(1_000)}Content-Type: text/html\r\nETag: 1\r\nETag: 2\r\n`,
  ),
  'huge-numbers': whole(`[1e999999,-1e999999,${'9'.repeat(100_000)},0.${'0'.repeat(50_000)}1,-0]`),
  'proto-members': whole(
    '[{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"id":"__proto__","toString":1}]',
  ),
  'million-items': whole(`[${'{"id":1},'.repeat(500_000)}{"id":2}]`),
  'one-huge-string': whole(`["${'x'.repeat(6_000_000)}"]`),
  'paths-as-ids': whole(JSON.stringify('../../../admin?x=1#\r\nHost: elsewhere')),
  'odd-status': says('HTTP/1.1 999 \r\nContent-Length: 0\r\n\r\n'),
  'no-http': says('SSH-2.0-OpenSSH_9.2\r\n'),
} as const satisfies Record<string, Hostility>;

export type HostileBehaviour = keyof typeof HOSTILE_BEHAVIOURS;
