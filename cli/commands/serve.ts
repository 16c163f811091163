import { once } from 'node:events';
import { resolve } from 'node:path';
import type { Defect } from '../../prove/index.ts';
import { startService } from '../../service/start.ts';
import type { RunningService, ServiceOptions } from '../../service/start.ts';
import { AssayError, EXIT, loadContract } from '../../spec/index.ts';
import { didYouMean } from '../nearest.ts';
import { refuse } from '../problems.ts';
import type { Problem } from '../problems.ts';
import type { Invocation } from '../invocation.ts';
import type { ServeLine } from '../serve-line.ts';

type ServeOption = 'seed' | 'port' | 'host' | 'data' | 'fault' | 'capacity' | 'json' | 'config' | 'debug';

/** Mutations of responses and requests are made by a proxy, loaded only where one is asked for. */
async function chooseFaults({ settings, problems }: Invocation<ServeOption>): Promise<readonly Defect[]> {
  if (settings.fault.length === 0) return [];
  const [{ defectsOf }, contract] = await Promise.all([import('../../prove/index.ts'), loadContract()]);
  const known = defectsOf(contract);
  return settings.fault.flatMap((name) => {
    const defect = known.get(name);
    if (defect === undefined) problems.push(unknownFault(name, [...known.keys()]));
    return defect ?? [];
  });
}

function unknownFault(name: string, known: readonly string[]): Problem {
  const variants = known.filter((each) => each.replace(/:\S+/, '') === name);
  const hint = variants.length > 0 ? `choose a variant: ${variants.slice(0, 8).join(', ')}` : didYouMean(name, known);
  return {
    thing: `--fault ${JSON.stringify(name)}`,
    wrong: 'is not a known defect',
    mend: hint || 'list them with assay prove --list',
  };
}

function findProblems({ operands, problems }: Invocation<ServeOption>): void {
  if (operands.length > 0)
    problems.push({ thing: operands.join(' '), wrong: 'is no option', mend: 'see assay serve --help' });
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

/** Starts the service, behind a proxy where defects are made there. */
async function startWith(options: ServiceOptions, defects: readonly Defect[]): Promise<RunningService> {
  const mutated = defects.filter(({ make }) => make !== undefined);
  if (mutated.length === 0) return start(options);
  const service = await start({ ...options, port: 0, host: '127.0.0.1' });
  const { startMutated } = await import('../../prove/index.ts');
  const { port = 0, host = '127.0.0.1' } = options;
  const { baseUrl: upstream, tokens } = service;
  const proxy = await startMutated({ upstream, tokens, contract: await loadContract(), defects: mutated, port, host });
  const close = async (): Promise<void> => {
    await proxy.close();
    await service.close();
  };
  return { baseUrl: proxy.baseUrl, tokens, close };
}

/** Starts the embedded service and keeps it running. */
export async function serve(invocation: Invocation<ServeOption>): Promise<number> {
  const { settings, problems, directory, signal } = invocation;
  findProblems(invocation);
  const defects = await chooseFaults(invocation);
  refuse(problems);
  const { port, host, data, fault, seed, capacity } = settings;
  const options: ServiceOptions = {
    port,
    host,
    faults: defects.flatMap((defect) => defect.fault ?? []),
    ...(data === undefined ? {} : { dataDir: resolve(directory, data) }),
    ...(seed === undefined ? {} : { seed }),
    ...(capacity === undefined ? {} : { capacity }),
  };
  const service = await startWith(options, defects);
  const line: ServeLine = { baseUrl: service.baseUrl, tokens: service.tokens };
  process.stdout.write(settings.json ? `${JSON.stringify(line)}\n` : greet(line, fault));
  await untilTold(signal);
  await service.close();
  return EXIT.passed;
}
