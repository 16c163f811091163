import type { Exchange, FailureKind } from '../../spec/index.ts';
import type { Target } from '../pipeline.ts';
import type { Complaint } from './complaint.ts';

type Explain = (baseUrl: URL, message: string) => Complaint;

function tls(baseUrl: URL, message: string): Complaint {
  if (/wrong version number|packet length too long|http request|unknown protocol/i.test(message)) {
    return {
      sentence: `${baseUrl.host} does not speak HTTPS.`,
      mend: `If plain HTTP is meant: --base-url ${baseUrl.href.replace(/^https/, 'http').replace(/\/$/, '')}`,
    };
  }
  if (/expired|not yet valid/i.test(message)) {
    return {
      sentence: `The certificate of ${baseUrl.host} is not valid today: ${message}.`,
      mend: 'Renew it and check the clock, or give --insecure to accept it.',
    };
  }
  if (/altname|hostname/i.test(message)) {
    return {
      sentence: `The certificate of ${baseUrl.host} is for another host.`,
      mend: 'Give the host name that the certificate has, or --insecure to accept it.',
    };
  }
  return {
    sentence: `The certificate of ${baseUrl.host} can't be verified: ${message}.`,
    mend: 'Point NODE_EXTRA_CA_CERTS to the file of its authority, or give --insecure to accept it.',
  };
}

const EXPLAIN = {
  refused: ({ host }) => ({
    sentence: `Nobody listens at ${host}: the connection was refused.`,
    mend: 'Is the service running? Check host and port of --base-url / ASSAY_BASE_URL.',
  }),
  dns: ({ hostname }) => ({
    sentence: `The host name ${hostname} is not known.`,
    mend: 'Check its spelling in --base-url / ASSAY_BASE_URL, and whether this machine is in the network (VPN) that knows it.',
  }),
  tls,
  timeout: ({ host }, message) => ({
    sentence: `${host} does not answer: ${message}.`,
    mend: 'Check host and port of --base-url; a firewall may swallow the requests. If the service is that slow, give --timeout.',
  }),
  reset: ({ host }, message) => ({
    sentence: `${host} closes the connection without an answer: ${message}.`,
    mend: 'Check the port and the scheme (http or https) of --base-url.',
  }),
  protocol: ({ host }, message) => ({
    sentence: `What listens at ${host} does not speak HTTP as it should: ${message}.`,
    mend: 'Check the port and the scheme (http or https) of --base-url.',
  }),
  aborted: ({ host }) => ({ sentence: `The request to ${host} was given up.`, mend: 'Start again.' }),
  other: ({ host }, message) => ({
    sentence: `${host} can't be reached: ${message}.`,
    mend: 'Check --base-url / ASSAY_BASE_URL.',
  }),
} as const satisfies Record<FailureKind, Explain>;

function withoutProgress(message: string): string {
  return message.replace(/, after (the request was sent|status).*$/, '').replace(/\.$/, '');
}

/** What a failure to get any answer says about a target. */
export function complaintOfFailure(target: Target, exchange: Exchange): Complaint {
  const { kind, message } = exchange.failure ?? { kind: 'other', message: 'no answer' };
  return EXPLAIN[kind](new URL(target.baseUrl), withoutProgress(message));
}
