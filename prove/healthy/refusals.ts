import { words } from '../../spec/words.ts';
import { parsedJson } from '../../spec/index.ts';
import { hit, idsFit, withBody, withQuery } from '../proxy/call.ts';
import { listAt } from '../proxy/handler.ts';
import { asList, asObject, items } from '../proxy/json.ts';
import { empty, problem, withHeader, withJson } from '../proxy/reply.ts';
import type { Call, Make, Reply } from '../proxy/message.ts';
import { CONFLICT, FALSE_ALARMS, INVALID, variation } from './variation.ts';
import type { Variation } from './variation.ts';
import {
  JOB_WRITES,
  PATCH,
  PREVIEW,
  READ_AGENT,
  READ_JOB,
  UPDATE,
  UPDATE_AGENT,
  UPDATE_JOB,
  WRITES,
} from '../defects/operations.ts';
import { itemOf } from '../defects/items.ts';
import { refuse } from './changes.ts';

const UNMAPPED =
  'raw data is converted only if a mapping exists; the response without a mapping is not shown (api.md 1, 2)';
const BOOLEANS = ['filterActive', 'orderAsc', 'includeOnlyChatsWithNoResults', 'save'];
const NUMBERS = ['page', 'take', 'pageNumber', 'pageSize'];

const int32 = (value: string): boolean => /^-?\d{1,10}$/.test(value) && Math.abs(Number(value)) < 2_147_483_648;

function illTyped(call: Call): readonly string[] {
  return [...call.search]
    .filter(
      ([name, value]) =>
        (NUMBERS.includes(name) && !int32(value)) || (BOOLEANS.includes(name) && !/^(?:true|false)$/i.test(value)),
    )
    .map(([name]) => name);
}

function negative(call: Call): readonly string[] {
  return [...call.search]
    .filter(([name, value]) => NUMBERS.includes(name) && (value.startsWith('-') || (value === '0' && name !== 'page')))
    .map(([name]) => name);
}

/** Ignores some parameters of the query. */
function dropping(which: (call: Call) => readonly string[]): Make {
  return () => (call, next) => {
    const names = which(call);
    if (names.length === 0) return next();
    return next(withQuery(call, Object.fromEntries(names.map((name) => [name, undefined]))));
  };
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const wrongMethod =
  (reply: Reply): Make =>
  () =>
  (call, next) =>
    call.route === undefined && call.path.toLowerCase().startsWith('/api/') ? reply : next();

/** Parses JSON leniently: comments, trailing commas, single quotes. */
function lenient(source: string): unknown {
  const clean = source
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .replaceAll(/(^|\s)\/\/.*$/gm, '$1')
    .replaceAll(/,(\s*[\]}])/g, '$1')
    .replaceAll(/'([^'"]*)'/g, '"$1"');
  return parsedJson(clean);
}

const TEXTS = ['name', 'description', 'instructions', 'prompt', 'cronSchedule'];
const FLAGS = ['isActive', 'enabled', 'enableCronSchedule', 'requiresAttention'];

function coerced(body: unknown): unknown {
  return Array.isArray(body)
    ? body
    : Object.fromEntries(
        Object.entries(asObject(body)).map(([name, value]) => {
          if (TEXTS.includes(name) && ['number', 'boolean'].includes(typeof value)) return [name, String(value)];
          if (FLAGS.includes(name) && (value === 'true' || value === 'false')) return [name, value === 'true'];
          return name === 'order' && typeof value === 'string' && /^\d+$/.test(value)
            ? [name, Number(value)]
            : [name, value];
        }),
      );
}

const KNOWN = new Set(
  words(`
    name description id organizationId createdAt createdBy modifiedAt modifiedBy condition rules isActive
    order requiresAttention instructions metadata prompt allowedSkills enableCronSchedule cronSchedule
    endpointId aiAgentId enabled dataSources
  `),
);

/** Skills in the body of a job or of a patch. */
function skillsIn({ json }: Call): readonly unknown[] {
  if (!Array.isArray(json)) return asList(asObject(json)['allowedSkills']);
  return json
    .map(asObject)
    .filter(({ path }) => String(path).startsWith('/allowedSkills'))
    .flatMap(({ value }) => (value === undefined ? [] : [value].flat()));
}

