import type { Exchange, FailureKind } from '../../spec/index.ts';
import type { Target } from '../pipeline.ts';
import type { Problem } from './probes.ts';

type Explain = (baseUrl: URL, message: string) => Problem;

const CHECK_PORT = 'Check the port and the scheme (http or https) of --base-url.';

function tls(baseUrl: URL, message: string): Problem {
  const { host, href } = baseUrl;
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
    hint: 'Set NODE_EXTRA_CA_CERTS to the file of its authority, or accept it with --insecure.',
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
    hint: 'Check host and port of --base-url; a firewall may drop the requests. If the service is that slow, set --timeout.',
  }),
  reset: ({ host }, message) => ({ message: `${host} closes the connection: ${message}.`, hint: CHECK_PORT }),
  protocol: ({ host }, message) => ({ message: `${host} does not speak HTTP: ${message}.`, hint: CHECK_PORT }),
  aborted: ({ host }) => ({ message: `The request to ${host} was aborted.`, hint: 'Start again.' }),
  other: ({ host }, message) => ({
    message: `${host} can't be reached: ${message}.`,
    hint: 'Check --base-url / ASSAY_BASE_URL.',
  }),
} as const satisfies Record<FailureKind, Explain>;

/** The problem of a target that did not respond. */
export function failureProblem(target: Target, { failure }: Exchange): Problem {
  const { kind, message } = failure ?? { kind: 'other', message: 'no response' };
  return EXPLAIN[kind](new URL(target.baseUrl), message.replace(/\.$/, ''));
}
