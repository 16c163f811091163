import type { Operation } from '../../spec/index.ts';
import { asList, asObject, at, problem, replies, requests, succeeded, withBody } from '../proxy/edit.ts';
import type { JsonMap, Where } from '../proxy/edit.ts';
import type { Call, Make } from '../proxy/message.ts';
import { bodyRef, membersOf, resourceOf, storedMembers, typesOf } from '../surface.ts';
import type { Member, Surface } from '../surface.ts';
import { byFull, itemPath, onEach } from './operator.ts';
import type { Operator, Variant } from './operator.ts';
import { parsed } from '../proxy/edit.ts';

const SERVED = 'a valid request succeeds; 500: unexpected server error (section 7)';
const STORED = 'what is posted is what is stored (section 4)';

const strings = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : [];
};
const values = (value: unknown): readonly unknown[] =>
  typeof value === 'object' && value !== null ? [value, ...Object.values(value).flatMap(values)] : [value];
const depth = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0;
const someText =
  (test: (text: string) => boolean) =>
  (body: unknown): boolean =>
    strings(body).some(test);
const someValue =
  (test: (value: unknown) => boolean) =>
  (body: unknown): boolean =>
    values(body).some(test);
const someKey = (test: (key: string) => boolean) =>
  someValue(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).some(test),
  );

/** Kinds of valid values that services fail on. */
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
  'empty-object': someValue(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0,
  ),
  'many-members': someValue(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 20,
  ),
  'deep-nesting': (body: unknown) => depth(body) > 6,
  negative: someValue((value) => typeof value === 'number' && value < 0),
  'big-number': someValue((value) => typeof value === 'number' && Math.abs(value) >= 2 ** 31 - 1),
  'dotted-key': someKey((key) => key.split('.').length > 2),
  'spaced-key': someKey((key) => key.includes(' ')),
  'prototype-key': someKey((key) => key in Object.prototype),
} as const satisfies Record<string, (body: unknown) => boolean>;

/** Ways in which services change texts that they store. */
const TEXTS = {
  trimmed: (text: string) => text.trim(),
  'lower-case': (text: string) => text.toLowerCase(),
  truncated: (text: string) => text.slice(0, 100),
  'html-escaped': (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
  'non-ascii-lost': (text: string) => text.replaceAll(/[^\0-\u007f]/g, '?'),
  normalised: (text: string) => text.normalize('NFC'),
  'quotes-doubled': (text: string) => text.replaceAll("'", "''"),
  'backslashes-lost': (text: string) => text.replaceAll('\\', ''),
  'line-breaks-lost': (text: string) => text.replaceAll(/\r?\n/g, ' '),
  'percent-decoded': (text: string) => text.replaceAll('%20', ' ').replaceAll('+', ' '),
} as const satisfies Record<string, (text: string) => string>;

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
const stores = (operation: Operation, { resources }: Surface): boolean =>
  resources.some(({ create, update }) => operation === create || operation === update);
const hasBody = ({ body }: Operation): boolean => body !== undefined;

/** Changes a member of a body before it is stored. */
const storing = (where: Where, { name }: Member, change: (value: unknown, body: JsonMap) => unknown): Make =>
  requests(
    byFull(where, ({ json }) => isObject(json) && Object.hasOwn(asObject(json), name)),
    ({ json }) => {
      const body = asObject(json);
      const after = { ...body, [name]: change(body[name], body) };
      return JSON.stringify(after) === JSON.stringify(body) ? undefined : withBody(after);
    },
  );

/** A variant for each stored member of a resource, on creation and on update. */
const onMembers =
  (fits: (member: Member) => boolean, change: (value: unknown, body: JsonMap) => unknown, suffix = '') =>
  (surface: Surface): readonly Variant[] =>
    surface.operations
      .filter((operation) => stores(operation, surface))
      .flatMap((operation) =>
        storedMembers(surface.contract, operation)
          .filter(fits)
          .map((member) => ({
            operation,
            name: `${member.name}${suffix}`,
            seenIn: [operation.id, resourceOf(surface, operation)?.read?.id ?? ''],
            make: (where: Where) => storing(where, member, change),
          })),
      );

const hasType =
  (type: string) =>
  ({ types }: Member): boolean =>
    types.includes(type);
const isText = ({ types, schema }: Member): boolean =>
  types.includes('string') &&
  asObject(schema)['format'] === undefined &&
  !/cron|schedule/i.test(JSON.stringify(schema));
const arbitrary = (operation: Operation, { contract, resources }: Surface): boolean => {
  const ref = bodyRef(contract, operation);
  return (
    operation.method === 'POST' &&
    ref !== undefined &&
    typesOf(ref.schema).includes('object') &&
    !resources.some(({ operations }) => operations.includes(operation))
  );
};
const failsOn = (where: Where, kind: (body: unknown) => boolean, status: number): Make =>
  replies(
    byFull(where, ({ json }) => json !== undefined && kind(json)),
    (reply) => (succeeded(reply) ? problem(status) : reply),
  );

/** Spellings of the same JSON. */
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
              replies(
                byFull(where, ({ search }) => search.getAll(name).some(test)),
                () => problem(500),
              ),
          })),
        ),
    );

