import type { Operation } from '../../spec/index.ts';
import { isObject } from '../../spec/json.ts';
import { withBody } from '../proxy/call.ts';
import type { Where } from '../proxy/call.ts';
import { at, itemAt } from '../proxy/handler.ts';
import { asList, asObject } from '../proxy/json.ts';
import type { JsonMap } from '../proxy/json.ts';
import type { Call, Make } from '../proxy/message.ts';
import { bodyRef, membersOf, collectionAt, storedMembers } from '../surface.ts';
import type { Member, Surface } from '../surface.ts';
import { byFull, itemPath } from './operator.ts';
import type { Operator, Variant } from './operator.ts';

const STORED = 'what is posted is what is stored (section 4)';

/** Changes of texts when they are stored. */
const TEXTS = {
  trimmed: (text: string) => text.trim(),
  'lower-case': (text: string) => text.toLowerCase(),
  truncated: (text: string) => text.slice(0, 100),
  'html-escaped': (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
  'non-ascii-lost': (text: string) => text.replaceAll(/[^\0-\u007f]/g, '?'),
  normalised: (text: string) => text.normalize('NFC'),
  'quotes-doubled': (text: string) => text.replaceAll("'", "''"),
  'backslashes-lost': (text: string) => text.replaceAll('\\', ''),
  'dollars-replaced': (text: string) => text.replaceAll('$$', '$').replaceAll('$&', ''),
  'line-breaks-lost': (text: string) => text.replaceAll(/\r?\n/g, ' '),
  'percent-decoded': (text: string) => text.replaceAll('%20', ' ').replaceAll('+', ' '),
} as const satisfies Record<string, (text: string) => string>;

/** Changes that the document does not exclude: a warning. */
const CLEANED: ReadonlySet<string> = new Set(['trimmed', 'normalised']);

const stores = (operation: Operation, { resources }: Surface): boolean =>
  resources.some(({ create, update }) => operation === create || operation === update);

/** Changes a member of a body before it is stored. */
const storing = (where: Where, { name }: Member, change: (value: unknown, body: JsonMap) => unknown): Make =>
  at(byFull(where, ({ json }) => isObject(json) && Object.hasOwn(asObject(json), name))).requests(({ json }) => {
    const body = asObject(json);
    const after = { ...body, [name]: change(body[name], body) };
    return JSON.stringify(after) === JSON.stringify(body) ? undefined : withBody(after);
  });

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
            seenIn: [operation.id, collectionAt(surface, operation)?.read?.id ?? ''],
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

/** An update keeps the stored value of a member if the new value meets a condition. */
const keeping = (where: Where, { name }: Member, collection: string, when: (value: unknown) => boolean): Make =>
  at(byFull(where, ({ json }) => Object.hasOwn(asObject(json), name) && when(asObject(json)[name]))).handles(
    async (call: Call, next, context) => {
      const old = await itemAt(context, itemPath(call, collection));
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

/** Accepts a body that the service refuses, and stores the example of the description instead. */
function acceptingAny(where: Where, { body }: Operation): Make {
  const example = body?.content[0]?.examples[0];
  return at(byFull(where, ({ json }) => isObject(json))).handles(async (_, next) => {
    const reply = await next();
    return reply.status === 400 && example !== undefined ? next(withBody(example)) : reply;
  });
}

/** Values that are changed when they are stored. */
export const STORED_OPERATORS = {
  'text-altered': {
    title: 'A text is changed when it is stored.',
    breaks: STORED,
    checks: ['created-reads-back', 'updated-reads-back', 'equal-json'],
    variants: (surface) =>
      Object.entries(TEXTS).flatMap(([name, change]) =>
        onMembers(
          isText,
          (value) => (typeof value === 'string' && change(value) !== '' ? change(value) : value),
          `-${name}`,
        )(surface).map((variant) => (CLEANED.has(name) ? { ...variant, grade: 'published' as const } : variant)),
      ),
  },
  'member-lost': {
    title: 'A member of a body is not stored.',
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
    variants: (surface) =>
      onMembers(
        (member) => isText(member) && member.types.includes('null'),
        (value) => (value === '' ? null : value),
      )(surface).map((variant) => ({ ...variant, grade: 'published' as const })),
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
    title: 'An update does not change a member.',
    breaks: STORED,
    checks: ['updated-reads-back', 'json-patch'],
    perForm: true,
    variants: onUpdates(
      ({ types }) => types.includes('string') || types.includes('boolean') || types.includes('array'),
      () => true,
    ),
  },
  'update-keeps-where-empty': {
    title: 'An update to an empty text or list keeps the old value.',
    breaks: STORED,
    checks: ['updated-reads-back'],
    variants: onUpdates(
      ({ types }) => types.includes('null') && (types.includes('string') || types.includes('array')),
      (value) => value === '' || (Array.isArray(value) && value.length === 0),
    ),
  },
  'invalid-accepted': {
    title: 'A body that violates the published schema is accepted.',
    breaks: 'published: bodies that do not fit the schema are refused',
    checks: ['invalid-refused', 'published-behaviour'],
    variants: (surface) =>
      surface.resources.flatMap(({ create }) => [
        ...membersOf(surface.contract, bodyRef(surface.contract, create))
          .filter(({ required }) => required)
          .map(({ name }) => ({
            operation: create,
            name,
            grade: 'published' as const,
            make: (where: Where) =>
              at(byFull(where, ({ json }) => isObject(json) && (asObject(json)[name] ?? '') === '')).requests(
                ({ json }) => withBody({ ...asObject(json), [name]: 'Unnamed' }),
              ),
          })),
        {
          operation: create,
          name: 'any',
          grade: 'published' as const,
          make: (where: Where) => acceptingAny(where, create),
        },
      ]),
  },
} as const satisfies Record<string, Operator>;
