import type { Operation } from '../../spec/index.ts';
import { idsFit } from '../proxy/call.ts';
import { at } from '../proxy/handler.ts';
import { empty, json, problem, succeeded, withHeader } from '../proxy/reply.ts';
import type { Reply } from '../proxy/message.ts';
import { byFull, onEach, onEachOf, SAME_FORMS, stateful, statuses } from './operator.ts';
import type { Operator } from './operator.ts';

/** True if a path matches a path template of the description. */
function fitsPath(template: string, path: string): boolean {
  const [own, given] = [template.split('/'), path.toLowerCase().split('/')];
  return own.length === given.length && own.every((part, at) => part.includes('{') || part.toLowerCase() === given[at]);
}

const SUCCESS = '200: request succeeded (section 7)';
const UNEXPECTED = '500: unexpected server error (section 7)';
const MISSING = '404: resource does not exist (section 7)';
const every = (): boolean => true;

/** Operations to which 400 cannot mean that an undocumented parameter, or data that must exist, is missing. */
const mustAccept = ({ extensions }: Operation): boolean =>
  extensions['x-parameters'] !== 'unstated' && extensions['x-needs'] === undefined;
/** Operations to which 404 cannot mean that what they need, such as a mapping of the data, is missing. */
const mayNotBeMissing = ({ extensions }: Operation): boolean => extensions['x-needs'] === undefined;
const isDocumented = ({ responses }: Operation, status: string): boolean =>
  responses.some((each) => each.status === status || each.status === 'default' || each.status === `${status[0]}XX`);
const hasId = ({ parameters }: Operation): boolean =>
  parameters.some(
    ({ in: place, schema }) =>
      place === 'path' && typeof schema.schema === 'object' && schema.schema['format'] === 'uuid',
  );
/** Operations that answer 404 for an unknown id: not lists, which may be empty for an unknown parent. */
const mustMiss = (operation: Operation): boolean => hasId(operation) && isDocumented(operation, '404');
const withStatus = (reply: Reply, status: number): Reply => ({ ...reply, status });

export const STATUS_OPERATORS = {
  'status-202': {
    title: 'A success is answered with 202.',
    breaks: SUCCESS,
    checks: ['status-documented', 'form-equivalence'],
    perForm: true,
    variants: onEach(
      (operation) => !isDocumented(operation, '202'),
      (where) => at(byFull(where)).successes((reply) => withStatus(reply, 202)),
    ),
  },
  'status-201-in-form': {
    title: 'A success is answered with 201 in one form only.',
    breaks: SAME_FORMS,
    checks: ['form-equivalence'],
    variants: onEach(
      (operation) => operation.forms.length > 1 && isDocumented(operation, '201'),
      (where, { forms }) =>
        at({ ...byFull(where), form: forms[1]?.name ?? '' }).successes((reply) => withStatus(reply, 201)),
    ),
  },
  redirect: {
    title: 'A valid request is redirected.',
    breaks: SUCCESS,
    checks: ['status-documented', 'valid-request-served', 'form-equivalence'],
    perForm: true,
    variants: onEach(every, (where) =>
      at(byFull(where)).successes(() => withHeader(empty(302), 'location', '/elsewhere')),
    ),
  },
  'server-error': {
    title: 'A valid request is answered with 500.',
    breaks: UNEXPECTED,
    checks: ['no-server-error'],
    perForm: true,
    variants: onEach(every, (where) => at(byFull(where)).successes(() => problem(500))),
  },
  'server-error-at-times': {
    title: 'Every eighth valid request is answered with 500.',
    breaks: UNEXPECTED,
    checks: ['no-server-error'],
    variants: onEach(every, (where) =>
      stateful(() => {
        let seen = 0;
        return at(byFull(where)).successes((reply) => ((seen += 1) % 8 === 0 ? problem(500) : reply));
      }),
    ),
  },
  'valid-refused': {
    title: 'A valid request is refused with 400.',
    breaks: SUCCESS,
    checks: ['valid-request-served'],
    perForm: true,
    variants: onEach(mustAccept, (where) => at(byFull(where)).successes(() => problem(400))),
  },
  'missing-operation': {
    title: 'A documented operation is answered with 404.',
    breaks: 'each path exists as /api/<path> and as /api/v1/<path> (section 4)',
    checks: ['valid-request-served'],
    perForm: true,
    variants: onEach(mayNotBeMissing, (where) => at(byFull(where)).successes(() => problem(404))),
  },
  'connection-reset': {
    title: 'The connection is closed instead of a response.',
    breaks: SUCCESS,
    checks: ['answered'],
    variants: onEach(every, (where) => at(byFull(where)).successes((reply) => ({ ...reply, wire: 'reset' }))),
  },
  'body-cut': {
    title: 'The connection is closed in the middle of a body.',
    breaks: SUCCESS,
    checks: ['answered'],
    variants: onEach(
      ({ responses }) => responses.some(({ status, content }) => status.startsWith('2') && content.length > 0),
      (where) => at(byFull(where)).successes((reply) => (reply.body.length > 1 ? { ...reply, wire: 'short' } : reply)),
    ),
  },
  'unknown-id-answered': {
    title: 'An unknown id is not answered with 404.',
    breaks: MISSING,
    checks: ['unknown-id', 'no-server-error', 'deleted-is-gone'],
    perForm: true,
    variants: onEachOf(statuses(200, 400, 410, 500), mustMiss, (where, status) =>
      at(byFull(where, idsFit)).whenStatus(404, () => (status === 200 ? json({}) : problem(status))),
    ),
  },
  'malformed-id-answered': {
    title: 'An id that is not a uuid is answered with success or 500.',
    breaks: '{id} is a uuid string (section 4); 400: malformed request (section 7)',
    checks: ['malformed-id', 'no-server-error'],
    variants: onEachOf(statuses(200, 500), hasId, (where, status) =>
      at(byFull(where, (call) => !idsFit(call))).replies(() => (status === 200 ? json({}) : problem(500))),
    ),
  },
  'wrong-method-fails': {
    title: 'A method that is not defined for the path is answered with 500.',
    breaks: UNEXPECTED,
    checks: ['no-server-error'],
    variants: onEach(
      ({ method }, { operations }) => method === 'GET' && operations.length > 0,
      (_where, operation) => () => (call, next) =>
        call.route === undefined && operation.forms.some(({ path }) => fitsPath(path, call.path))
          ? problem(500)
          : next(),
    ),
  },
  'malformed-json-answered': {
    title: 'A body with an unclosed object is not answered with 400.',
    breaks: '400: request malformed (section 7)',
    checks: ['malformed-json', 'no-server-error'],
    perForm: true,
    variants: onEachOf(
      statuses(200, 404, 409, 422, 500),
      ({ body }) => body !== undefined,
      (where, status) =>
        at(byFull(where, (call) => call.json === undefined && call.body.length > 0)).replies((reply) =>
          succeeded(reply) ? reply : status === 200 ? json(null) : problem(status),
        ),
    ),
  },
} as const satisfies Record<string, Operator>;
