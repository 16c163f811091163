import { readFileSync } from 'node:fs';
import type { OAuthSource, TokenSource } from '../../client/credentials/source.ts';
import { defined } from '../../spec/defined.ts';
import { isObject } from '../../spec/json.ts';
import type { Json, JsonObject } from '../../spec/json.ts';
import { isLoopback } from '../../spec/loopback.ts';
import { didYouMean } from '../../spec/nearest.ts';
import { readDotEnv } from '../dot-env.ts';
import { token } from './kinds.ts';
import type { OptionKind } from './kinds.ts';

/** A secret in the configuration: the text, the variable that holds it, or the file that does. */
type Secret = string | { readonly env: string } | { readonly file: string };

/** The secret of a security scheme, as the configuration may say it. */
export type ConfiguredSecret = Secret | { readonly username: string; readonly password?: Secret };

/** Where a token comes from, as the configuration may say it. */
export type ConfiguredSource =
  | Secret
  | { readonly command: string | readonly string[] }
  | (Omit<OAuthSource, 'clientSecret' | 'password'> & { readonly clientSecret?: Secret; readonly password?: Secret });

/** What is wrong with a value, continuing the name of its key. Thrown and caught in this file. */
class Wrong extends Error {
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

const SOURCE_HINT = 'use { env }, { file }, { command } or { tokenUrl, clientId, clientSecret }';

function textOf(value: Json | undefined, what: string): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new Wrong(`${what} is not a string`, SOURCE_HINT);
}

function onlyKeys(value: JsonObject, what: string, known: readonly string[]): void {
  const strange = Object.keys(value).find((key) => !known.includes(key));
  if (strange === undefined) return;
  throw new Wrong(`${what} has the unknown key ${strange}`, didYouMean(strange, known) || `use ${known.join(', ')}`);
}

function variable(name: string, what: string): string {
  const value = process.env[name] ?? readDotEnv(process.cwd())[name] ?? '';
  if (value !== '') return value;
  throw new Wrong(`${what} names the variable ${name}, which is not set`, 'set it in the environment or in .env');
}

function secretOf(value: Json | undefined, what: string): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  if (isObject(value) && 'env' in value) return variable(textOf(value['env'], `${what}.env`), what);
  if (!isObject(value) || !('file' in value)) throw new Wrong(`${what} is not a secret`, 'use { env } or { file }');
  const file = textOf(value['file'], `${what}.file`);
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    throw new Wrong(
      `${what} names the file ${file}, which cannot be read`,
      'the path is relative to the working directory',
    );
  }
}

/** A token endpoint: over HTTPS, or on this machine. Secrets would travel to it unprotected otherwise. */
export const tokenUrl: OptionKind<string> = {
  placeholder: 'url',
  parse: (texts) => {
    const given = texts.at(-1) ?? '';
    if (!URL.canParse(given)) return { message: 'is not a URL', hint: 'give the whole URL of the token endpoint' };
    const { protocol, hostname, username } = new URL(given);
    if (username !== '') return { message: 'contains a user name', hint: 'use clientId and clientSecret' };
    return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
      ? { value: given }
      : { message: 'is not an https: URL', hint: 'secrets are sent to this URL, so it must be encrypted' };
  },
};

const OAUTH_KEYS = [
  'tokenUrl',
  'clientId',
  'clientSecret',
  'clientAuthentication',
  'username',
  'password',
  'scope',
  'parameters',
];

function oauthOf(value: JsonObject, what: string): OAuthSource {
  onlyKeys(value, what, OAUTH_KEYS);
  const url = tokenUrl.parse([textOf(value['tokenUrl'], `${what}.tokenUrl`)]);
  if (!('value' in url)) throw new Wrong(`${what}.tokenUrl ${url.message}`, url.hint);
  const { clientAuthentication: way, parameters = {} } = value;
  if (way !== undefined && way !== 'basic' && way !== 'post')
    throw new Wrong(`${what}.clientAuthentication is unknown`, 'use basic or post');
  if (!isObject(parameters) || Object.values(parameters).some((each) => typeof each !== 'string'))
    throw new Wrong(`${what}.parameters is not an object of strings`, "for example { audience: 'https://…' }");
  const optional = (key: 'username' | 'scope'): string | undefined =>
    value[key] === undefined ? undefined : textOf(value[key], `${what}.${key}`);
  return {
    tokenUrl: url.value,
    clientId: textOf(value['clientId'], `${what}.clientId`),
    ...defined({
      clientSecret: secretOf(value['clientSecret'], `${what}.clientSecret`),
      username: optional('username'),
      password: secretOf(value['password'], `${what}.password`),
      scope: optional('scope'),
    }),
    ...(way === undefined ? {} : { clientAuthentication: way }),
    ...(Object.keys(parameters).length === 0 ? {} : { parameters: parameters as Record<string, string> }),
  };
}

