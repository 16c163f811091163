import { describeScheme, isJsonType } from '../../spec/index.ts';
import type { Exchange, ReceivedResponse, SecurityScheme } from '../../spec/index.ts';
import { isRefused } from '../token-acceptance.ts';
import type { Target } from '../pipeline.ts';
import { proxyOf } from '../connection.ts';
import { oneLine } from '../one-line.ts';
import { headerOf } from '../transport/receive.ts';
import { proxyCredentialsProblem } from './failure-problems.ts';
import { wantedOf } from '../security.ts';
import { credentialVariable, labelOf } from '../tokens.ts';
import type { Probed, TargetProblem } from './probes.ts';

type Rule = (
  target: Target,
  probed: readonly Probed[],
  responses: readonly ReceivedResponse[],
) => TargetProblem | undefined;

function startOf({ body }: ReceivedResponse): string {
  return Buffer.from(body.subarray(0, 20_000)).toString('utf8');
}

function requestLines(probed: readonly Probed[]): string {
  return probed
    .slice(0, 2)
    .map(({ exchange: { request } }) => `${request.method} ${new URL(request.url).pathname}`)
    .join(' and ');
}

function isPage(response: ReceivedResponse): boolean {
  return /^(text\/html|application\/xhtml\+xml)$/.test(response.mediaType ?? '');
}

/** True for a response that an API at this address could return. */
export function isApiResponse({ response }: Exchange): boolean {
  if (!response || isPage(response) || response.status === 404) return false;
  if (response.status >= 300 && response.status < 400) return false;
  return response.status === 401 || response.status === 403 || isJsonType(response.mediaType ?? '');
}

const refusedByProxy: Rule = ({ baseUrl, connection }, _probed, responses) => {
  const proxy = proxyOf(new URL(baseUrl).origin, connection);
  return proxy !== undefined && responses.every(({ status }) => status === 407)
    ? proxyCredentialsProblem(proxy)
    : undefined;
};

const httpsRequired: Rule = ({ baseUrl }, _probed, responses) => {
  const saysSo = responses.some(
    (each) => each.status === 400 && /http request.{1,40}https (port|server)/i.test(startOf(each)),
  );
  if (!saysSo || !baseUrl.startsWith('http:')) return undefined;
  return {
    message: `${new URL(baseUrl).host} requires HTTPS.`,
    hint: `Use --base-url ${baseUrl.replace(/^http/, 'https')}`,
  };
};

const redirected: Rule = ({ baseUrl, redact }, probed, responses) => {
  if (!responses.every(({ status }) => status >= 300 && status < 400)) return undefined;
  const location = headerOf(responses[0], 'location') ?? '';
  const from = probed[0]?.exchange.request.url ?? baseUrl;
  const to = URL.canParse(location, from) ? new URL(location, from) : undefined;
  const here = new URL(from);
  if (to && to.pathname === here.pathname && to.origin !== here.origin)
    return {
      message: `${baseUrl} redirects every request to ${to.origin}; redirects are not followed with a token.`,
      hint: `Use --base-url ${baseUrl.replace(here.origin, to.origin)}`,
    };
  if (to && to.origin === here.origin && to.pathname === `${here.pathname}/`)
    return {
      message: `${baseUrl} redirects every request to the same path with a trailing slash, which the description does not have.`,
      hint: 'Let the deployment serve the paths of the description, or add the slash to the paths of the description.',
    };
  const where = oneLine(redact(to ? to.origin + to.pathname : location), 80);
  return {
    message: `${baseUrl} is not the API: it redirects every request${where === '' ? '' : ` to ${where}`}.`,
    hint: 'Use the URL of the API itself, not of the web interface or a login page.',
  };
};

const onlyPages: Rule = ({ baseUrl }, _probed, responses) => {
  const [first] = responses;
  if (first === undefined || !responses.every(isPage)) return undefined;
  const title = /<title[^>]*>([^<]{1,200})</i.exec(startOf(first))?.[1];
  const what = title === undefined ? 'web pages' : `web pages ("${oneLine(title, 60)}")`;
  return {
    message: `${baseUrl} is not the API: it responds with ${what}.`,
    hint: 'Use the URL of the API itself; it may have another host, port or path than the web interface.',
  };
};

const notFound: Rule = ({ baseUrl }, probed, responses) => {
  if (!responses.every(({ status }) => [404, 405, 410].includes(status))) return undefined;
  const path = probed[0]?.operation.forms.at(-1)?.path ?? '/…';
  return {
    message: `The service is not at ${baseUrl}: ${requestLines(probed)} ${probed.length === 1 ? 'returns' : 'return'} ${responses[0]?.status}.`,
    hint: `The base URL is what comes before ${path}; check its host, port and path.`,
  };
};

const nothingBehindGateway: Rule = ({ baseUrl }, _probed, responses) => {
  const isFromGateway = ({ status, mediaType }: ReceivedResponse): boolean =>
    status === 502 || status === 504 || (status === 503 && !isJsonType(mediaType ?? ''));
  if (!responses.every(isFromGateway)) return undefined;
  return {
    message: `A gateway responds at ${baseUrl}, but not the service behind it (${responses[0]?.status}).`,
    hint: 'Wait until the service has started, or check why it is down.',
  };
};

const rateLimited: Rule = ({ baseUrl }, _probed, responses) =>
  responses.every(({ status }) => status === 429)
    ? {
        message: `${baseUrl} responds only with 429: the rate limit is exhausted.`,
        hint: 'Try again later, with --max-rate below the limit.',
      }
    : undefined;