/** Refusals of requests, and lenient readings of them. */
export const REFUSALS: readonly Variation[] = [
  variation('malformed-uuid-404', `${FALSE_ALARMS}: a malformed uuid in a path is 404`).refuses(
    (call) => !idsFit(call),
    404,
  ),
  variation('malformed-uuid-404-before-401', `${FALSE_ALARMS}: order of refusal is 404, then 401`).by(
    () => (call, next) => (call.route !== undefined && !idsFit(call) ? empty(404) : next()),
  ),
  variation('unknown-id-404-before-401', `${FALSE_ALARMS}: order of refusal is 404, then 401`).handles(
    [READ_AGENT, READ_JOB],
    async (call, next, context) => {
      const found = call.role === 'full' ? undefined : await context.send('GET', call.path);
      return found?.status === 404 ? found : next();
    },
  ),
  variation('wrong-method-405', `${FALSE_ALARMS}: a wrong method is 405 with Allow and no body`).by(
    wrongMethod(withHeader(empty(405), 'allow', 'GET')),
  ),
  variation('wrong-method-404', `${FALSE_ALARMS}: a wrong method is 404`).by(wrongMethod(empty(404))),
  variation('head-and-options-405', `${FALSE_ALARMS}: HEAD and OPTIONS may be 405`).by(
    () => (call, next) => (METHODS.includes(call.method) ? next() : empty(405)),
  ),
  variation('options-204', 'a gateway may answer CORS preflight requests').by(
    () => (call, next) =>
      call.method === 'OPTIONS' ? withHeader(empty(204), 'access-control-allow-origin', '*') : next(),
  ),
  variation(
    'ill-typed-query-default',
    `${FALSE_ALARMS}: an int32 overflow or a bad boolean is silently the default`,
  ).by(dropping(illTyped)),
  variation('ill-typed-query-400', `${FALSE_ALARMS}: an int32 overflow or a bad boolean is 400`).refuses(
    (call) => illTyped(call).length > 0,
  ),
  variation('negative-query-default', 'negative pages: not shown in api.md').by(dropping(negative)),
  variation('negative-query-400', 'negative pages: not shown in api.md').refuses((call) => negative(call).length > 0),
  variation(
    'odd-order-and-page-size-400-with-causes',
    'fields to sort by, a maximum page size and the body of an error, here with a list of causes: not shown in api.md',
  ).by(
    refuse(
      ({ search }) =>
        !['', 'name', 'createdAt', 'order'].includes(search.get('orderBy') ?? '') ||
        ['take', 'pageSize'].some((name) => Number(search.get(name) ?? 0) > 100),
      withJson(problem(400), { title: 'Bad Request', errors: { query: ['The value is not allowed.'] } }),
    ),
  ),
  variation('odd-media-type-415', `${FALSE_ALARMS}: no or an unsupported Content-Type is 415`).refuses(
    (call) =>
      ['POST', 'PUT', 'PATCH'].includes(call.method) &&
      call.body.length > 0 &&
      !/^(?:application\/(?:json|[\w.-]+\+json)|text\/json)\b/i.test(call.headers['content-type'] ?? ''),
    415,
  ),
  variation('lenient-json', `${FALSE_ALARMS}: JSON parsing is lenient`).handles(WRITES, async (call, next) => {
    const value = call.json ?? lenient(call.body.toString());
    return value === undefined ? next() : next(withBody(coerced(value)));
  }),
  variation('unknown-members-400', 'every object has additionalProperties: false (platform.md)').refuses(
    (call) => hit(call, WRITES) && Object.keys(asObject(call.json)).some((name) => !KNOWN.has(name)),
  ),
  variation('wrong-types-400', INVALID).refuses(
    (call) => hit(call, WRITES) && JSON.stringify(coerced(call.json)) !== JSON.stringify(call.json),
  ),
  variation('body-limit-413', 'maximum body size: not shown (api.md 8)').by(
    () => (call, next) => (call.body.length > 4096 ? problem(413) : next()),
  ),
  variation('url-limit-414', `${FALSE_ALARMS}: request line 8 KB (414)`).by(
    () => (call, next) => (call.path.length + call.query.length > 2000 ? empty(414) : next()),
  ),
  variation('encoded-percent-in-filter-400', 'a gateway may refuse what looks like an attack').refuses((call) =>
    /metadatafilter.*%25/i.test(call.query),
  ),
  variation(
    'metadata-keys-limited-400',
    'which keys metadata may have is not shown in api.md; 400 failed validation (section 7)',
  ).refuses(
    (call) =>
      Object.keys(asObject(asObject(call.json)['metadata'])).some((key) => /[~/]/.test(key)) ||
      (hit(call, PATCH) && items(call.json).some((each) => /^\/metadata\/.*~/.test(String(asObject(each)['path'])))),
  ),
  variation('preview-not-set-up-409', `a preview needs a model, which may not be set up: ${CONFLICT}`).refuses(
    (call) => hit(call, PREVIEW),
    409,
  ),
  variation('nesting-limit-400', `${FALSE_ALARMS}: nesting past 32 levels may be refused`).refuses((call) =>
    /(?:[[{][^[\]{}]*){33}/.test(call.body.toString()),
  ),
  variation('unknown-skills-400', '400 failed validation (api.md 7): a job may name only skills that exist').handles(
    JOB_WRITES,
    async (call, next, context) => {
      const known = JSON.stringify(await listAt(context, '/api/aijobskills'));
      return skillsIn(call).some((skill) => !known.includes(JSON.stringify(skill))) ? problem(400) : next();
    },
  ),
  variation('update-keeps-what-is-null', 'whether an update to null clears a member is not shown (api.md 2)').handles(
    [UPDATE, UPDATE_AGENT, UPDATE_JOB],
    async (call, next, context) => {
      const old = await itemOf(call, context);
      const body = asObject(call.json);
      const kept = Object.keys(body).filter((name) => body[name] === null && name in old);
      return kept.length === 0
        ? next()
        : next(withBody({ ...body, ...Object.fromEntries(kept.map((name) => [name, old[name]])) }));
    },
  ),
  variation(
    'update-merges-maps',
    'that PUT replaces a map follows from HTTP, not from the document: a warning',
  ).handles([UPDATE_AGENT, UPDATE_JOB], async (call, next, context) => {
    const old = asObject((await itemOf(call, context))['metadata']);
    const body = asObject(call.json);
    return typeof body['metadata'] === 'object' && body['metadata'] !== null
      ? next(withBody({ ...body, metadata: { ...old, ...asObject(body['metadata']) } }))
      : next();
  }),
  variation('raw-unmapped-400', UNMAPPED).refuses((call) => hit(call, 'POST /admin/entity/ProcessClue')),
  variation('nul-refused-400', INVALID).refuses((call) => call.body.includes('\\u0000') || call.query.includes('%00')),
];
