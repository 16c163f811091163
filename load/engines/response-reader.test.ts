import { describe, expect, it } from 'vitest';
import { ResponseReader } from './response-reader.ts';
import type { ReadState } from './response-reader.ts';

interface Outcome {
  readonly reading: ReadState;
  readonly status: number;
  readonly keepAlive: boolean;
  readonly body: string | undefined;
}

/** Reads a text in pieces through one reused buffer, as from a socket. */
function read(text: string, size: number, isHead = false): Outcome {
  const reader = new ResponseReader(() => true);
  reader.reset(isHead);
  const shared = Buffer.alloc(1024 * 64);
  let reading: ReadState = 'more';
  for (let at = 0; at < text.length && reading === 'more'; at += size) {
    const piece = text.slice(at, at + size);
    shared.fill(0);
    shared.write(piece, 'latin1');
    reading = reader.read(shared, piece.length);
  }
  if (reading === 'more') reading = reader.ended();
  return {
    reading,
    status: reader.head.status,
    keepAlive: reader.head.keepAlive,
    body: reader.kept()?.body.toString(),
  };
}

const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`;
const INTERIM = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nLink: x\r\n\r\n';
const NONE = 'HTTP/1.1 204 No Content\r\n';
const KEPT = 'HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\n';
const OTHER_CASE = 'HTTP/1.1 201 Created\r\ncONTENT-lENGTH:   2  \r\nX: content-length: 9\r\n\r\nok';
const TRAILERS = `${OK}transfer-encoding: chunked\r\n\r\nA\r\n0123456789\r\n0\r\nX-Sum: 1\r\nY: 2\r\n\r\n`;

const WHOLE: [name: string, text: string, expected: Partial<Outcome>][] = [
  [
    'a length',
    `${OK}Content-Type: a/b\r\nContent-Length: 5\r\n\r\nhello`,
    { status: 200, keepAlive: true, body: 'hello' },
  ],
  ['names in any case, spaces', OTHER_CASE, { status: 201, body: 'ok' }],
  ['bare line feeds', 'HTTP/1.1 200 OK\nContent-Length: 2\n\nok', { status: 200, body: 'ok' }],
  ['no body', `${NONE}Date: x\r\n\r\n`, { status: 204, body: '' }],
  ['not modified with a length', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 99\r\n\r\n', { status: 304, body: '' }],
  [
    'no content with a coding',
    `${NONE}Transfer-Encoding: chunked\r\n\r\n`,
    { status: 204, keepAlive: false, body: '' },
  ],
  ['an empty body', `${OK}Content-Length: 0\r\n\r\n`, { status: 200, body: '' }],
  ['chunks', `${CHUNKED}4\r\nWiki\r\n6;x=1\r\npedia!\r\n0\r\n\r\n`, { status: 200, body: 'Wikipedia!' }],
  ['chunks with trailers', TRAILERS, { body: '0123456789' }],
  ['an interim answer first', `${INTERIM}${OK}Content-Length: 2\r\n\r\nok`, { status: 200, body: 'ok' }],
  ['the connection closing', `${OK}Content-Length: 2\r\nConnection: close\r\n\r\nok`, { keepAlive: false, body: 'ok' }],
  ['HTTP/1.0', 'HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok', { keepAlive: false }],
  ['HTTP/1.0 kept alive', `${KEPT}Content-Length: 2\r\n\r\nok`, { keepAlive: true }],
  ['a body until the end', `${OK}\r\nall of it`, { keepAlive: false, body: 'all of it' }],
];

describe.each([1, 3, 7, 4096])('in pieces of %i', (size) => {
  it.each(WHOLE)('reads %s', (_, text, expected) => {
    expect(read(text, size)).toMatchObject({ reading: 'done', ...expected });
  });

  it.each(['Content-Length: 5', 'Transfer-Encoding: chunked', 'Date: x'])('reads the response to HEAD: %s', (line) => {
    const text = `${OK}${line}\r\n\r\n`;
    expect(read(text, size, true)).toMatchObject({ reading: 'done', status: 200, keepAlive: true, body: '' });
  });

  it.each([
    ['what is no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n\r\n'],
    ['a bad length', 'HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n'],
    ['a bad chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
    ['an end within the body', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello'],
    ['an end within the head', 'HTTP/1.1 200 OK\r\nContent-'],
    ['an upgrade', 'HTTP/1.1 101 Switching Protocols\r\n\r\n'],
  ])('refuses %s', (_, text) => {
    expect(read(text, size).reading).toBe('broken');
  });
});

it('rejects more bytes than the content length', () => {
  expect(read('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok and more', 4096).reading).toBe('broken');
});

it('keeps no unwanted body', () => {
  const reader = new ResponseReader(() => false);
  const bytes = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
  expect(reader.read(bytes, bytes.length)).toBe('done');
  expect(reader.kept()).toBeUndefined();
});
