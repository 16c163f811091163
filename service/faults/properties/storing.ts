import { mediaType } from '../../http/media.ts';
import type { Call, Wrap } from '../../http/call.ts';
import { isFields } from '../../model/shape.ts';
import type { Fields } from '../../model/shape.ts';
import { properties } from '../fault.ts';
import * as op from '../operations.ts';
import { after, afterSuccess, before, fields, id, items, omit, refused, textOf } from '../parts.ts';
import { stringsIn } from './values.ts';

const READS_BACK = 'What was created or updated reads back as it was sent.';
const REFUSED = 'A request that is refused changes nothing.';
const DRESS = 'Equal JSON is answered alike, however it is written.';
const TWICE = 'The same clue is answered alike each time.';

function changing(change: (body: Fields) => Fields): Wrap {
  return before((call) => {
    if (isFields(call.body)) call.body = change(call.body);
  });
}

const metadata = (item: Fields, change: (entries: [string, unknown][]) => [string, unknown][]): Fields =>
  isFields(item['metadata'])
    ? { ...item, metadata: Object.fromEntries(change(Object.entries(item['metadata']))) }
    : item;

/** Remembers origin codes; says whether this clue's was seen before. */
function createSeen(): (call: Call) => boolean {
  const seen = new Set<string>();
  return (call) => {
    const key = JSON.stringify(call.body);
    if (seen.has(key)) return true;
    seen.add(key);
    return false;
  };
}

const sentAs = (call: Call, type: string) => mediaType(call.contentType ?? '') === type;

/** An update takes what is empty for what was left out. */
const keepsWhere = (name: 'rules' | 'description', isEmpty: (value: unknown) => boolean): Wrap =>
  before((call) => {
    const old = call.world.policies.get(id(call));
    if (old !== undefined && isFields(call.body) && isEmpty(call.body[name]))
      call.body = { ...call.body, [name]: old[name] };
  });

