import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { getProxyForUrl } from 'proxy-from-env';
import { namesOperation, plainTextOrigin } from '../../client/index.ts';
import type { Connection } from '../../client/index.ts';
import { secretValues } from '../../client/extra-headers.ts';
import { readCredentials } from '../../client/tls.ts';
import { loadContract, unpackContract } from '../../spec/index.ts';
import type { Contract } from '../../spec/index.ts';
import { configuredBody } from '../../domain/fixtures.ts';
import type { Fixtures } from '../../domain/index.ts';
import { didYouMean } from '../../spec/nearest.ts';
import { orProblem, refuse } from '../problems.ts';
import type { Problem } from '../problems.ts';
import { keepSecret } from '../secrets.ts';
import type { Settings } from '../options/table.ts';
import { SHARE } from '../fleet/parent.ts';
import type { RunTarget } from './target.ts';
import { refuseUnknownCredentials } from './tokens.ts';

export interface Advice {
  readonly message: string;
  readonly hint: string;
}

type Reached = Pick<RunTarget, 'baseUrl' | 'connection' | 'tokens'>;

type Texts = Readonly<Record<string, string>>;

type ConnectionSettings = Settings<
  'baseUrl' | 'spec' | 'insecure' | 'ca' | 'cert' | 'key' | 'header' | 'headers' | 'bases'
>;

/** The proxies of the environment by origin, for both schemes, since preflight tries the other one too. */
function proxiesFor(urls: readonly string[]): Texts {
  const origins = urls.flatMap((each) => {
    const { host } = new URL(each);
    return [`http://${host}`, `https://${host}`];
  });
  const found = [...new Set(origins)].map((origin) => [new URL(origin).origin, getProxyForUrl(origin)] as const);
  return Object.fromEntries(found.filter(([, proxy]) => proxy !== ''));
}

function keepProxySecrets(proxies: Texts): void {
  for (const proxy of Object.values(proxies)) {
    const password = URL.canParse(proxy) ? new URL(proxy).password : '';
    if (password !== '') keepSecret(decodeURIComponent(password), 'PROXY_PASSWORD');
  }
}

/** The files of the settings, by absolute path; one that cannot be used is added to `problems`, even if no request needs it. */
export async function credentialFiles(
  { ca, cert, key }: Settings<'ca' | 'cert' | 'key'>,
  directory: string,
  problems: Problem[],
): Promise<Pick<Connection, 'ca' | 'cert' | 'key'>> {
  const given = Object.entries({ ca, cert, key }).flatMap(([name, file]) =>
    file === undefined ? [] : [[name, resolve(directory, file)] as const],
  );
  const files = Object.fromEntries(given);
  await orProblem('--ca, --cert or --key', problems, () => readCredentials(files));
  return files;
}

/** The connection of the settings, whose mistakes are added to `problems`. */
export async function connectionFrom(
  settings: ConnectionSettings,
  directory: string,
  problems: Problem[],
): Promise<Connection> {
  const { baseUrl, insecure, bases, spec } = settings;
  if (baseUrl === undefined && spec !== undefined)
    problems.push({
      subject: '--spec',
      message: 'has no target: the embedded service implements the built-in description only',
      hint: `add --base-url URL; assay spec lint ${spec} checks the description without a target`,
    });
  // A pipeline may pass on a variable that it lacks, as for a fork: a pass of the embedded service would look like one of the deployment.
  if (baseUrl === undefined && process.env['ASSAY_BASE_URL'] === '')
    problems.push({
      subject: 'ASSAY_BASE_URL',
      message: 'is empty',
      hint: 'set it to the URL of the deployment; unset it to use the embedded service',
    });
  const files = await credentialFiles(settings, directory, problems);
  if (baseUrl === undefined) return {};
  const headers = { ...settings.headers, ...settings.header };
  const proxies = proxiesFor([baseUrl, ...Object.values(bases)]);
  for (const [value, variable] of secretValues(headers)) keepSecret(value, variable.slice(1));
  keepProxySecrets(proxies);
  return {
    ...files,
    ...(insecure ? { insecure } : {}),
    ...Object.fromEntries(Object.entries({ headers, bases, proxies }).filter(([, map]) => Object.keys(map).length > 0)),
  };
}

