import { afterSuccess, before, body, contract, fields, id, published } from './fault.ts';
import type { Fault } from './fault.ts';
import { isFields } from '../model/shape.ts';
import type { Call, Wrap } from '../http/call.ts';
import { changeResults, HISTORY_FAULTS } from './histories.ts';
import * as op from './operations.ts';
import { OVERLAP_FAULTS } from './overlap.ts';

/** Merges the metadata of the request into that of the item. */
const merging = (known: (call: Call) => unknown): Wrap =>
  before((call) => {
    const [metadata, old] = [fields(call)['metadata'], known(call)];
    if (isFields(metadata) && isFields(old)) call.body = { ...fields(call), metadata: { ...old, ...metadata } };
  });

/** Faults of the wire for `suites/run.e2e.test.ts`, which may not import the proxy of `prove`. */
const WIRE_FAULTS = {
  'create-policy-202': contract('Creating a policy answers 202', 'A success has a documented status.', [
    op.CREATE_POLICY,
  ]).outer(() => afterSuccess((answer) => ({ ...answer, status: 202 }))),
  'no-token-accepted-policies': contract(
    'Policies are served without a token',
    'A request without a token is answered with 401.',
    op.POLICY_AREA,
  ).outer(({ full }) =>
    before((call) => {
      call.authorization ??= `Bearer ${full}`;
    }),
  ),
} as const;

const REPLACED = 'PUT replaces a map completely.';

/** Defects that violate only what is known of the service beyond its document. */
const PUBLISHED_FAULTS = {
  'total-count-missing': published('A page of runs has no totalCount', 'The paginated wrapper holds totalCount.', [
    op.RUNS,
  ]).inner(() => body((value) => (isFields(value) ? { ...value, totalCount: undefined } : value))),
  'unregistered-action-accepted': published(
    'A policy with an unregistered action is accepted',
    'Creating a policy with an unregistered action answers 400.',
    [op.CREATE_POLICY],
  ).inner(() => before((call) => (call.body = { ...fields(call), rules: [] }))),
  'job-with-approved-results-deleted': published(
    'A job with approved results is deleted',
    'A job with approved results cannot be deleted.',
    [op.DELETE_JOB],
  ).inner(() => before((call) => changeResults(call, () => ({ modifiedBy: null })))),
  'update-merges-metadata': published('An update of an agent keeps its old metadata', REPLACED, [
    op.UPDATE_AGENT,
    op.READ_AGENT,
  ]).inner(() => merging((call) => call.world.agents.get(id(call))?.['metadata']), [op.UPDATE_AGENT]),
  'job-update-merges-metadata': published('An update of a job keeps its old metadata', REPLACED, [
    op.UPDATE_JOB,
    op.READ_JOB,
  ]).inner(() => merging((call) => call.world.jobs.get(id(call))?.metadata), [op.UPDATE_JOB]),
} as const;

/** All named defects of the service. Those that a proxy in front of it can cause are in `prove/operators`. */
export const CATALOGUE = {
  ...WIRE_FAULTS,
  ...HISTORY_FAULTS,
  ...OVERLAP_FAULTS,
  ...PUBLISHED_FAULTS,
} as const satisfies Record<string, Fault>;