/** Keeps a member of the stored item where an update sends another value of it. */
const keeping = (where: Where, { name }: Member, collection: string, when: (value: unknown) => boolean): Make =>
  at(
    byFull(where, ({ json }) => Object.hasOwn(asObject(json), name) && when(asObject(json)[name])),
    async (call: Call, next, context) => {
      const old = asObject(parsed(await context.send('GET', itemPath(call, collection))));
      return next(Object.hasOwn(old, name) ? withBody({ ...asObject(call.json), [name]: old[name] }) : undefined);
    },
  );

const onUpdates =
  (fits: (member: Member) => boolean, when: (value: unknown) => boolean) =>
  (surface: Surface): readonly Variant[] =>
    surface.resources.flatMap(({ update, read, collection }) =>
      update === undefined
        ? []
        : storedMembers(surface.contract, update)
            .filter(fits)
            .map((member) => ({
              operation: update,
              name: member.name,
              seenIn: [update.id, read?.id ?? ''],
              make: (where: Where) => keeping(where, member, collection, when),
            })),
    );

/** Values that are sent: failures on kinds of values, and values stored otherwise than sent. */
export const VALUE_OPERATORS = {
  'fails-on-value': {
    title: 'A valid body with a kind of value is answered with 500.',
    breaks: SERVED,
    checks: ['no-server-error', 'equal-json'],
    variants: (surface) =>
      Object.entries(KINDS).flatMap(([name, kind]) =>
        onEach(hasBody, (where) => failsOn(where, kind, 500), [name])(surface),
      ),
  },
  'closes-on-value': {
    title: 'A valid body with a kind of value makes the service close the connection.',
    breaks: SERVED,
    checks: ['answered'],
    variants: (surface) =>
      (['long-text', 'emoji', 'null'] as const).flatMap((name) =>
        onEach(
          hasBody,
          (where) =>
            replies(
              byFull(where, ({ json }) => json !== undefined && KINDS[name](json)),
              (reply) => (succeeded(reply) ? { ...reply, wire: 'reset' } : reply),
            ),
          [name],
        )(surface),
      ),
  },
  'refuses-value': {
    title: 'A body whose members are open is refused for a kind of value.',
    breaks: 'the members of the body are open (section 2)',
    checks: ['clue-accepted', 'raw-accepted', 'valid-request-served', 'equal-json'],
    variants: (surface) =>
      (['empty-text', 'long-text', 'emoji', 'many-members', 'apostrophe'] as const).flatMap((name) =>
        onEach(arbitrary, (where) => failsOn(where, KINDS[name], 400), [name])(surface),
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
    title: 'Equal JSON is refused in one spelling.',
    breaks: 'bodies are JSON (section 4)',
    checks: ['equal-json', 'valid-request-served'],
    variants: (surface) =>
      Object.entries(SPELLINGS).flatMap(([name, test]) =>
        onEach(
          hasBody,
          (where) =>
            replies(
              byFull(where, ({ body, json }) => json !== undefined && test(body.toString('utf8'))),
              (reply) => (succeeded(reply) ? problem(400) : reply),
            ),
          [name],
        )(surface),
      ),
  },
  'text-altered': {
    title: 'A text is stored in another spelling.',
    breaks: STORED,
    checks: ['created-reads-back', 'updated-reads-back', 'equal-json'],
    variants: (surface) =>
      Object.entries(TEXTS).flatMap(([name, change]) =>
        onMembers(
          isText,
          (value) => (typeof value === 'string' && change(value) !== '' ? change(value) : value),
          `-${name}`,
        )(surface),
      ),
  },
  'member-lost': {
    title: 'A member that is sent is not stored.',
    breaks: STORED,
    checks: ['created-reads-back', 'updated-reads-back'],
    perForm: true,
    variants: onMembers(
      ({ required, types }) => !required && (types.includes('null') || types.includes('object')),
      () => null,
    ),
  },
  'empty-text-is-null': {
    title: 'An empty text is stored as null.',
    breaks: STORED,
    checks: ['created-reads-back', 'updated-reads-back'],
    variants: onMembers(
      (member) => isText(member) && member.types.includes('null'),
      (value) => (value === '' ? null : value),
    ),
  },
  'list-truncated': {
    title: 'A stored list loses its last item.',
    breaks: STORED,
    checks: ['created-reads-back', 'updated-reads-back'],
    variants: onMembers(hasType('array'), (value) => asList(value).slice(0, -1)),
  },
  'list-reversed': {
    title: 'A stored list is reversed.',
    breaks: STORED,
    checks: ['created-reads-back', 'updated-reads-back'],
    variants: onMembers(hasType('array'), (value) => asList(value).toReversed()),
  },
  'flag-inverted': {
    title: 'A flag is stored inverted.',
    breaks: STORED,
    checks: ['created-reads-back', 'updated-reads-back'],
    variants: (surface) =>
      onMembers(hasType('boolean'), (value) => (typeof value === 'boolean' ? !value : value))(surface).filter(
        ({ operation, name }) =>
          !surface.resources.some(
            ({ actions, create, update }) =>
              actions.length > 0 && name === 'isActive' && (create === operation || update === operation),
          ),
      ),
  },
  'map-keys-lower-case': {
    title: 'The keys of a map are stored in lower case.',
    breaks: STORED,
    checks: ['created-reads-back', 'updated-reads-back'],
    variants: onMembers(
      ({ schema }) => isObject(asObject(schema)['additionalProperties']),
      (value) => Object.fromEntries(Object.entries(asObject(value)).map(([key, each]) => [key.toLowerCase(), each])),
    ),
  },
  'map-truncated': {
    title: 'A stored map keeps its first five entries only.',
    breaks: STORED,
    checks: ['created-reads-back', 'updated-reads-back'],
    variants: onMembers(
      ({ schema }) => isObject(asObject(schema)['additionalProperties']),
      (value) => (isObject(value) ? Object.fromEntries(Object.entries(asObject(value)).slice(0, 5)) : value),
    ),
  },
  'update-keeps-member': {
    title: 'An update leaves a member as it was.',
    breaks: STORED,
    checks: ['updated-reads-back', 'json-patch'],
    perForm: true,
    variants: onUpdates(
      ({ types }) => types.includes('string') || types.includes('boolean') || types.includes('array'),
      () => true,
    ),
  },
  'update-keeps-where-empty': {
    title: 'An update to an empty text or list leaves the old value.',
    breaks: STORED,
    checks: ['updated-reads-back'],
    variants: onUpdates(
      ({ types }) => types.includes('null'),
      (value) => value === '' || (Array.isArray(value) && value.length === 0),
    ),
  },
  'invalid-accepted': {
    title: 'A body without a required member is accepted.',
    breaks: 'published: the member is required',
    checks: ['invalid-refused', 'published-behaviour'],
    variants: (surface) =>
      surface.resources.flatMap(({ create }) =>
        membersOf(surface.contract, bodyRef(surface.contract, create))
          .filter(({ required }) => required)
          .map(({ name }) => ({
            operation: create,
            name,
            grade: 'published' as const,
            make: (where: Where) =>
              requests(
                byFull(where, ({ json }) => isObject(json) && (asObject(json)[name] ?? '') === ''),
                ({ json }) => withBody({ ...asObject(json), [name]: 'Unnamed' }),
              ),
          })),
      ),
  },
} as const satisfies Record<string, Operator>;