/** Examples of ids that a run fills in, to validate configured bodies. */
const FILLED = {
  aiAgentId: '3f2b1c9e-5d67-4a8b-9c0d-1e2f3a4b5c6d',
  organizationId: '6d5c4b3a-2f1e-4d0c-8b9a-7f6e5d4c3b2a',
};

/** Configured bodies must belong to operations and fit their schemas. */
function refuseUnfitBodies(fixtures: Fixtures, contract: Contract): void {
  const where = (id: string): string => `fixtures.bodies["${id}"] in the configuration`;
  for (const id of Object.keys(fixtures.bodies ?? {})) {
    const operation = contract.operation(id);
    if (operation === undefined) {
      const known = contract.operations.map((each) => each.id);
      return refuse([{ subject: where(id), message: 'names no operation', hint: didYouMean(id, known) }]);
    }
    const schema = operation.body?.content.find((each) => each.schema !== undefined)?.schema;
    const [problem] =
      schema === undefined ? [] : contract.validate(schema, configuredBody(fixtures, id, 'assay', FILLED));
    if (problem !== undefined) {
      const message = `does not fit the description: ${problem.instancePointer} ${problem.message}`;
      const hint = 'correct the body, or give the description of the deployment with --spec';
      refuse([{ subject: where(id), message, hint }]);
    }
  }
}

/** Each pattern of `bases` must name an operation, so that a typing error does not send requests to the wrong place. */
function refuseUnknownBases({ bases = {} }: Connection, { operations }: Contract): void {
  const unknown = Object.keys(bases).find((pattern) => !operations.some((each) => namesOperation(pattern, each)));
  if (unknown === undefined) return;
  const known = operations.flatMap(({ id, path }) => [id, path]);
  const hint = didYouMean(unknown, known) || 'use a path or an id as listed by assay spec list; * is a wildcard';
  refuse([{ subject: `bases["${unknown}"] in the configuration`, message: 'names no operation', hint }]);
}

/** The contract of the agent that has started this process; undefined where no agent has. */
export function contractOfShare(): Contract | undefined {
  const file = process.env[SHARE];
  return file === undefined ? undefined : unpackContract(readFileSync(file));
}

/** The contract of the settings. Throws an {@link AssayError} (exit 2) if settings refer to what it does not have. */
export async function contractFor(
  settings: Settings<'spec' | 'credential' | 'credentials'> & { readonly fixtures?: Fixtures },
  connection: Connection,
): Promise<Contract> {
  const contract = contractOfShare() ?? (await loadContract(settings.spec));
  if (contract.operations.length === 0) {
    const hint = `describe operations under paths; assay spec lint ${settings.spec} shows its problems`;
    refuse([{ subject: '--spec', message: ': the description has no operations', hint }]);
  }
  refuseUnknownBases(connection, contract);
  refuseUnknownCredentials(settings, contract);
  if (settings.fixtures !== undefined) refuseUnfitBodies(settings.fixtures, contract);
  return contract;
}

/** Set if a token is sent to another machine without TLS. */
export function plainTextProblem({ baseUrl, connection, tokens }: Reached): Advice | undefined {
  const origin = tokens.full === undefined ? undefined : plainTextOrigin(baseUrl, connection);
  return origin === undefined
    ? undefined
    : { message: `the token is sent over plain HTTP to ${origin} and can be intercepted`, hint: 'use https' };
}

export function warnOfPlainText(target: Reached, warn: (text: string) => void): void {
  const problem = plainTextProblem(target);
  if (problem !== undefined) warn(`${problem.message}: ${problem.hint}`);
}
