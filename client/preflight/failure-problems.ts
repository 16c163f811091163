import type { Exchange, FailureKind } from '../../spec/index.ts';
import { proxyOf } from '../connection.ts';
import type { Target } from '../pipeline.ts';
import type { TargetProblem } from './probes.ts';

type Explain = (baseUrl: URL, message: string) => TargetProblem;

const CHECK_PORT = 'Check the port and the scheme (http or https) of --base-url.';
const GIVE_CERTIFICATE = 'If it requires a client certificate, give it with --cert.';

function tls(baseUrl: URL, message: string): TargetProblem {
  const { host, href } = baseUrl;
  if (/alert.*(certificate required|bad certificate|unknown ca|handshake failure|certificate unknown)/i.test(message))
    return {
      message: `${host} requires a client certificate, or does not trust the one of --cert: ${message}.`,
      hint: 'Give a certificate that it trusts with --cert, and its key with --key.',
    };
  if (/wrong version number|packet length too long|http request|unknown protocol/i.test(message))
    return {
      message: `${host} does not speak HTTPS.`,
      hint: `For plain HTTP, use --base-url ${href.replace(/^https/, 'http').replace(/\/$/, '')}`,
    };
  if (/expired|not yet valid/i.test(message))
    return {
      message: `The certificate of ${host} is not valid today: ${message}.`,
      hint: 'Renew it and check the clock, or accept it with --insecure.',
    };
  if (/altname|hostname/i.test(message))
    return {
      message: `The certificate of ${host} is for another host.`,
      hint: 'Use the host name of the certificate, or accept it with --insecure.',
    };
  return {
    message: `The certificate of ${host} can't be verified: ${message}.`,
    hint: 'Give the certificate of its authority with --ca, or accept it with --insecure.',
  };
}

const EXPLAIN = {
  refused: ({ host }) => ({
    message: `Connection refused: nothing listens at ${host}.`,
    hint: 'Is the service running? Check host and port of --base-url / ASSAY_BASE_URL.',
  }),
  dns: ({ hostname }) => ({
    message: `Unknown host name: ${hostname}.`,
    hint: 'Check the spelling of --base-url / ASSAY_BASE_URL, and whether this machine is on the right network (VPN).',
  }),
  tls,
  timeout: ({ host }, message) => ({
    message: `${host} does not respond: ${message}.`,
    hint: 'Check host and port of --base-url; a firewall may drop the requests. If the service is slow, increase --timeout.',
  }),
  reset: ({ host, protocol }, message) => ({
    message: `${host} closes the connection: ${message}.`,
    hint: protocol === 'https:' ? `${CHECK_PORT} ${GIVE_CERTIFICATE}` : CHECK_PORT,
  }),
  protocol: ({ host }, message) => ({ message: `${host} does not speak HTTP: ${message}.`, hint: CHECK_PORT }),
  aborted: ({ host }) => ({ message: `The request to ${host} was aborted.`, hint: 'Run again.' }),
  other: ({ host }, message) => ({
    message: `${host} can't be reached: ${message}.`,
    hint: 'Check --base-url / ASSAY_BASE_URL.',
  }),
} as const satisfies Record<FailureKind, Explain>;

/** Without its user name and password. */
function shownProxy({ protocol, host }: URL): string {
  return `${protocol}//${host}`;
}

function proxyProblem(proxy: URL, kind: FailureKind, message: string): TargetProblem | undefined {
  const refusal = /Proxy response \((\d+)\)/.exec(message)?.[1];
  const isProxy = message.includes(`${proxy.hostname}:`) || message.endsWith(` ${proxy.hostname}`);
  if (refusal === '407') return proxyCredentialsProblem(proxy);
  if (refusal !== undefined)
    return {
      message: `The proxy ${shownProxy(proxy)} does not connect to the deployment (${refusal}).`,
      hint: 'Check host and port of --base-url; where no proxy is needed, list the host in NO_PROXY.',
    };
  if ((kind !== 'refused' && kind !== 'dns') || !isProxy) return undefined;
  return {
    message: `The proxy ${shownProxy(proxy)} can't be reached: ${message}.`,
    hint: 'Check HTTPS_PROXY and HTTP_PROXY; where no proxy is needed, list the host in NO_PROXY.',
  };
}

export const proxyCredentialsProblem = (proxy: URL): TargetProblem => ({
  message: `The proxy ${shownProxy(proxy)} requires a user name and a password (407).`,
  hint: 'Write them in HTTPS_PROXY and HTTP_PROXY: http://user:password@proxy.example.com:3128',
});

export function failureProblem({ baseUrl, connection }: Target, { failure }: Exchange): TargetProblem {
  const { kind, message } = failure ?? { kind: 'other', message: 'no response' };
  const url = new URL(baseUrl);
  const proxy = proxyOf(url.origin, connection);
  const ofProxy = proxy === undefined ? undefined : proxyProblem(proxy, kind, message);
  return ofProxy ?? EXPLAIN[kind](url, message.replace(/\.$/, ''));
}
