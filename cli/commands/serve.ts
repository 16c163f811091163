import { once } from 'node:events';
import { resolve } from 'node:path';
import { FAULTS, startService } from '../../service/start.ts';
import type { FaultName, RunningService, ServiceOptions } from '../../service/start.ts';
import { AssayError, EXIT } from '../../spec/index.ts';
import { didYouMean } from '../nearest.ts';
import { refuse } from '../problems.ts';
import type { Invocation } from '../invocation.ts';
import type { ServeLine } from '../serve-line.ts';

type ServeOption = 'seed' | 'port' | 'host' | 'data' | 'fault' | 'capacity' | 'json' | 'config' | 'debug';

const isFault = (name: string): name is FaultName => Object.hasOwn(FAULTS, name);

function findProblems({ settings, operands, problems }: Invocation<ServeOption>): void {
  const known = Object.keys(FAULTS);
  if (operands.length > 0)
    problems.push({ thing: operands.join(' '), wrong: 'is no option', mend: 'see assay serve --help' });
  for (const fault of settings.fault.filter((name) => !isFault(name))) {
    problems.push({
      thing: `--fault ${JSON.stringify(fault)}`,
      wrong: 'is no fault',
      mend: didYouMean(fault, known) || `There are ${known.length}: assay prove --list`,
    });
  }
}

function greet(line: ServeLine, faults: readonly string[]): string {
  return [
    `The embedded service listens on ${line.baseUrl}${faults.length === 0 ? '' : `, with ${faults.join(', ')}`}. Ctrl-C ends it.`,
    '',
    'In another terminal:',
    `  export ASSAY_TOKEN=${line.tokens.full} ASSAY_LIMITED_TOKEN=${line.tokens.limited} ASSAY_EXPIRED_TOKEN=${line.tokens.expired}`,
    `  assay verify --base-url ${line.baseUrl} --allow all`,
    '',
  ].join('\n');
}

/** Resolves when the service is to end: at a signal, or when the process that started it has gone. */
async function untilTold(signal: AbortSignal): Promise<void> {
  const told = [
    ...(signal.aborted ? [Promise.resolve()] : [once(signal, 'abort')]),
    ...(process.connected ? [once(process, 'disconnect')] : []),
  ];
  await Promise.race(told);
}

const LISTEN_HINTS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'take another --port, or 0 for any that is free',
  EACCES: 'take a --port above 1023',
  EADDRNOTAVAIL: 'give --host an address of this machine',
  ENOTFOUND: 'give --host an address of this machine',
};

async function start(options: ServiceOptions): Promise<RunningService> {
  try {
    return await startService(options);
  } catch (cause) {
    const hint = LISTEN_HINTS[(cause as NodeJS.ErrnoException).code ?? ''];
    if (hint === undefined) throw cause;
    throw new AssayError(`cannot listen on ${options.host}:${options.port}: ${(cause as Error).message}`, {
      hint,
      exitCode: EXIT.usage,
      cause,
    });
  }
}

/** Starts the embedded service and keeps it running. */
export async function serve(invocation: Invocation<ServeOption>): Promise<number> {
  const { settings, problems, directory, signal } = invocation;
  findProblems(invocation);
  refuse(problems);
  const { port, host, data, fault, seed, capacity } = settings;
  const service = await start({
    port,
    host,
    faults: fault.filter(isFault),
    ...(data === undefined ? {} : { dataDir: resolve(directory, data) }),
    ...(seed === undefined ? {} : { seed }),
    ...(capacity === undefined ? {} : { capacity }),
  });
  const line: ServeLine = { baseUrl: service.baseUrl, tokens: service.tokens };
  process.stdout.write(settings.json ? `${JSON.stringify(line)}\n` : greet(line, fault));
  await untilTold(signal);
  await service.close();
  return EXIT.passed;
}
