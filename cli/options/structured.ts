import type { Fixtures } from '../../domain/fixtures.ts';
import { headerVariable, isOwnHeader } from '../../client/extra-headers.ts';
import { isObject } from '../../spec/json.ts';
import type { Json } from '../../spec/json.ts';
import { didYouMean } from '../../spec/nearest.ts';
import { baseUrl } from './kinds.ts';
import type { OptionKind, Parsed } from './kinds.ts';
import { isUuid } from '../../spec/uuid.ts';

type Wrong = Exclude<Parsed<never>, { readonly value: never }>;

type Texts = Readonly<Record<string, string>>;

/** A structured value of the configuration file, which is passed as JSON. */
function structured<T>(read: (value: Json) => Parsed<T>): OptionKind<T> {
  return { placeholder: 'object', parse: ([text = 'null']) => read(JSON.parse(text) as Json) };
}

/** The name of a header at the beginning of a text. */
const nameIn = (text: string): string => /^[\w!#$%&'*+.^`|~-]*/.exec(text)?.[0] ?? '';

function headerProblem(name: string, value: unknown): Wrong | undefined {
  if (nameIn(name) !== name || name === '')
    return {
      message: name === '' ? 'has no name before the colon' : `has "${name}", which is not the name of a header`,
      hint: 'use letters, digits and hyphens, for example X-Tenant',
    };
  if (isOwnHeader(name))
    return {
      message: `sets ${name}, which Assay sets itself`,
      hint: name.toLowerCase() === 'authorization' ? 'use --token for the token' : 'omit it',
    };
  return typeof value === 'string' && /^[\t\x20-\x7e]+$/.test(value)
    ? undefined
    : { message: `has no usable value for ${name}`, hint: 'use printable ASCII characters, for example north' };
}

function headersOf(pairs: readonly (readonly [string, unknown])[]): Parsed<Texts> {
  const wrong = pairs.map(([name, value]) => headerProblem(name, value)).find((problem) => problem !== undefined);
  return wrong ?? { value: Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), String(value)])) };
}

export const headers: OptionKind<Texts> = structured((value) =>
  isObject(value)
    ? headersOf(Object.entries(value))
    : { message: 'is not an object', hint: "write headers: { 'X-Tenant': 'north' }" },
);

/** `Name: value`, or `Name` alone for the value of its variable. */
export const header: OptionKind<Texts> = {
  placeholder: 'name: value',
  parse: (texts) => {
    const pairs = texts.map((text) => {
      const [, name = '', value] = /^([^:]*)(?::\s*(.*?)\s*)?$/su.exec(text) ?? [];
      return { name, value: value ?? process.env[headerVariable(name) ?? ''] };
    });
    const missing = pairs.find(({ name, value = '' }) => value === '' && name !== '');
    if (missing === undefined) return headersOf(pairs.map(({ name, value }) => [name, value]));
    // What follows the name may be a secret.
    const name = nameIn(missing.name);
    const variable = headerVariable(name);
    const hint = `write NAME: VALUE, for example --header '${name || 'X-Tenant'}: north'`;
    return {
      message: name === missing.name ? `has no value for ${name}` : `is not NAME: VALUE; it begins with "${name}"`,
      hint: variable === undefined ? hint : `${hint}, or --header ${name} and set ${variable}`,
    };
  },
};

function baseProblem(pattern: string, url: unknown): Wrong | undefined {
  const parsed = typeof url === 'string' ? baseUrl.parse([url]) : { message: 'is not a string', hint: '' };
  return 'value' in parsed ? undefined : { message: `["${pattern}"] ${parsed.message}`, hint: parsed.hint };
}

/** Base URLs by path or id of the operations served there. */
export const bases: OptionKind<Texts> = structured((value) => {
  if (!isObject(value))
    return { message: 'is not an object', hint: "write bases: { '/things': 'https://public.example.com' }" };
  const entries = Object.entries(value);
  const wrong = entries.map(([pattern, url]) => baseProblem(pattern, url)).find((problem) => problem !== undefined);
  return wrong ?? { value: value as Texts };
});

const FIXTURES: Readonly<Record<keyof Fixtures, readonly [accepts: (value: Json) => boolean, what: string]>> = {
  organization: [isUuid, 'a uuid'],
  endpoint: [isUuid, 'a uuid'],
  entityType: [
    (value) => typeof value === 'string' && /^\/?[^\s/#:][^\s#:]*$/.test(value),
    'a string such as "/Customer"',
  ],
  bodies: [isObject, "an object such as { 'POST /things': { name: '{name}' } }"],
};

/** Values that must exist in the tenant. */
export const fixtures: OptionKind<Fixtures> = structured((value) => {
  const known = Object.keys(FIXTURES) as (keyof Fixtures)[];
  if (!isObject(value)) return { message: 'is not an object', hint: `use ${known.join(', ')}` };
  const strange = Object.keys(value).find((key) => !known.some((name) => name === key));
  if (strange !== undefined)
    return {
      message: `has the unknown key ${strange}`,
      hint: didYouMean(strange, known) || `known keys: ${known.join(', ')}`,
    };
  const wrong = known.find((key) => value[key] !== undefined && !FIXTURES[key][0](value[key] ?? null));
  return wrong === undefined ? { value } : { message: `has a wrong ${wrong}`, hint: `use ${FIXTURES[wrong][1]}` };
});
