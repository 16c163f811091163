import { isUuid } from '../../spec/uuid.ts';
import type { Defect } from '../defect.ts';
import { hit, itemId } from '../proxy/call.ts';
import { at, listAt } from '../proxy/handler.ts';
import { asObject, idOf, items } from '../proxy/json.ts';
import { json, parsed, problem, succeeded } from '../proxy/reply.ts';
import type { Make } from '../proxy/message.ts';
import { exists, forgets, POLICIES_PATH } from './items.ts';
import { defect, UNEXPECTED, warningDefect, where } from './kit.ts';
import { CREATE, DELETE, READ_AGENT, RESULT, RESULTS, RUNS, STREAM, UPDATE, UPDATE_AGENT } from './operations.ts';

const PREFIX = 'result-';

/** Ids of results get a prefix in all responses, and are accepted with it. */
const prefixedResults: Make = () => {
  const known = new Set<string>();
  const shorten = (text: string): string => text.replaceAll(PREFIX, '');
  return async (call, next) => {
    const reply = await next({
      path: shorten(call.path),
      query: shorten(call.query),
      ...(call.json === undefined ? {} : { body: Buffer.from(shorten(call.body.toString('utf8'))) }),
    });
    const value = parsed(reply);
    if (!succeeded(reply) || value === undefined) return reply;
    if (hit(call, [RESULTS, RESULT]))
      for (const item of [value, ...items(value)]) {
        const { id } = asObject(item);
        if (typeof id === 'string') known.add(id);
      }
    const text = reply.body
      .toString('utf8')
      .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => (known.has(id) ? `${PREFIX}${id}` : id));
    return { ...reply, body: Buffer.from(text) };
  };
};

const UNKNOWN = '404: the resource does not exist (section 7)';

/** Takes an id that only begins like a known one as that one: all but its last four digits count. */
const byBeginning: Make = at(READ_AGENT).handles(async (call, next, context) => {
  if (await exists(call, context)) return next();
  const known = (await listAt(context, '/api/aiagent'))
    .map(idOf)
    .find((id) => id.slice(0, -4) === itemId(call).slice(0, -4));
  return next(known === undefined ? undefined : { path: call.path.replace(/[^/]+$/, known) });
});

/** Ids that do not have the documented form. */
export const IDS: readonly Defect[] = [
  defect(
    'result-ids-no-uuids',
    'an AI job result is identified by a uuid (section 2)',
    [RESULTS, RESULT],
    ['own-id', 'body-fits-schema'],
  ).by(prefixedResults),
  defect('agents-found-by-most-of-the-id', UNKNOWN, [READ_AGENT], ['unknown-id']).by(byBeginning),
  warningDefect(
    'agents-by-an-id-in-capitals-404',
    'ids are uuids (section 4)',
    [READ_AGENT],
    ['published-behaviour'],
  ).by(
    at(where([READ_AGENT], (_, call) => /[A-F]/.test(call.path.split('/').at(-1) ?? ''))).replies(() => problem(404)),
  ),
  defect(
    'deletion-by-an-id-in-capitals-does-nothing',
    'DELETE removes the policy (section 4)',
    [DELETE],
    ['deleted-is-gone'],
  ).by(forgets(DELETE, (call) => /[A-F]/.test(call.path))),
  defect(
    'empty-id-means-any',
    'path parameters are required (section 4)',
    [RUNS, RESULTS, STREAM],
    ['malformed-id'],
  ).by((context) => async (call, next) => {
    if (call.method !== 'GET' || !/\/aijob\/\/(?:runs|results\/[^/]+|chatstream)$/i.test(call.path)) return next();
    const [job] = await listAt(context, '/api/aijob');
    return next({ path: call.path.replace('//', `/${idOf(job)}/`) });
  }),
  defect(
    'creation-replaces-the-policy-with-its-id',
    'POST returns the id of a new policy (section 4)',
    [CREATE],
    ['created-reads-back'],
  ).by(
    at(where([CREATE], (body) => isUuid(body['id']))).handles(async (call, next, context) => {
      const { id } = asObject(call.json);
      const path = `${POLICIES_PATH}/${String(id)}`;
      return succeeded(await context.send('PUT', path, call.json)) ? json(id) : next();
    }),
  ),
  defect(
    'update-of-the-policy-with-the-id-in-the-body',
    'PUT updates the policy with the id of the path (section 4)',
    [UPDATE],
    ['updated-reads-back'],
  ).by(
    at(where([UPDATE], (body) => isUuid(body['id']))).handles(async (call, next, context) => {
      const path = `${POLICIES_PATH}/${String(asObject(call.json)['id'])}`;
      return next(succeeded(await context.send('GET', path)) ? { path } : undefined);
    }),
  ),
  defect('unknown-agent-500-with-accept-text-plain', UNEXPECTED, [READ_AGENT], ['no-server-error']).by(
    at(where([READ_AGENT], (_, { headers }) => headers['accept'] === 'text/plain')).whenStatus(404, () => problem(500)),
  ),
  defect('update-of-an-unknown-agent-by-an-invalid-body-500', UNEXPECTED, [UPDATE_AGENT], ['no-server-error']).by(
    at(where([UPDATE_AGENT], (body) => body['name'] === undefined)).replies(async (reply, call, context) =>
      succeeded(reply) || (await exists(call, context)) ? reply : problem(500),
    ),
  ),
];
