import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Finding, RunRecord } from '../../spec/index.ts';
import type { LiveLoad, LiveState } from '../console/progress.ts';
import type { Summary } from '../summary/types.ts';
import { eventOf, liveEvent, reportOf, tickEvent, verdictEvent } from './events.ts';
import type { PageEvent } from './events.ts';
import { livePage, pagePolicy } from './page.ts';

/** A page that shows a run in progress. */
export interface LivePage {
  /** With a token that opens the page once. */
  readonly url: string;
  record(record: RunRecord): void;
  live(state: LiveState): void;
  /** Shows the verdict and the report files. */
  end(summary: Summary, files?: readonly string[]): void;
  /** Sends the last events and closes the connections. */
  close(): Promise<void>;
}

/** Events are sent together, ten times per second. */
const PAUSE_MS = 100;
const BATCH = 500;
/** A reader with more unsent data is disconnected; the browser reconnects and continues. */
const MOST_BYTES = 16 * 1024 * 1024;

/** How long the server waits at the end until the page has the report. */
const REPORT_MS = 2000;

/** Serves the page on a free port of 127.0.0.1. Its button calls `abort`; `isKnown` tells the findings of the baseline. */
export async function openLivePage(abort?: () => void, isKnown?: (finding: Finding) => boolean): Promise<LivePage> {
  const feed = new Feed();
  const gate = new Gate();
  const report = new Report();
  const seconds = new Seconds(feed);
  const server = createServer((request, response) => answer({ request, response, feed, gate, report, abort }));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  gate.hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  return {
    url: `http://127.0.0.1:${port}/?token=${gate.token}`,
    record(record) {
      const event = eventOf(record, isKnown);
      if (event !== undefined) feed.add(event);
    },
    live(state) {
      feed.show(liveEvent(state));
      if (state.load?.steps !== undefined) seconds.add(state.load);
    },
    end(summary, files = []) {
      report.file = reportOf(files);
      feed.add(verdictEvent(summary, files));
    },
    async close() {
      const isSeen = feed.hasReaders && report.file !== undefined;
      await feed.close();
      if (isSeen) await Promise.race([report.wasRead, sleep(REPORT_MS, undefined, { ref: false })]);
      server.close();
      server.closeAllConnections();
    },
  };
}

interface Visit {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly feed: Feed;
  readonly gate: Gate;
  readonly report: Report;
  readonly abort: (() => void) | undefined;
}

function answer({ request, response, feed, gate, report, abort }: Visit): void {
  if (!gate.isOurHost(request) || !URL.canParse(request.url ?? '', 'http://page'))
    return refuse(response, 'Open the page at the address that Assay printed.');
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://page');
  const token = searchParams.get('token');
  if (pathname === '/' && token !== null && gate.admit(token)) {
    response.writeHead(303, { location: '/', 'set-cookie': gate.cookie }).end();
    return;
  }
  if (!gate.isKnown(request))
    return refuse(response, 'This link works only once, in one browser. Start the run again to get a new link.');
  if (pathname === '/' && request.method === 'GET') {
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': pagePolicy(),
      'cache-control': 'no-store',
    });
    response.end(livePage(abort !== undefined));
  } else if (pathname === '/events' && request.method === 'GET') feed.join(request, response);
  else if (pathname === '/report' && request.method === 'GET') report.send(response);
  else if (pathname === '/abort' && request.method === 'POST' && abort !== undefined && gate.isSameOrigin(request)) {
    abort();
    response.writeHead(202).end();
  } else response.writeHead(404).end();
}

function refuse(response: ServerResponse, why: string): void {
  response.writeHead(403, { 'content-type': 'text/plain; charset=utf-8' }).end(`${why}\n`);
}

/** Admits one browser: the token of the URL is valid once and exchanged for a cookie. */
class Gate {
  readonly token = randomBytes(16).toString('hex');
  hosts: readonly string[] = [];
  readonly #session = randomBytes(16).toString('hex');
  #isOpen = true;

  get cookie(): string {
    return `assay=${this.#session}; HttpOnly; SameSite=Strict; Path=/`;
  }

  admit(token: string): boolean {
    if (!this.#isOpen || !isSame(token, this.token)) return false;
    this.#isOpen = false;
    return true;
  }

  isKnown({ headers }: IncomingMessage): boolean {
    const given = /(?:^|;\s*)assay=([0-9a-f]+)/.exec(headers.cookie ?? '')?.[1] ?? '';
    return isSame(given, this.#session);
  }

  isOurHost({ headers }: IncomingMessage): boolean {
    return this.hosts.includes(headers.host ?? '');
  }

  isSameOrigin({ headers }: IncomingMessage): boolean {
    return this.hosts.some((host) => headers.origin === `http://${host}`);
  }
}

/** Compares secrets in constant time. */
function isSame(given: string, secret: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(secret)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The report that the run wrote, which the page reads before the server ends. */
class Report {
  file: string | undefined;
  #resolve = (): void => undefined;
  readonly wasRead = new Promise<void>((resolve) => {
    this.#resolve = resolve;
  });

  send(response: ServerResponse): void {
    if (this.file === undefined) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).once('close', this.#resolve);
    createReadStream(this.file)
      .on('error', () => response.destroy())
      .pipe(response);
  }
}

/** Ticks of a search for the capacity, which records none: one per second. */
class Seconds {
  readonly #feed: Feed;
  #nextAt = 0;
  #errors = 0;

  constructor(feed: Feed) {
    this.#feed = feed;
  }

  add(load: LiveLoad): void {
    const now = performance.now();
    if (now < this.#nextAt) return;
    this.#nextAt = now + 1000;
    this.#feed.add(tickEvent(load, this.#errors));
    this.#errors = load.errors;
  }
}

class Feed {
  readonly #events: PageEvent[] = [];
  readonly #readers = new Map<ServerResponse, number>();
  #live: PageEvent | undefined;
  #timer: NodeJS.Timeout | undefined;

  add(event: PageEvent): void {
    this.#events.push(event);
    this.#soon();
  }

  /** Replaces the last event of this kind. */
  show(event: PageEvent): void {
    this.#live = event;
    this.#soon();
  }

  /** Sends everything since the last event that the reader has. */
  join({ headers }: IncomingMessage, response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.write('retry: 500\n\n');
    this.#readers.set(response, Number(headers['last-event-id'] ?? 0) || 0);
    response.once('close', () => this.#readers.delete(response));
    this.#send();
  }

  get hasReaders(): boolean {
    return this.#readers.size > 0;
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#send();
    const ended = [...this.#readers.keys()].map((reader) => new Promise<void>((resolve) => reader.end(resolve)));
    await Promise.race([Promise.all(ended), new Promise((resolve) => setTimeout(resolve, 1000).unref())]);
  }

  #soon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#send();
    }, PAUSE_MS).unref();
  }

  #send(): void {
    for (const [reader, sent] of this.#readers) {
      let at = sent;
      while (at < this.#events.length) {
        const events = this.#events.slice(at, at + BATCH);
        at += events.length;
        reader.write(`id: ${at}\ndata: ${JSON.stringify(events)}\n\n`);
      }
      this.#readers.set(reader, at);
      if (this.#live !== undefined) reader.write(`data: ${JSON.stringify([this.#live])}\n\n`);
      if (reader.writableLength > MOST_BYTES) reader.destroy();
    }
    this.#live = undefined;
  }
}