/** The probes with a response whose operations need a token; where none is known to, those that do not say that they need none. */
function requiringToken(probed: readonly Probed[]): readonly Probed[] {
  const answered = probed.filter(({ exchange }) => exchange.response);
  const unlessOpen = answered.filter(({ operation }) => operation.permission !== 'none');
  const protectedOnes = unlessOpen.filter(({ operation }) => operation.authUndeclared !== true);
  return [protectedOnes, unlessOpen].find((each) => each.length > 0) ?? answered;
}

/** The setting for a secret, for example `--token / ASSAY_TOKEN`. */
function settingOf({ name, takesToken }: SecurityScheme): string {
  return takesToken ? `${labelOf('full').option} / ${labelOf('full').variable}` : credentialVariable(name);
}

/** The description's notes on where to get the secrets. */
function sourceOf(schemes: readonly SecurityScheme[]): string {
  return [...new Set(schemes.flatMap(({ about = [] }) => about))]
    .map((each) => ` ${each.replace(/\.?$/u, '.')}`)
    .join('');
}

const settings = (schemes: readonly SecurityScheme[]): string => [...new Set(schemes.map(settingOf))].join(' and ');

/** The problem that the given secrets of these schemes are refused. */
export function refusedSecretsProblem({ baseUrl }: Target, schemes: readonly SecurityScheme[]): TargetProblem {
  const isToken = schemes.length === 1 && schemes[0]?.takesToken === true;
  return {
    message: `${baseUrl} does not accept ${isToken ? 'the token' : 'the secrets'} of ${settings(schemes)} (401).`,
    hint: `It may be mistyped, expired or for another deployment.${sourceOf(schemes)}${schemes.map(prefixHint).join('')}`,
  };
}

/** How to give a key of the header Authorization that has a prefix, which a token has not. */
const prefixHint = ({ name, kind, parameter }: SecurityScheme): string =>
  kind === 'apiKey' && parameter === 'authorization'
    ? ` A key with a prefix is given as --credential '${name}: PREFIX KEY'.`
    : '';

const unauthorized: Rule = (target, probed) => {
  const { baseUrl, keys } = target;
  const relevant = requiringToken(probed);
  const first = relevant.find(({ exchange }) => exchange.response?.status === 401);
  const statuses = relevant.flatMap(({ exchange }) => exchange.response?.status ?? []);
  if (first === undefined || !isRefused(statuses)) return undefined;
  const { wanted, missing } = wantedOf(first.operation, keys);
  const asksForBasic = /^\s*basic\b/i.test(headerOf(first.exchange.response, 'www-authenticate') ?? '');
  if (missing.length > 0)
    return {
      message: `${baseUrl} requires ${missing.map(describeScheme).join(' and ')}, but none was given.`,
      hint: `Set ${settings(missing)}.${sourceOf(missing)}`,
    };
  if (asksForBasic && !wanted.some(({ kind }) => kind === 'basic'))
    return {
      message: `${baseUrl} requires a user name and a password (HTTP Basic), which the description does not declare.`,
      hint: 'Use the URL of the API itself, not of the gateway that requires them.',
    };
  return refusedSecretsProblem(target, wanted);
};

function requiringPermission(probed: readonly Probed[]): readonly Probed[] {
  return requiringToken(probed).filter(({ operation }) => operation.permission.startsWith('RACI:'));
}

function lacking(relevant: readonly Probed[], hint: string): TargetProblem | undefined {
  if (relevant.length === 0 || !relevant.every(({ exchange }) => exchange.response?.status === 403)) return undefined;
  const missing = [...new Set(relevant.map(({ operation }) => operation.permission))].join(' and ');
  return { message: `The token of --token / ASSAY_TOKEN lacks ${missing} (403).`, hint };
}

const forbidden: Rule = (_target, probed) =>
  lacking(
    requiringPermission(probed),
    'Use a token with every permission; a token without permissions belongs in --limited-token / ASSAY_LIMITED_TOKEN.',
  );

/** A permission that the token lacks: all probed operations that need it, at least two, return 403. */
export function lackedPermission(probed: readonly Probed[]): TargetProblem | undefined {
  const relevant = requiringPermission(probed);
  for (const permission of new Set(relevant.map(({ operation }) => operation.permission))) {
    const own = relevant.filter(({ operation }) => operation.permission === permission);
    const hint = 'Use a token with every permission, or limit the run to what this token may do with --only or --skip.';
    const problem = own.length > 1 ? lacking(own, hint) : undefined;
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** The first rule that applies decides. */
const RULES: readonly Rule[] = [
  refusedByProxy,
  httpsRequired,
  redirected,
  rateLimited,
  nothingBehindGateway,
  notFound,
  onlyPages,
  unauthorized,
  forbidden,
];

export function responseProblem(target: Target, probed: readonly Probed[]): TargetProblem | undefined {
  const responses = probed.flatMap(({ exchange }) => exchange.response ?? []);
  if (responses.length === 0) return undefined;
  for (const rule of RULES) {
    const problem = rule(target, probed, responses);
    if (problem) return problem;
  }
  return undefined;
}

/** True if all responses are the same, so that none is significant. */
export function areAlike(exchanges: readonly Exchange[]): boolean {
  const [first, ...others] = exchanges.map(({ response }) => response);
  if (!first || others.length === 0) return false;
  return others.every((other) => other?.status === first.status && Buffer.from(first.body).equals(other.body));
}
