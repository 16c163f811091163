import type { TargetOptions } from '../../client/index.ts';
import { EFFECTS } from '../../spec/index.ts';
import type { Effect } from '../../spec/index.ts';
import { startEmbedded } from '../embedded.ts';
import { keepSecret } from '../secrets.ts';
import type { Embedded } from '../embedded.ts';

export interface RunTokens {
  readonly full?: string;
  readonly limited?: string;
  readonly expired?: string;
}

/** What a run is against. */
export interface RunTarget {
  readonly baseUrl: string;
  readonly tokens: RunTokens;
  readonly embedded: boolean;
  readonly allow: readonly Effect[];
  /** Ends the embedded service; nothing to do for a deployment. */
  stop(): Promise<void>;
}

export interface TargetSettings {
  readonly baseUrl: string | undefined;
  readonly token: string | undefined;
  readonly limitedToken: string | undefined;
  readonly expiredToken: string | undefined;
  readonly allow: readonly Effect[] | undefined;
}

/** The tokens that were given. */
export function tokensOf(settings: Omit<TargetSettings, 'baseUrl' | 'allow'>): RunTokens {
  const { token, limitedToken, expiredToken } = settings;
  return {
    ...(token === undefined ? {} : { full: token }),
    ...(limitedToken === undefined ? {} : { limited: limitedToken }),
    ...(expiredToken === undefined ? {} : { expired: expiredToken }),
  };
}

interface WireSettings {
  readonly timeout: number | undefined;
  readonly insecure: boolean;
  readonly maxRate?: number | undefined;
}

/** How the client reaches a target. */
export function clientOptions(
  { timeout, insecure, maxRate }: WireSettings,
  target: Pick<RunTarget, 'baseUrl' | 'tokens'>,
): TargetOptions {
  return {
    baseUrl: target.baseUrl,
    tokens: target.tokens,
    insecure,
    ...(timeout === undefined ? {} : { timeoutMs: timeout }),
    ...(maxRate === undefined ? {} : { maxRate }),
  };
}

/** The deployment that the settings name, or else the embedded service, started for this run (or `service`, where it is starting already). */
export async function openRunTarget(settings: TargetSettings, service?: Promise<Embedded>): Promise<RunTarget> {
  if (settings.baseUrl !== undefined) {
    const allow = settings.allow ?? ['read', 'reversible'];
    return {
      baseUrl: settings.baseUrl,
      tokens: tokensOf(settings),
      embedded: false,
      allow,
      stop: () => Promise.resolve(),
    };
  }
  const embedded = await (service ?? startEmbedded());
  const { baseUrl, tokens } = embedded;
  keepSecret(tokens.full, 'ASSAY_TOKEN');
  keepSecret(tokens.limited, 'ASSAY_LIMITED_TOKEN');
  keepSecret(tokens.expired, 'ASSAY_EXPIRED_TOKEN');
  return { baseUrl, tokens, embedded: true, allow: settings.allow ?? EFFECTS, stop: () => embedded.stop() };
}
