import { createPostgresBackend } from 'bullmq';
import type { BackendFactory, ConnectionOptions } from 'bullmq';
import { Redis } from 'ioredis';
import { AssayError, EXIT } from '../spec/index.ts';

/** Where the broker is. The password is no part of the URL. */
export interface BrokerAddress {
  readonly url: string;
  readonly password?: string | undefined;
}

/** A connection that BullMQ works on. */
export interface Backend {
  readonly connection: ConnectionOptions;
  /** Left out: Redis. */
  readonly factory?: BackendFactory<never, never>;
  /** Milliseconds since the epoch. */
  time(): Promise<number>;
  /** Connections that the broker takes at most, where it tells that. */
  mostConnections(): Promise<number | undefined>;
  close(): Promise<void>;
}

const CONNECT_MS = 5_000;
const LONGEST_RETRY_MS = 500;

function unreachable(url: string, cause: unknown): AssayError {
  const message = cause instanceof Error ? cause.message : String(cause);
  const reason = /RESP type/u.test(message) ? 'the server there is not Redis' : message;
  const isRefused = /WRONGPASS|NOAUTH|NOPERM|password authentication/u.test(reason);
  return new AssayError(
    `The broker at ${url} ${isRefused ? 'refuses the connection' : 'cannot be reached'}: ${reason.replace(/\.$/u, '')}.`,
    {
      hint: isRefused
        ? 'Set ASSAY_FLEET_PASSWORD, and the user in the URL: redis://USER@HOST.'
        : 'Start it, or check the URL of --fleet.',
      exitCode: EXIT.unreachable,
      cause,
    },
  );
}

async function openRedis({ url, password }: BrokerAddress): Promise<Backend> {
  // The client lets an empty password of the URL win over the option.
  const address = new URL(url);
  if (password !== undefined) address.password = encodeURIComponent(password);
  const client = new Redis(address.href, {
    maxRetriesPerRequest: null,
    lazyConnect: true,
    connectTimeout: CONNECT_MS,
    retryStrategy: (times) => Math.min(times * 50, LONGEST_RETRY_MS),
  });
  let problem: unknown;
  client.on('error', (error: unknown) => (problem = error));
  const timeout = new Promise<never>((_, reject) => {
    setTimeout(() => reject(problem ?? new Error('no answer within 5 s')), CONNECT_MS).unref();
  });
  try {
    client.connect().catch(() => {});
    await Promise.race([client.ping(), timeout]);
  } catch (error) {
    client.disconnect();
    throw unreachable(url, error);
  }
  return {
    connection: client as unknown as ConnectionOptions,
    time: async () => {
      const [seconds, micros] = await client.time();
      return Number(seconds) * 1000 + Number(micros) / 1000;
    },
    mostConnections: async () => {
      const told = /^maxclients:(\d+)/mu.exec(await client.info('clients'))?.[1];
      return told === undefined ? undefined : Number(told);
    },
    close: async () => client.disconnect(),
  };
}

const SCHEMA = 'assay';
const POOL = 3;

/** What is used of the optional package `pg`. */
interface PgPackage {
  readonly default: {
    readonly Pool: new (options: object) => {
      query(text: string): Promise<{ readonly rows: readonly { readonly ms: number }[] }>;
      on(name: 'error', listener: () => void): void;
      end(): Promise<void>;
    };
  };
}

/** The parts of the URL. A connection to another machine is encrypted and verified unless `sslmode=disable`. */
function postgresOptions(url: string): object {
  const { hostname, port, username, pathname, searchParams } = new URL(url);
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  return {
    host: hostname.replace(/^\[|\]$/gu, ''),
    port: Number(port) || 5432,
    user: decodeURIComponent(username),
    database: decodeURIComponent(pathname.slice(1)),
    ssl: !isLocal && searchParams.get('sslmode') !== 'disable',
  };
}

async function openPostgres({ url, password }: BrokerAddress): Promise<Backend> {
  const name = 'pg';
  const pg = (await import(name).catch((cause: unknown) => {
    throw new AssayError('A fleet on PostgreSQL needs the package pg.', {
      hint: 'Install it: npm install pg@8.23.1',
      exitCode: EXIT.usage,
      cause,
    });
  })) as PgPackage;
  const options = { ...postgresOptions(url), ...(password === undefined ? {} : { password }), max: POOL };
  const pool = new pg.default.Pool({ ...options, max: 1, connectionTimeoutMillis: CONNECT_MS });
  pool.on('error', () => {});
  const time = async (): Promise<number> => {
    const { rows } = await pool.query('select extract(epoch from clock_timestamp())::float8 * 1000 as ms');
    return rows[0]?.ms ?? Number.NaN;
  };
  try {
    await time();
  } catch (error) {
    await pool.end();
    throw unreachable(url, error);
  }
  return {
    connection: { ...options, schema: SCHEMA, migrate: true } as unknown as ConnectionOptions,
    factory: createPostgresBackend as unknown as BackendFactory<never, never>,
    time,
    // Other users of the database need some of its connections, so that its limit says little.
    mostConnections: () => Promise.resolve(undefined),
    close: () => pool.end(),
  };
}

export function openBackend(address: BrokerAddress): Promise<Backend> {
  return /^postgres(?:ql)?:/u.test(address.url) ? openPostgres(address) : openRedis(address);
}
