import type { Redactor, Secrets, TokenName } from '../spec/index.ts';
import { LiveToken } from './credentials/live-token.ts';
import type { TokenLabel } from './credentials/live-token.ts';
import type { TokenSource } from './credentials/source.ts';

/** The API tokens of a target, or where they come from. */
export interface Tokens {
  readonly full?: TokenSource;
  readonly limited?: TokenSource;
  readonly expired?: string;
  readonly otherTenant?: TokenSource;
  /** Tokens with one permission only, by its name, for example `RACI:management.aiagents`. */
  readonly permissions?: Readonly<Record<string, TokenSource>>;
  /** Secrets of security schemes by their variables ({@link credentialVariable}); of HTTP Basic `user:password`. */
  readonly credentials?: Readonly<Record<string, string>>;
}

interface OptionLabel extends TokenLabel {
  readonly option: string;
}

const LABELS = {
  full: { name: 'the full token', option: '--token', variable: 'ASSAY_TOKEN' },
  limited: { name: 'the limited token', option: '--limited-token', variable: 'ASSAY_LIMITED_TOKEN' },
  expired: { name: 'the expired token', option: '--expired-token', variable: 'ASSAY_EXPIRED_TOKEN' },
  otherTenant: {
    name: 'the token of the other tenant',
    option: 'otherTenant in tokens',
    variable: 'ASSAY_OTHER_TENANT_TOKEN',
  },
} as const satisfies Partial<Record<TokenName, OptionLabel>>;

export function labelOf(token: TokenName): OptionLabel {
  if (Object.hasOwn(LABELS, token)) return LABELS[token as keyof typeof LABELS];
  return {
    name: `the token with ${token} only`,
    option: `${token} in tokens`,
    variable: `ASSAY_TOKEN_${token.toUpperCase().replaceAll(/[^A-Z0-9]+/gu, '_')}`,
  };
}

/** The token of the identity `invalid`, which no deployment has issued. */
export const INVALID_TOKEN = 'assay-made-this-token-up';

function sourcesOf({
  permissions = {},
  credentials: _credentials,
  ...named
}: Tokens): readonly (readonly [TokenName, TokenSource])[] {
  const all = [...Object.entries(named), ...Object.entries(permissions)] as [TokenName, TokenSource | undefined][];
  return all.flatMap(([name, source]) => (source === undefined || source === '' ? [] : [[name, source] as const]));
}

/** Tokens by source: all targets of a process share them. */
const shared = new Map<string, LiveToken>();

export interface KeyRingOptions {
  readonly secrets: Secrets;
  readonly insecure: boolean;
  /** Called with every configured or issued token, and the variable that represents it. */
  readonly onSecret?: ((secret: string, variable: string) => void) | undefined;
}

const VARIABLE = String.raw`ASSAY_(?:(?:LIMITED_|EXPIRED_|OTHER_TENANT_)?TOKEN\b|(?:TOKEN|CREDENTIAL)_[A-Z0-9_]+)`;

/** As in a POSIX shell: `$ASSAY_TOKEN`, all but the last character of the token, or the token in lower case. */
const PLACEHOLDER = new RegExp(
  String.raw`\$(?:(${VARIABLE})|\{(${VARIABLE})%\?\}|\(echo "\$(${VARIABLE})" \| tr A-Z a-z\))`,
  'gu',
);

/** The variable that holds the secret of a security scheme, and represents it in output. */
export function credentialVariable(scheme: string): string {
  return `ASSAY_CREDENTIAL_${scheme
    .replaceAll(/([a-z0-9])(?=[A-Z])/gu, '$1_')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/gu, '_')}`;
}

/** The places of a text that a token is filled in at, each as it is written. */
export function placeholdersIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(PLACEHOLDER)].map(([whole]) => whole))];
}

export function variablesIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(PLACEHOLDER)].map(([, variable, cut, lower = '']) => variable ?? cut ?? lower))];
}

/** The tokens of a target. Requests contain their variables until they are sent. */
export class KeyRing {
  readonly redactor: Redactor;
  readonly #tokens: ReadonlyMap<TokenName, LiveToken>;
  readonly #credentials: ReadonlyMap<string, string>;
  readonly #keep: (value: string, as: string) => void;

  /** Does not obtain tokens yet. */
  constructor(tokens: Tokens, { secrets, insecure, onSecret }: KeyRingOptions) {
    this.redactor = secrets;
    this.#tokens = new Map(sourcesOf(tokens).map(([name, source]) => [name, liveToken(name, source, insecure)]));
    this.#credentials = new Map(Object.entries(tokens.credentials ?? {}));
    const keep = (value: string, as: string): void => {
      secrets.keep(value, `$${as}`);
      onSecret?.(value, as);
    };
    this.#keep = keep;
    for (const [variable, secret] of this.#credentials) for (const each of partsOf(secret)) keep(each, variable);
    for (const [name, token] of this.#tokens) {
      const { variable } = labelOf(name);
      for (const [secret, as] of token.secrets) keep(secret, as);
      token.listen((value) => keep(value, variable));
    }
  }

  get names(): readonly TokenName[] {
    return [...this.#tokens.keys()];
  }

  has(name: TokenName): boolean {
    return this.get(name) !== undefined;
  }

  get(name: TokenName): LiveToken | undefined {
    return this.#tokens.get(name);
  }

  /** True if that security scheme has its own secret. */
  hasCredential(scheme: string): boolean {
    return this.#credentials.has(credentialVariable(scheme));
  }

  /** Replaces variables with the tokens; the result may only be sent, never shown. */
  fillIn(text: string): string {
    if (!text.includes('ASSAY_')) return text;
    return text.replace(PLACEHOLDER, (match, variable?: string, cut?: string, lower?: string) => {
      const value = this.#valueOf(variable ?? cut ?? lower);
      if (value === undefined || variable !== undefined) return value ?? match;
      const sent = cut === undefined ? value.toLowerCase() : value.slice(0, -1);
      this.#keep(sent, match.slice(1));
      return sent;
    });
  }

  #valueOf(variable: string | undefined): string | undefined {
    if (variable === undefined) return undefined;
    const [, token] = [...this.#tokens].find(([name]) => variable === labelOf(name).variable) ?? [];
    return this.#credentials.get(variable) ?? token?.current;
  }
}

/** The secret, and its password part, which must not be shown either. */
function partsOf(secret: string): readonly string[] {
  const password = /^[^:]*:(.+)$/su.exec(secret)?.[1];
  return password === undefined ? [secret] : [secret, password];
}

function liveToken(name: TokenName, source: TokenSource, insecure: boolean): LiveToken {
  const create = (): LiveToken => new LiveToken(source, labelOf(name), { insecure });
  if (typeof source === 'string') return create();
  const key = JSON.stringify([name, source, insecure]);
  const known = shared.get(key) ?? create();
  shared.set(key, known);
  return known;
}