function plainToken(given: string, what: string): string {
  const parsed = token.parse([given]);
  if ('value' in parsed) return parsed.value;
  throw new Wrong(`${what} is not a token`, parsed.hint);
}

function commandOf(value: Json | undefined, what: string): string | readonly string[] {
  if (!Array.isArray(value)) return textOf(value, `${what}.command`);
  return value.map((word) => textOf(word, `${what}.command`));
}

function sourceOf(value: Json, what: string): TokenSource {
  if (typeof value === 'string') return plainToken(value, what);
  if (!isObject(value)) throw new Wrong(`${what} is not a token source`, SOURCE_HINT);
  if ('tokenUrl' in value) return oauthOf(value, what);
  const [kind = ''] = Object.keys(value);
  onlyKeys(value, what, ['env', 'file', 'command']);
  if (kind === 'env') return plainToken(variable(textOf(value['env'], `${what}.env`), what), what);
  if (kind === 'file') return { file: textOf(value['file'], `${what}.file`) };
  if (kind === 'command') return { command: commandOf(value['command'], what) };
  throw new Wrong(`${what} is not a token source`, SOURCE_HINT);
}

/** An object whose members are read by `read`; an unknown name is a problem. */
function sources<T>(
  isKnown: (name: string) => boolean,
  known: string,
  read: (value: Json, what: string) => unknown = sourceOf,
): OptionKind<T> {
  return {
    placeholder: 'object',
    parse: ([text = 'null']) => {
      try {
        const value = JSON.parse(text) as Json;
        if (!isObject(value)) throw new Wrong('is not an object', `its keys are ${known}`);
        const strange = Object.keys(value).find((name) => !isKnown(name));
        if (strange !== undefined) throw new Wrong(`has the unknown key ${strange}`, `use ${known}`);
        const entries = Object.entries(value).map(([name, source]) => [name, read(source, name)] as const);
        return { value: Object.fromEntries(entries) as T };
      } catch (error) {
        if (!(error instanceof Wrong)) throw error;
        return {
          message: /^(?:is|has) /u.test(error.message) ? error.message : `: ${error.message}`,
          hint: error.hint,
        };
      }
    },
  };
}

export const auth: OptionKind<{ readonly full?: TokenSource; readonly limited?: TokenSource }> = sources(
  (name) => ['full', 'limited'].includes(name),
  'full and limited',
);

/** Tokens with one permission each, and that of another tenant. */
export const tokens: OptionKind<Readonly<Record<string, TokenSource>>> = sources(
  (name) => name === 'otherTenant' || /^RACI:\S+$/u.test(name),
  'otherTenant and permissions such as RACI:management.aiagents',
);

/** The secret of a security scheme; a user name and a password are `user:password`. */
function credentialOf(value: Json, what: string): string {
  if (isObject(value) && 'username' in value) {
    onlyKeys(value, what, ['username', 'password']);
    const username = textOf(value['username'], `${what}.username`);
    if (!username.includes(':')) return `${username}:${secretOf(value['password'], `${what}.password`) ?? ''}`;
    throw new Wrong(`${what}.username contains a colon`, 'HTTP Basic does not allow it');
  }
  const secret = secretOf(value, what) ?? '';
  if (secret !== '' && !/\p{Cc}/u.test(secret)) return secret;
  throw new Wrong(
    `${what} is empty or contains a line break`,
    'use a string, { env }, { file } or { username, password }',
  );
}

export const credentials: OptionKind<Readonly<Record<string, string>>> = sources(
  () => true,
  'the names of security schemes',
  credentialOf,
);

/** `Name: secret`. */
export const credential: OptionKind<Readonly<Record<string, string>>> = {
  placeholder: 'name: secret',
  parse: (texts) => {
    const pairs = texts.map((text) => /^([^:]+):\s*(\S.*)$/u.exec(text.trim()) ?? []);
    const hint =
      "write --credential 'NAME: SECRET' with the name of a security scheme; of HTTP Basic 'NAME: user:password'";
    if (pairs.some(([whole]) => whole === undefined)) return { message: 'has no name and secret', hint };
    return { value: Object.fromEntries(pairs.map(([, name = '', secret = '']) => [name.trim(), secret])) };
  },
};