export const storingFaults = {
  'rename-by-case-ignored': properties(
    'A policy is not renamed where only capitals change',
    READS_BACK,
    [op.UPDATE_POLICY],
    () => ({
      inner: before((call) => {
        const old = call.world.policies.get(id(call))?.name;
        if (isFields(call.body) && textOf(call.body['name']).toLowerCase() === textOf(old).toLowerCase())
          call.body = { ...call.body, name: old };
      }),
    }),
  ),
  'update-empty-rules-kept': properties(
    'An update to no rules leaves the rules as they were',
    READS_BACK,
    [op.UPDATE_POLICY],
    () => ({ inner: keepsWhere('rules', (value) => Array.isArray(value) && value.length === 0) }),
  ),
  'update-empty-description-kept': properties(
    'An update to an empty description leaves it as it was',
    READS_BACK,
    [op.UPDATE_POLICY],
    () => ({ inner: keepsWhere('description', (value) => value === '') }),
  ),
  'description-lost': properties('The description of a new policy is lost', READS_BACK, [op.CREATE_POLICY], () => ({
    inner: changing((body) => omit(body, 'description')),
  })),
  'rules-reversed': properties('The rules of a policy read back in reverse', READS_BACK, [op.READ_POLICY], () => ({
    inner: items((item) => ({
      ...item,
      rules: Array.isArray(item['rules']) ? item['rules'].toReversed() : item['rules'],
    })),
  })),
  'rules-cut': properties(
    'Only the first five rules of a policy are kept',
    READS_BACK,
    [op.CREATE_POLICY, op.UPDATE_POLICY],
    () => ({
      inner: changing((body) => ({
        ...body,
        ...(Array.isArray(body['rules']) ? { rules: body['rules'].slice(0, 5) } : {}),
      })),
    }),
  ),
  'condition-lost-on-update': properties(
    'An update loses the condition of a policy',
    READS_BACK,
    [op.UPDATE_POLICY],
    () => ({ inner: changing((body) => omit(body, 'condition')) }),
  ),
  'metadata-special-key-lost': properties(
    'Metadata whose key has a special character is lost',
    READS_BACK,
    [op.CREATE_AGENT, op.CREATE_JOB, op.UPDATE_JOB],
    () => ({ inner: changing((body) => metadata(body, (entries) => entries.filter(([key]) => /^\w*$/.test(key)))) }),
  ),
  'metadata-key-lower-case': properties(
    'Metadata keys read back in lower case',
    READS_BACK,
    [op.CREATE_JOB, op.CREATE_AGENT],
    () => ({
      inner: changing((body) => metadata(body, (entries) => entries.map(([key, value]) => [key.toLowerCase(), value]))),
    }),
  ),
  'metadata-digits-as-number': properties(
    'Metadata made of digits reads back as a number',
    READS_BACK,
    [op.READ_JOB, op.READ_AGENT],
    () => ({
      inner: items((item) =>
        metadata(item, (entries) =>
          entries.map(([key, value]) => [key, /^[1-9]\d*$/.test(String(value)) ? Number(value) : value]),
        ),
      ),
    }),
  ),
  'skills-deduplicated': properties(
    'Skills that a job names twice are kept once',
    READS_BACK,
    [op.CREATE_JOB, op.UPDATE_JOB],
    () => ({
      inner: changing((body) => ({
        ...body,
        ...(Array.isArray(body['allowedSkills']) ? { allowedSkills: [...new Set(body['allowedSkills'])] } : {}),
      })),
    }),
  ),
  'enabled-inverted': properties('A job is enabled when it was created disabled', READS_BACK, [op.CREATE_JOB], () => ({
    inner: changing((body) => (body['enabled'] === false ? { ...body, enabled: true } : body)),
  })),
  'list-cuts-names': properties(
    'A list shows only the first 100 characters of a name',
    'What was created is listed as it was sent.',
    [op.JOBS, op.AGENTS],
    () => ({ inner: items((item) => ({ ...item, name: textOf(item['name']).slice(0, 100) })) }),
  ),
  'list-apostrophe-500': properties(
    'A list with an apostrophe in a description makes the service fail',
    'No list makes the service fail.',
    [op.POLICIES],
    () => ({
      inner: after((answer) => (stringsIn(answer.body).some((text) => text.includes("O'")) ? refused(500) : answer)),
    }),
  ),
  'bad-update-stored': properties('An update that is refused changes the name', REFUSED, [op.UPDATE_POLICY], () => ({
    inner: async (call, next) => {
      const answer = await next(call);
      if (answer.status === 400) call.world.policies.merge(id(call), { name: 'refused' });
      return answer;
    },
  })),
  'bad-agent-stored': properties('An agent that is refused is stored', REFUSED, [op.CREATE_AGENT], () => ({
    inner: async (call, next) => {
      const answer = await next(call);
      if (answer.status === 400)
        call.world.agents.create(
          call.world.random.uuid(),
          { name: `refused ${textOf(fields(call)['description'])}` },
          '',
        );
      return answer;
    },
  })),
  'bad-job-stored': properties('A job that is refused is stored', REFUSED, [op.CREATE_JOB], () => ({
    inner: async (call, next) => {
      const answer = await next(call);
      if (answer.status === 400) call.world.jobs.create(call.world.random.uuid(), { name: 'refused' }, '');
      return answer;
    },
  })),
  'clue-twice-409': properties('The same clue again is answered with 409', TWICE, [op.CLUE], () => {
    const seen = createSeen();
    return { inner: (call, next) => (seen(call) ? refused(409) : next(call)) };
  }),
  'clue-twice-500': properties('The same clue again makes the service fail', TWICE, [op.CLUE], () => {
    const seen = createSeen();
    return { inner: (call, next) => (seen(call) ? refused(500) : next(call)) };
  }),
  'raw-twice-500': properties(
    'The same raw data again makes the service fail',
    'No request makes the service fail.',
    [op.RAW],
    () => {
      const seen = createSeen();
      return { inner: (call, next) => (seen(call) ? refused(500) : next(call)) };
    },
  ),
  'text-json-case': properties(
    'A name sent as text/json is stored in capitals',
    DRESS,
    [op.CREATE_POLICY, op.UPDATE_POLICY],
    () => ({
      inner: (call, next) =>
        sentAs(call, 'text/json')
          ? changing((body) => ({ ...body, name: textOf(body['name']).toUpperCase() }))(call, next)
          : next(call),
    }),
  ),
  'text-json-202': properties('An agent sent as text/json is answered with 202', DRESS, [op.CREATE_AGENT], () => ({
    outer: afterSuccess((answer, call) => (sentAs(call, 'text/json') ? { ...answer, status: 202 } : answer)),
  })),
  'escapes-500': properties(
    'A unicode escape in a body makes the service fail',
    DRESS,
    [op.CREATE_POLICY, op.CREATE_JOB],
    () => ({ inner: (call, next) => (/\\u[0-9a-f]{4}/i.test(call.raw?.toString() ?? '') ? refused(500) : next(call)) }),
  ),
  'key-order-500': properties(
    'A job whose name is not its first member makes the service fail',
    DRESS,
    [op.CREATE_JOB],
    () => ({
      inner: (call, next) => {
        const keys = Object.keys(fields(call));
        return keys.length > 1 && keys[0] !== 'name' ? refused(500) : next(call);
      },
    }),
  ),
  'white-space-400': properties('A body that begins with white space is refused', DRESS, [op.CREATE_AGENT], () => ({
    inner: (call, next) => (/^\s/.test(call.raw?.toString() ?? '') ? refused(400) : next(call)),
  })),
  'unknown-member-500': properties(
    'A member that is not known makes the service fail',
    'No request makes the service fail.',
    [op.CREATE_AGENT],
    () => ({
      inner: (call, next) => {
        const known = new Set(['name', 'description', 'instructions', 'metadata']);
        return Object.keys(fields(call)).some((key) => !known.has(key)) ? refused(500) : next(call);
      },
    }),
  ),
  'proto-member-500': properties(
    'A member __proto__ makes the service fail',
    'No request makes the service fail.',
    [op.RAW, op.CREATE_POLICY],
    () => ({ inner: (call, next) => (stringsIn(call.body).includes('__proto__') ? refused(500) : next(call)) }),
  ),
  'wrong-type-500': properties(
    'A number for a name makes the service fail',
    'An invalid request is never answered with a server error.',
    [op.CREATE_AGENT, op.CREATE_POLICY],
    () => ({ inner: (call, next) => (typeof fields(call)['name'] === 'number' ? refused(500) : next(call)) }),
  ),
  'missing-name-500': properties(
    'A job without a name makes the service fail',
    'An invalid request is never answered with a server error.',
    [op.CREATE_JOB, op.DRY_RUN],
    () => ({ inner: (call, next) => (Object.hasOwn(fields(call), 'name') ? next(call) : refused(500)) }),
  ),
  'array-body-500': properties(
    'An array for a policy makes the service fail',
    'An invalid request is never answered with a server error.',
    [op.CREATE_POLICY],
    () => ({ inner: (call, next) => (Array.isArray(call.body) ? refused(500) : next(call)) }),
  ),
} as const;
