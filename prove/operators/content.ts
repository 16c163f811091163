import type { Operation } from '../../spec/index.ts';
import type { Where } from '../proxy/call.ts';
import { at } from '../proxy/handler.ts';
import { asList, asObject } from '../proxy/json.ts';
import { problem, withHeader } from '../proxy/reply.ts';
import type { Make, Reply } from '../proxy/message.ts';
import { isList, itemsRef, membersOf, successRef, typesOf } from '../surface.ts';
import type { Member, Surface } from '../surface.ts';
import { byFull, onEach, onEachOf } from './operator.ts';
import type { Operator, Variant } from './operator.ts';

const SCHEMA = 'the response has the documented model (section 4)';
const JSON_RESPONSE = 'responses are JSON (section 9)';
const hasContent = ({ responses }: Operation): boolean =>
  responses.some(({ status, content }) => status.startsWith('2') && content.length > 0);
const hasSchema = (operation: Operation, { contract }: Surface): boolean =>
  successRef(contract, operation) !== undefined;
const hasItems = (operation: Operation, { contract }: Surface): boolean => itemsRef(contract, operation) !== undefined;
const returnsObject = (operation: Operation, { contract }: Surface): boolean => {
  const ref = successRef(contract, operation);
  return ref !== undefined && typesOf(ref.schema).includes('object');
};
const encoded = (reply: Reply, change: (body: string) => string | Buffer): Reply => ({
  ...reply,
  body: Buffer.from(change(reply.body.toString('utf8'))),
});

