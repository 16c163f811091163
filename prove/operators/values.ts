import { isObject } from '../../spec/json.ts';
import type { Operation } from '../../spec/index.ts';
import type { Where } from '../proxy/call.ts';
import { at } from '../proxy/handler.ts';
import { problem } from '../proxy/reply.ts';
import type { Make, Reply } from '../proxy/message.ts';
import { bodyRef, typesOf } from '../surface.ts';
import type { Surface } from '../surface.ts';
import { byFull, onEachOf } from './operator.ts';
import type { Operator, Variant } from './operator.ts';

const SERVED = 'a valid request succeeds; 500: unexpected server error (section 7)';
/** A JSON value and all values inside of it. */
export const valuesIn = (value: unknown): readonly unknown[] =>
  typeof value === 'object' && value !== null ? [value, ...Object.values(value).flatMap(valuesIn)] : [value];
const depth = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0;
const someValue =
  (test: (value: unknown) => boolean) =>
  (body: unknown): boolean =>
    valuesIn(body).some(test);
const someText = (test: (text: string) => boolean) => someValue((value) => typeof value === 'string' && test(value));
const someObject = (test: (keys: readonly string[]) => boolean) =>
  someValue((value) => isObject(value) && test(Object.keys(value)));
const someKey = (test: (key: string) => boolean) => someObject((keys) => keys.some(test));

/** Kinds of valid values on which services tend to fail. */
const KINDS = {
  'empty-text': someText((text) => text === ''),
  'one-character': someText((text) => text.length === 1),
  'long-text': someText((text) => text.length > 255),
  'very-long-text': someText((text) => text.length > 4000),
  emoji: someText((text) => /[\u{10000}-\u{10ffff}]/u.test(text)),
  'right-to-left': someText((text) => /[\u0590-\u06ff\u202e]/.test(text)),
  'combining-mark': someText((text) => /[\u0300-\u036f]/.test(text)),
  apostrophe: someText((text) => text.includes("'")),
  quote: someText((text) => text.includes('"')),
  percent: someText((text) => text.includes('%')),
  backslash: someText((text) => text.includes('\\')),
  markup: someText((text) => text.includes('<')),
  'line-break': someText((text) => text.includes('\n')),
  'outer-space': someText((text) => text !== '' && text.trim() !== text),
  digits: someText((text) => /^\d+$/.test(text)),
  'null-word': someText((text) => text === 'null'),
  null: someValue((value) => value === null),
  'empty-list': someValue((value) => Array.isArray(value) && value.length === 0),
  'long-list': someValue((value) => Array.isArray(value) && value.length > 8),
  'empty-object': someObject((keys) => keys.length === 0),
  'many-members': someObject((keys) => keys.length > 20),
  'deep-nesting': (body: unknown) => depth(body) > 6,
  negative: someValue((value) => typeof value === 'number' && value < 0),
  'big-number': someValue((value) => typeof value === 'number' && Math.abs(value) >= 2 ** 31 - 1),
  'dotted-key': someKey((key) => key.split('.').length > 2),
  'spaced-key': someKey((key) => key.includes(' ')),
  'prototype-key': someKey((key) => key in Object.prototype),
} as const satisfies Record<string, (body: unknown) => boolean>;

const kinds = (...names: readonly (keyof typeof KINDS)[]): Readonly<Record<string, (body: unknown) => boolean>> =>
  Object.fromEntries(names.map((name) => [name, KINDS[name]]));

const hasBody = ({ body }: Operation): boolean => body !== undefined;

/** Operations that take an object and belong to no resource: their bodies may have any members. */
const takesAnyObject = (operation: Operation, { contract, resources }: Surface): boolean => {
  const ref = bodyRef(contract, operation);
  return (
    operation.method === 'POST' &&
    ref !== undefined &&
    typesOf(ref.schema).includes('object') &&
    !resources.some(({ operations }) => operations.includes(operation))
  );
};
/** Changes the response to a valid body that contains a kind of value. */
const onValue = (where: Where, kind: (body: unknown) => boolean, change: (reply: Reply) => Reply): Make =>
  at(byFull(where, ({ json }) => json !== undefined && kind(json))).successes(change);

/** Notations of equivalent JSON. */
const SPELLINGS = {
  'white-space': (text: string) => /^\s/.test(text) || /^\{\s*\n/.test(text),
  escapes: (text: string) => /\\u00[2-9a-f][0-9a-f]/i.test(text),
  'member-order': (text: string) => !/^\s*\{\s*"(?:name|clue|id)"/.test(text) && text.includes('"name"'),
} as const satisfies Record<string, (text: string) => boolean>;

const WORDS: Readonly<Record<string, (value: string) => boolean>> = {
  word: (value) => /^[a-z]/i.test(value),
  negative: (value) => value.startsWith('-'),
  zero: (value) => value === '0',
  big: (value) => /^\d{10,}$/.test(value),
};
const CHARACTERS: Readonly<Record<string, (value: string) => boolean>> = {
  apostrophe: (value) => value.includes("'"),
  percent: (value) => value.includes('%'),
  bracket: (value) => value.includes('['),
  'non-ascii': (value) => /[^\0-\u007f]/.test(value),
  long: (value) => value.length > 100,
  empty: (value) => value === '',
};

/** A variant for each query parameter of a type and kind of value. */
const onQuery =
  (type: string, kinds: Readonly<Record<string, (value: string) => boolean>>) =>
  (surface: Surface): readonly Variant[] =>
    surface.operations.flatMap((operation) =>
      operation.parameters
        .filter(({ in: place, schema }) => place === 'query' && typesOf(schema.schema).includes(type))
        .flatMap(({ name }) =>
          Object.entries(kinds).map(([kind, test]) => ({
            operation,
            name: `${name}-${kind}`,
            make: (where: Where) =>
              at(byFull(where, ({ search }) => search.getAll(name).some(test))).replies(() => problem(500)),
          })),
        ),
    );

/** Valid values on which a service fails, or which it refuses. */
export const VALUE_OPERATORS = {
  'fails-on-value': {
    title: 'A valid body that contains a kind of value is answered with 500.',
    breaks: SERVED,
    checks: ['no-server-error', 'equal-json'],
    variants: onEachOf(KINDS, hasBody, (where, kind) => onValue(where, kind, () => problem(500))),
  },
  'refuses-value': {
    title: 'A body that may have any members is refused for a kind of value.',
    breaks: 'the members of the body are not limited (section 2)',
    checks: ['clue-accepted', 'raw-accepted', 'valid-request-served', 'equal-json'],
    variants: onEachOf(
      kinds('empty-text', 'long-text', 'emoji', 'many-members', 'apostrophe'),
      takesAnyObject,
      (where, kind) => onValue(where, kind, () => problem(400)),
    ),
  },
  'fails-on-parameter': {
    title: 'A kind of query value is answered with 500.',
    breaks: SERVED,
    checks: ['no-server-error'],
    variants: (surface) => [
      ...onQuery('integer', WORDS)(surface),
      ...onQuery('string', CHARACTERS)(surface),
      ...onQuery('boolean', { word: (value) => !/^(?:true|false)$/i.test(value) })(surface),
    ],
  },
  'spelling-refused': {
    title: 'Equivalent JSON is refused in one notation.',
    breaks: 'bodies are JSON (section 4)',
    checks: ['equal-json', 'valid-request-served'],
    variants: onEachOf(SPELLINGS, hasBody, (where, test) =>
      at(byFull(where, ({ body, json }) => json !== undefined && test(body.toString('utf8')))).successes(() =>
        problem(400),
      ),
    ),
  },
} as const satisfies Record<string, Operator>;
