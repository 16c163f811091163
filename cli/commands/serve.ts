import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { resolve } from 'node:path';
import type { Defect } from '../../prove/index.ts';
import { startService } from '../../service/start.ts';
import type { RunningService, ServiceOptions } from '../../service/start.ts';
import { makeFolder } from '../../spec/make-folder.ts';
import { EXIT, usageError } from '../../spec/errors.ts';
import type { Contract } from '../../spec/index.ts';
import { isLoopback } from '../../spec/loopback.ts';
import { requireAddOn } from '../add-ons.ts';
import type { OptionOf } from '../catalogue.ts';
import { COMMAND } from '../command-name.ts';
import { defined } from '../../spec/defined.ts';
import type { ServeLine } from '../embedded.ts';
import type { Invocation } from '../invocation.ts';
import { didYouMean } from '../../spec/nearest.ts';
import { refuse } from '../problems.ts';
import type { Problem } from '../problems.ts';

type ServeInvocation = Invocation<OptionOf<'serve'>>;

let contract: Promise<Contract> | undefined;

/** Loaded once, and only for a fault: defects refer to the operations of this object. */
function builtInContract(): Promise<Contract> {
  contract ??= import('../../spec/index.ts').then(({ loadContract }) => loadContract());
  return contract;
}

async function chooseFaults({ settings, problems }: ServeInvocation): Promise<readonly Defect[]> {
  if (settings.fault.length === 0) return [];
  const { defectsOf } = await import('../../prove/index.ts');
  const known = defectsOf(await builtInContract());
  return settings.fault.flatMap((name) => {
    const defect = known.get(name);
    if (defect === undefined) problems.push(unknownFault(name, [...known.keys()]));
    return defect ?? [];
  });
}

function unknownFault(name: string, known: readonly string[]): Problem {
  const variants = known.filter((each) => each.replace(/:\S+/, '') === name);
  const hint = variants.length > 0 ? `use a variant: ${variants.slice(0, 8).join(', ')}` : didYouMean(name, known);
  return {
    subject: `--fault ${JSON.stringify(name)}`,
    message: 'is not a known defect',
    hint: hint || 'list them with assay prove --list',
  };
}

function greeting({ baseUrl, tokens }: ServeLine, faults: readonly string[]): string {
  const { full, limited, expired } = tokens;
  const enabled = faults.length === 0 ? '' : ` (faults: ${faults.join(', ')})`;
  return [
    `Embedded service listening on ${baseUrl}${enabled}. Press Ctrl-C to stop.`,
    '',
    'In another terminal:',
    `  export ASSAY_TOKEN=${full} ASSAY_LIMITED_TOKEN=${limited} ASSAY_EXPIRED_TOKEN=${expired}`,
    `  ${COMMAND} verify --base-url ${baseUrl} --allow all`,
    '',
  ].join('\n');
}

/** Addresses that mean every interface, with the loopback address to connect to. */
const EVERY_ADDRESS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '[::]': '[::1]' };

/** The URL for clients on this machine. */
function reachableUrl(baseUrl: string): string {
  const { protocol, hostname, port } = new URL(baseUrl);
  return `${protocol}//${EVERY_ADDRESS[hostname] ?? hostname}:${port}`;
}

/** A warning that other machines can connect, with the URLs that they use. */
function openWarning(baseUrl: string, host: string): string {
  const { hostname, port } = new URL(baseUrl);
  const outside = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .map(({ address }) => `http://${address}:${port}`);
  const where = hostname in EVERY_ADDRESS && outside.length > 0 ? `: ${outside.join(', ')}` : '';
  return `warning: with --host ${host} other machines can reach this service${where}, without TLS and protected by the tokens only\n`;
}

/** Resolves at a signal, or when the process that started this one ends. */
async function untilStopped(signal: AbortSignal): Promise<void> {
  // The process that started this one may have ended before this line.
  const isOrphan = process.send !== undefined && !process.connected;
  const reasons = [
    ...(signal.aborted || isOrphan ? [Promise.resolve()] : [once(signal, 'abort')]),
    ...(process.connected ? [once(process, 'disconnect')] : []),
  ];
  await Promise.race(reasons);
}

const OTHER_ADDRESS = ['it is not an address of this machine', 'use another --host'] as const;
const LISTEN_PROBLEMS: Readonly<Record<string, readonly [why: string, hint: string]>> = {
  EADDRINUSE: ['the port is in use', 'use another --port, or 0 for any free port'],
  EACCES: ['it is not permitted', 'use a --port above 1023'],
  EADDRNOTAVAIL: OTHER_ADDRESS,
  ENOTFOUND: OTHER_ADDRESS,
};

async function start(options: ServiceOptions): Promise<RunningService> {
  try {
    if (options.dataDir !== undefined) makeFolder(options.dataDir);
    return await startService(options);
  } catch (cause) {
    const { code = '', syscall } = cause as NodeJS.ErrnoException;
    if (syscall === 'mkdir')
      throw usageError(`--data: cannot create the directory ${options.dataDir} (${code})`, 'use another one', cause);
    const problem = LISTEN_PROBLEMS[code];
    if (problem === undefined) throw cause;
    const [why, hint] = problem;
    throw usageError(`cannot listen on ${options.host}:${options.port}: ${why}`, hint, cause);
  }
}

/** Starts the service; defects that change responses are made by a proxy in front of it. */
async function startWith(options: ServiceOptions, defects: readonly Defect[]): Promise<RunningService> {
  const mutated = defects.filter(({ make }) => make !== undefined);
  if (mutated.length === 0) return start(options);
  const service = await start({ ...options, port: 0, host: '127.0.0.1' });
  const { startMutated } = await import('../../prove/index.ts');
  const { port = 0, host = '127.0.0.1' } = options;
  const { baseUrl: upstream, tokens } = service;
  const proxy = await startMutated({
    upstream,
    tokens,
    contract: await builtInContract(),
    defects: mutated,
    port,
    host,
  });
  const close = async (): Promise<void> => {
    await proxy.close();
    await service.close();
  };
  return { baseUrl: proxy.baseUrl, tokens, close };
}

export async function serve(invocation: ServeInvocation): Promise<number> {
  const { settings, problems, directory, signal } = invocation;
  const defects = await chooseFaults(invocation);
  if (settings.data !== undefined) requireAddOn('data', '--data', problems);
  refuse(problems);
  const { port, host, data, fault, seed, capacity, token } = settings;
  const options: ServiceOptions = {
    port,
    host,
    secret: token ?? randomBytes(32).toString('base64url'),
    faults: defects.flatMap((defect) => defect.fault ?? []),
    ...defined({ dataDir: data === undefined ? undefined : resolve(directory, data), seed, capacity, token }),
  };
  const service = await startWith(options, defects);
  const line: ServeLine = { baseUrl: reachableUrl(service.baseUrl), tokens: service.tokens };
  if (!isLoopback(host)) process.stderr.write(openWarning(service.baseUrl, host));
  process.stdout.write(settings.json ? `${JSON.stringify(line)}\n` : greeting(line, fault));
  await untilStopped(signal);
  await service.close();
  return EXIT.passed;
}
