import type { Exchange, ReceivedResponse } from '../../spec/index.ts';
import { isJsonType } from '../../spec/index.ts';
import type { Target } from '../pipeline.ts';
import type { Complaint } from './complaint.ts';
import type { Probed } from './probes.ts';

type Rule = (
  target: Target,
  probed: readonly Probed[],
  responses: readonly ReceivedResponse[],
) => Complaint | undefined;

function headerOf(response: ReceivedResponse | undefined, name: string): string | undefined {
  return response?.headers.find(([key]) => key === name)?.[1];
}

function clean(text: string, most = 80): string {
  return text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, most);
}

function names(probed: readonly Probed[]): string {
  return probed
    .slice(0, 2)
    .map(({ exchange }) => `${exchange.request.method} ${new URL(exchange.request.url).pathname}`)
    .join(' and ');
}

/** True for an answer that is a page for people. */
function isPage(response: ReceivedResponse | undefined): boolean {
  return response !== undefined && /^(text\/html|application\/xhtml\+xml)$/.test(response.mediaType ?? '');
}

/** True for an answer that an API at this address could give. */
export function isApiAnswer(exchange: Exchange): boolean {
  const { response } = exchange;
  if (!response || isPage(response) || response.status === 404 || (response.status >= 300 && response.status < 400))
    return false;
  return response.status === 401 || response.status === 403 || isJsonType(response.mediaType ?? '');
}

const httpsWanted: Rule = (target, _probed, responses) => {
  const told = responses.find(
    ({ body, status }) =>
      status === 400 &&
      /http request.{1,40}https (port|server)/i.test(Buffer.from(body.subarray(0, 2_000)).toString('latin1')),
  );
  if (!told || !target.baseUrl.startsWith('http:')) return undefined;
  return {
    sentence: `${new URL(target.baseUrl).host} wants HTTPS.`,
    mend: `Give --base-url ${target.baseUrl.replace(/^http/, 'https')}`,
  };
};

const redirected: Rule = (target, probed, responses) => {
  if (!responses.every(({ status }) => status >= 300 && status < 400)) return undefined;
  const location = headerOf(responses[0], 'location') ?? '';
  const from = probed[0]?.exchange.request.url ?? target.baseUrl;
  const to = URL.canParse(location, from) ? new URL(location, from) : undefined;
  const here = new URL(from);
  if (to && to.pathname === here.pathname && to.origin !== here.origin) {
    return {
      sentence: `${target.baseUrl} sends everybody on to ${to.origin}; a token is never sent after a redirect.`,
      mend: `Give --base-url ${target.baseUrl.replace(here.origin, to.origin)}`,
    };
  }
  const where = clean(target.redact(to ? to.origin + to.pathname : location));
  return {
    sentence: `${target.baseUrl} is not the API: it redirects every request${where === '' ? '' : ` to ${where}`}.`,
    mend: 'Give the URL under which the API itself answers, not that of the web interface or of a login page.',
  };
};

const pages: Rule = (target, _probed, responses) => {
  if (!responses.every(isPage)) return undefined;
  const title = /<title[^>]*>([^<]{1,200})</i.exec(
    Buffer.from(responses[0]?.body.subarray(0, 20_000) ?? []).toString('utf8'),
  )?.[1];
  const what = title === undefined ? 'web pages' : `web pages ("${clean(title, 60)}")`;
  return {
    sentence: `${target.baseUrl} is not the API: it answers with ${what}.`,
    mend: 'Give the URL under which the API itself answers; it may have another host, port or path than the web interface.',
  };
};

const notThere: Rule = (target, probed, responses) => {
  if (!responses.every(({ status }) => status === 404 || status === 405 || status === 410)) return undefined;
  return {
    sentence: `The service is not at ${target.baseUrl}: ${names(probed)} answer ${responses[0]?.status}.`,
    mend: 'The base URL is what comes before /api/…; check its host, port and path.',
  };
};

const nothingBehind: Rule = (target, _probed, responses) => {
  if (
    !responses.every(
      ({ status, mediaType }) => status === 502 || status === 504 || (status === 503 && !isJsonType(mediaType ?? '')),
    )
  )
    return undefined;
  return {
    sentence: `A gateway answers at ${target.baseUrl}, but not the service behind it (${responses[0]?.status}).`,
    mend: 'Wait until the service has started, or look at why it has not.',
  };
};

const refusing: Rule = (target, _probed, responses) => {
  if (!responses.every(({ status }) => status === 429)) return undefined;
  return {
    sentence: `${target.baseUrl} answers nothing but 429: its limit of requests is used up.`,
    mend: `Try again later, with --max-rate below the limit.`,
  };
};

function locked(probed: readonly Probed[]): readonly Probed[] {
  return probed.filter(({ operation, exchange }) => operation.permission !== 'none' && exchange.response);
}

const unauthorized: Rule = (target, probed) => {
  const asked = locked(probed);
  if (asked.length === 0 || !asked.every(({ exchange }) => exchange.response?.status === 401)) return undefined;
  if (!target.has.full) {
    return {
      sentence: `${target.baseUrl} wants an API token, and none was given.`,
      mend: 'Give one with every permission by --token or ASSAY_TOKEN; the web interface makes them under Administration > API Tokens.',
    };
  }
  if (/^\s*basic\b/i.test(headerOf(asked[0]?.exchange.response, 'www-authenticate') ?? '')) {
    return {
      sentence: `${target.baseUrl} asks for a user name and a password (HTTP Basic), not for an API token.`,
      mend: 'Give the URL under which the API itself answers, past the gateway that asks for them.',
    };
  }
  return {
    sentence: `${target.baseUrl} refuses the token of --token / ASSAY_TOKEN (401).`,
    mend: 'It may be mistyped, expired, or of another deployment: make a new one under Administration > API Tokens.',
  };
};

const forbidden: Rule = (_target, probed) => {
  const asked = locked(probed).filter(({ operation }) => operation.permission.startsWith('RACI:'));
  if (asked.length === 0 || !asked.every(({ exchange }) => exchange.response?.status === 403)) return undefined;
  const missing = [...new Set(asked.map(({ operation }) => operation.permission))].join(' and ');
  return {
    sentence: `The token of --token / ASSAY_TOKEN lacks ${missing} (403).`,
    mend: 'Give a token with every permission; one without goes to --limited-token / ASSAY_LIMITED_TOKEN.',
  };
};

const RULES: readonly Rule[] = [
  httpsWanted,
  redirected,
  refusing,
  nothingBehind,
  notThere,
  pages,
  unauthorized,
  forbidden,
];

/** What the answers to all probes say about a target; undefined where nothing speaks against it. */
export function complaintOfAnswers(target: Target, probed: readonly Probed[]): Complaint | undefined {
  const responses = probed.flatMap(({ exchange }) => exchange.response ?? []);
  if (responses.length === 0) return undefined;
  for (const rule of RULES) {
    const complaint = rule(target, probed, responses);
    if (complaint) return complaint;
  }
  return undefined;
}

/** True where the same answer came to everything: then none of them means anything. */
export function areAlike(exchanges: readonly Exchange[]): boolean {
  const [first, ...others] = exchanges.map(({ response }) => response);
  if (!first || others.length === 0) return false;
  return others.every((other) => other?.status === first.status && Buffer.from(first.body).equals(other.body));
}
