import { createPostgresBackend } from 'bullmq';
import type { BackendFactory, ConnectionOptions } from 'bullmq';
import { Redis } from 'ioredis';
import { AssayError, EXIT, usageError } from '../spec/index.ts';
import { isLoopback } from '../spec/loopback.ts';

/** Address of the broker; the password is not part of the URL. */
export interface BrokerAddress {
  readonly url: string;
  readonly password?: string | undefined;
}

/** The connection that BullMQ uses. */
export interface Backend {
  readonly connection: ConnectionOptions;
  /** Undefined for Redis. */
  readonly factory?: BackendFactory<never, never>;
  /** Milliseconds since the epoch by the broker's clock. */
  time(): Promise<number>;
  /** How many connections the broker allows, if known. */
  maxConnections(): Promise<number | undefined>;
  close(): Promise<void>;
}

const CONNECT_MS = 5_000;
const LONGEST_RETRY_MS = 500;

function unreachable(url: string, cause: unknown): AssayError {
  const message = cause instanceof Error ? cause.message : String(cause);
  const reason = /RESP type/u.test(message) ? 'the server is not Redis' : message;
  const isRefused = /WRONGPASS|NOAUTH|NOPERM|password authentication/u.test(reason);
  return new AssayError(
    `The broker at ${url} ${isRefused ? 'refuses the connection' : 'cannot be reached'}: ${reason.replace(/\.$/u, '')}.`,
    {
      hint: isRefused
        ? 'Set ASSAY_FLEET_PASSWORD to the password, and give the user in the URL: redis://USER@HOST.'
        : 'Start the broker, or correct the URL in --fleet.',
      exitCode: EXIT.unreachable,
      cause,
    },
  );
}

async function openRedis({ url, password }: BrokerAddress): Promise<Backend> {
  // ioredis prefers an empty password in the URL to the option, so the password is set in the URL.
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
    maxConnections: async () => {
      const limit = /^maxclients:(\d+)/mu.exec(await client.info('clients'))?.[1];
      return limit === undefined ? undefined : Number(limit);
    },
    close: async () => client.disconnect(),
  };
}

const SCHEMA = 'assay';
const POOL = 3;

/** The part of the optional package `pg` that is used here. */
interface PgPackage {
  readonly default: {
    readonly Pool: new (options: object) => {
      query(text: string): Promise<{ readonly rows: readonly { readonly ms: number }[] }>;
      on(name: 'error', listener: () => void): void;
      end(): Promise<void>;
    };
  };
}

/** Connection options from the URL. Connections to other machines use verified TLS unless `sslmode=disable`. */
function postgresOptions(url: string): object {
  const { hostname, port, username, pathname, searchParams } = new URL(url);
  return {
    host: hostname.replace(/^\[|\]$/gu, ''),
    port: Number(port) || 5432,
    user: decodeURIComponent(username),
    database: decodeURIComponent(pathname.slice(1)),
    ssl: !isLoopback(hostname) && searchParams.get('sslmode') !== 'disable',
  };
}

async function openPostgres({ url, password }: BrokerAddress): Promise<Backend> {
  const name = 'pg';
  const pg = (await import(name).catch((cause: unknown) => {
    throw usageError('A fleet on PostgreSQL needs the package pg.', 'Install it: npm install pg@8.23.1', cause);
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
    // Other users of the database need connections too, so its limit is no measure.
    maxConnections: () => Promise.resolve(undefined),
    close: () => pool.end(),
  };
}

/** Connects to Redis, Valkey or PostgreSQL, by the scheme of the address. */
export function openBackend(address: BrokerAddress): Promise<Backend> {
  return /^postgres(?:ql)?:/u.test(address.url) ? openPostgres(address) : openRedis(address);
}
