import type { Fields } from '../../model/shape.ts';
import { contract } from '../fault.ts';
import * as op from '../operations.ts';
import { afterSuccess, body, items, omit, textOf } from '../parts.ts';

const TYPES = 'JSON is answered as application/json, text/json or text/plain.';
const WELL_FORMED = 'A response body that is declared as JSON is well-formed JSON.';
const SCHEMA = 'A response body is what the endpoint documents.';

export const contentFaults = {
  'policies-as-html': contract('The policy list is sent as text/html', TYPES, [op.POLICIES], () => ({
    outer: afterSuccess((answer) => ({ ...answer, type: 'text/html' })),
  })),
  'job-as-xml': contract('A job is sent as application/xml', TYPES, [op.READ_JOB], () => ({
    outer: afterSuccess((answer) => ({ ...answer, type: 'application/xml' })),
  })),
  'runs-as-octets': contract('Runs are sent as application/octet-stream', TYPES, [op.RUNS], () => ({
    outer: afterSuccess((answer) => ({ ...answer, type: 'application/octet-stream' })),
  })),
  'skills-untyped': contract('The skills are sent without a Content-Type', TYPES, [op.SKILLS], () => ({
    outer: afterSuccess((answer) => ({ ...answer, type: '' })),
  })),
  'skills-cut-short': contract('The body of the skills ends early', WELL_FORMED, [op.SKILLS], () => ({
    text: (text) => text.slice(0, -1),
  })),
  'order-trailing-comma': contract('The processing order has a trailing comma', WELL_FORMED, [op.ORDER], () => ({
    text: (text) => text.replace(/\]$/, ',]'),
  })),
  'job-nan-cost': contract('A job costs NaN', WELL_FORMED, [op.READ_JOB], () => ({
    text: (text) => text.replace(/"totalTokenCost":[^,}]+/, '"totalTokenCost":NaN'),
  })),
  'policies-as-object': contract('The policy list is an object keyed by id', SCHEMA, [op.POLICIES], () => ({
    outer: body((value) =>
      Array.isArray(value) ? Object.fromEntries(value.map((item: Fields) => [item['id'], item])) : value,
    ),
  })),
  'policy-in-array': contract('A policy is answered inside an array', SCHEMA, [op.READ_POLICY], () => ({
    outer: body((value) => [value]),
  })),
  'policy-id-malformed': contract(
    'Policies in a list have ids without dashes',
    'The identifier of a policy is a uuid.',
    [op.POLICIES],
    () => ({ outer: items((item) => ({ ...item, id: textOf(item['id']).replaceAll('-', '') })) }),
  ),
  'policy-id-null': contract(
    'A policy has null for its id',
    'The identifier of a policy is a uuid.',
    [op.READ_POLICY],
    () => ({ outer: items((item) => ({ ...item, id: null })) }),
  ),
  'job-id-missing': contract('Jobs in the list have no id', 'The identifier of a job is a uuid.', [op.JOBS], () => ({
    outer: items((item) => omit(item, 'id')),
  })),
  'create-answers-object': contract(
    'Creating a policy answers the policy',
    'Creating a policy answers the uuid of the new policy.',
    [op.CREATE_POLICY],
    () => ({ outer: body((value) => ({ policyId: value })) }),
  ),
  'create-answers-other-id': contract(
    'Creating a policy answers an id that is not its own',
    'Creating a policy answers the uuid of the new policy.',
    [op.CREATE_POLICY],
    () => ({ outer: body((value) => textOf(value).replace(/^./, (digit) => (digit === 'f' ? '0' : 'f'))) }),
  ),
  'create-answers-empty': contract(
    'Creating a policy answers nothing',
    'Creating a policy answers the uuid of the new policy.',
    [op.CREATE_POLICY],
    () => ({ outer: body(() => undefined) }),
  ),
  'create-job-answers-id': contract(
    'Creating a job answers its id only',
    'Creating a job answers the job.',
    [op.CREATE_JOB],
    () => ({ outer: body((value) => (value as Fields)['id']) }),
  ),
  'patch-answers-empty': contract(
    'Patching a job answers nothing',
    'Patching a job answers the job.',
    [op.PATCH_JOB],
    () => ({ outer: body(() => undefined) }),
  ),
  'runs-bare-array': contract(
    'Runs are answered as a bare array',
    'Runs are answered in a paginated response.',
    [op.RUNS],
    () => ({ outer: body((value) => (value as Fields)['data']) }),
  ),
  'chats-bare-array': contract(
    'Chats are answered as a bare array',
    'Chats are answered in a paginated response.',
    [op.CHATS],
    () => ({ outer: body((value) => (value as Fields)['data']) }),
  ),
  'stream-unwrapped': contract(
    'The chat stream is no array',
    'The chat stream is an array of stream items.',
    [op.CHAT_STREAM],
    () => ({ outer: body((value) => ({ items: value, count: 0 })) }),
  ),
  'actions-null': contract('The rule actions are null', 'The rule actions are an array.', [op.ACTIONS], () => ({
    outer: body(() => null),
  })),
} as const;