/** Malformed versions of a JSON body. */
const MALFORMED = {
  truncated: (body: string) => body.slice(0, -1),
  'trailing-comma': (body: string) => body.replace(/([}\]"\w])$/, '$1,'),
  'single-quotes': (body: string) => `${body.replaceAll('"', "'")}'`,
  twice: (body: string) => `${body} ${body}`,
  'invalid-utf8': (body: string) => Buffer.concat([Buffer.from(`${body.slice(0, -1)} "`), Buffer.from([0xff, 0xc0])]),
} as const satisfies Record<string, (body: string) => string | Buffer>;

/** A variant for each member of the response, or of the items of its list. */
function onMembers(
  fits: (member: Member) => boolean,
  change: (item: Record<string, unknown>, member: Member) => Record<string, unknown>,
) {
  return ({ contract, operations }: Surface): readonly Variant[] =>
    operations.flatMap((operation) => {
      const items = itemsRef(contract, operation);
      const members = membersOf(contract, items ?? successRef(contract, operation));
      return members.filter(fits).map((member) => {
        const changed = (item: Record<string, unknown>): Record<string, unknown> =>
          member.name in item ? change(item, member) : item;
        return {
          operation,
          name: member.name,
          grade: member.grade,
          make: (where: Where) =>
            at(byFull(where)).rewrites((value) =>
              items === undefined && !Array.isArray(value) ? changed(asObject(value)) : changeItems(value, changed),
            ),
        };
      });
    });
}

/** Changes the items of a list, bare or in a wrapper. */
function changeItems(value: unknown, change: (item: Record<string, unknown>) => Record<string, unknown>): unknown {
  if (Array.isArray(value)) return asList(value).map((item) => change(asObject(item)));
  const own = asObject(value);
  const data = Object.entries(own).find(([name, member]) => ['data', 'items'].includes(name) && Array.isArray(member));
  return data === undefined
    ? change(own)
    : { ...own, [data[0]]: asList(data[1]).map((item) => change(asObject(item))) };
}

const otherType = ({ types }: Member): unknown => (types.includes('object') ? 'wrong type' : { wrong: 'type' });

const acceptsOnly =
  (type: string, status: number) =>
  (where: Where): Make =>
    at(byFull(where, ({ headers }) => (headers['accept'] ?? '').toLowerCase().startsWith(type))).successes(() =>
      problem(status),
    );

export const CONTENT_OPERATORS = {
  'content-type-html': {
    title: 'The body of a success is declared as text/html.',
    breaks: 'JSON responses are offered as application/json, text/json and text/plain (section 4)',
    checks: ['content-type-offered'],
    perForm: true,
    variants: onEach(hasContent, (where) =>
      at(byFull(where)).successes((reply) => withHeader(reply, 'content-type', 'text/html')),
    ),
  },
  'content-type-missing': {
    title: 'The body of a success has no Content-Type.',
    breaks: JSON_RESPONSE,
    checks: ['headers-declared', 'content-type-offered'],
    variants: onEach(hasSchema, (where) =>
      at(byFull(where)).successes((reply) => withHeader(reply, 'content-type', undefined)),
    ),
  },
  'json-malformed': {
    title: 'The JSON of a body is malformed.',
    breaks: JSON_RESPONSE,
    checks: ['json-well-formed'],
    variants: onEachOf(MALFORMED, hasSchema, (where, change) =>
      at(byFull(where)).successes((reply) => encoded(reply, change)),
    ),
  },
  'json-in-string': {
    title: 'A body is a JSON string that contains JSON.',
    breaks: SCHEMA,
    checks: ['body-fits-schema', 'form-equivalence'],
    perForm: true,
    variants: onEach(
      (operation, surface) => returnsObject(operation, surface) || isList(surface.contract, operation),
      (where) => at(byFull(where)).successes((reply) => encoded(reply, (body) => JSON.stringify(body))),
    ),
  },
  'object-in-array': {
    title: 'An object is wrapped in an array.',
    breaks: SCHEMA,
    checks: ['body-fits-schema'],
    variants: onEach(returnsObject, (where) => at(byFull(where)).rewrites((value) => [value])),
  },
  'list-as-object': {
    title: 'A list is an object keyed by position.',
    breaks: SCHEMA,
    checks: ['body-fits-schema'],
    variants: onEach(hasItems, (where) =>
      at(byFull(where)).rewrites((value) =>
        Array.isArray(value) ? Object.fromEntries(asList(value).map((item, index) => [`item${index}`, item])) : value,
      ),
    ),
  },
  'list-unwrapped': {
    title: 'A paginated response is a bare array.',
    breaks: 'PaginatedResponse of an item model (sections 2 and 4)',
    checks: ['body-fits-schema'],
    variants: onEach(
      (operation, surface) => returnsObject(operation, surface) && isList(surface.contract, operation),
      (where) => at(byFull(where)).rewrites((value) => asObject(value)['data'] ?? value),
    ),
  },
  'null-item': {
    title: 'A list ends with null.',
    breaks: SCHEMA,
    checks: ['body-fits-schema'],
    variants: onEach(hasItems, (where) =>
      at(byFull(where)).rewrites((value) => (Array.isArray(value) ? [...asList(value), null] : value)),
    ),
  },
  'null-body': {
    title: 'A success is answered with null.',
    breaks: SCHEMA,
    checks: ['body-fits-schema'],
    variants: onEach(hasSchema, (where) => at(byFull(where)).rewrites(() => null)),
  },
  'body-empty': {
    title: 'A success with a documented body is answered without one.',
    breaks: SCHEMA,
    checks: ['body-fits-schema', 'json-well-formed'],
    variants: onEach(hasSchema, (where) =>
      at(byFull(where)).successes((reply) => ({ ...reply, body: Buffer.alloc(0) })),
    ),
  },
  'drop-required': {
    title: 'A required member is missing.',
    breaks: SCHEMA,
    checks: ['body-fits-schema'],
    variants: onMembers(
      ({ required }) => required,
      (item, { name }) => Object.fromEntries(Object.entries(item).filter(([key]) => key !== name)),
    ),
  },
  'null-field': {
    title: 'A member that is never null is null.',
    breaks: SCHEMA,
    checks: ['body-fits-schema'],
    variants: onMembers(
      ({ types }) => types.length > 0 && !types.includes('null'),
      (item, { name }) => ({ ...item, [name]: null }),
    ),
  },
  'retype-field': {
    title: 'A member has another type.',
    breaks: SCHEMA,
    checks: ['body-fits-schema'],
    variants: onMembers(
      ({ types }) => types.length > 0,
      (item, member) => ({ ...item, [member.name]: otherType(member) }),
    ),
  },
  'unknown-enum-value': {
    title: 'A member with an enum has a value that is not in it.',
    breaks: SCHEMA,
    checks: ['body-fits-schema'],
    variants: onMembers(
      ({ schema }) => typeof schema === 'object' && Array.isArray(schema['enum']),
      (item, { name }) => ({ ...item, [name]: 'Unheard-Of' }),
    ),
  },
  'accept-refused': {
    title: 'A request for an offered media type is refused.',
    breaks: 'JSON responses are offered as application/json, text/json and text/plain (section 4)',
    checks: ['response-media-types', 'no-server-error'],
    variants: (surface) =>
      ['text/json', 'text/plain'].flatMap((type) =>
        [406, 500].flatMap((status) =>
          onEach(
            ({ responses }) =>
              responses.some(
                (each) => each.status.startsWith('2') && each.content.some((content) => content.type === type),
              ),
            acceptsOnly(type, status),
            [`${type}-${status}`],
          )(surface),
        ),
      ),
  },
  'text-plain-latin1': {
    title: 'A text/plain response is encoded in Latin-1.',
    breaks: 'JSON responses are offered as text/plain (section 4)',
    checks: ['response-media-types', 'json-well-formed', 'created-reads-back'],
    variants: onEach(
      (operation, surface) => surface.resources.some(({ read }) => read === operation) && hasSchema(operation, surface),
      (where) =>
        at(byFull(where, ({ headers }) => (headers['accept'] ?? '').startsWith('text/plain'))).successes((reply) => ({
          ...reply,
          body: Buffer.from(reply.body.toString('utf8'), 'latin1'),
        })),
    ),
  },
  'media-type-refused': {
    title: 'A documented request media type is refused.',
    breaks:
      'bodies are accepted as application/json, application/json-patch+json, text/json or application/*+json (section 4)',
    checks: ['request-media-types', 'no-server-error'],
    perForm: true,
    variants: (surface) =>
      Object.entries({
        'text/json': /^text\/json/i,
        'application/json-patch+json': /json-patch/i,
        'application/*+json': /^application\/(?!json-patch)[^;]*\+json/i,
      }).flatMap(([type, pattern]) =>
        [415, 500].flatMap((status) =>
          onEach(
            ({ body }) => body?.content.some((content) => content.type === type) === true,
            (where) =>
              at(byFull(where, ({ headers }) => pattern.test(headers['content-type'] ?? ''))).handles(() =>
                problem(status),
              ),
            [`${type}-${status}`],
          )(surface),
        ),
      ),
  },
} as const satisfies Record<string, Operator>;
