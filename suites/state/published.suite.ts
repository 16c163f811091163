import { sampleWith } from '../../domain/builtin/bodies/sample-body.ts';
import { operationOf, resourceFor } from '../../domain/builtin/operations.ts';
import { settled } from '../../domain/context.ts';
import { create, uniqueName } from '../../domain/create.ts';
import { idOf, itemsIn, itemsOf, memberOf, mentions, sameId } from '../../domain/items.ts';
import { listFixtureFor } from '../../domain/list-fixture.ts';
import { pageQuery, pagingOf } from '../../domain/read-list.ts';
import { makeRanJob, resultType } from '../../domain/builtin/runs.ts';
import { isObject, isServed, listIn } from '../../spec/index.ts';
import type { Exchange, Json } from '../../spec/index.ts';
import { definerOf } from './published/define.ts';
import { freshAgent } from '../../domain/builtin/agents.ts';
import { freshJob } from '../../domain/builtin/jobs.ts';
import { freshPolicy } from '../../domain/builtin/policies.ts';

const define = definerOf({ suite: 'state/published' });

/** Most pages of vocabulary keys that are read. */
const MOST_PAGES = 20;

for (const role of ['createAgent', 'createJob'] as const) {
  define(
    role,
    'a name is required',
    'published.name-required',
    ['reversible'],
    async ({ t, operation, mustRefuse }) => {
      const sample = t.knowledge.sampleBody(operation, uniqueName(t), {});
      const { name: _name, ...rest } = isObject(sample) ? sample : { name: '' };
      await mustRefuse('no-name', { json: rest });
      await mustRefuse('empty-name', { json: { ...rest, name: '' } });
    },
  );
}

define(
  'createPolicy',
  'the id of the body is ignored',
  'published.policy-ids',
  ['reversible', 'read'],
  async ({ t, form, report }) => {
    const id = '11111111-2222-4333-8444-555555555555';
    const policy = await freshPolicy(t, 'ownid', { id }, form);
    if (sameId(policy.id, id))
      report('value', 'body-id', 'a new id', [policy.created], { received: `${id}, the id of the body` });
  },
);

define(
  'createPolicy',
  'an invalid model, an unregistered action or a bad filter rule is refused',
  'published.policy-invalid',
  ['reversible'],
  async ({ t, operation, mustRefuse }) => {
    const sample = t.knowledge.sampleBody(operation, uniqueName(t, 'invalid'));
    const policy = isObject(sample) ? sample : {};
    const condition = isObject(policy['condition']) ? policy['condition'] : {};
    const action = { name: 'Assay', type: 'Assay.NoSuchAction', supportsPreview: false, properties: [] };
    await mustRefuse('invalid-model', { json: { ...policy, rules: [{ name: '' }] } });
    await mustRefuse('unregistered-action', { json: { ...policy, rules: [{ name: 'rule', actions: [action] }] } });
    await mustRefuse('bad-filter-rule', { json: { ...policy, condition: { ...condition, condition: 'ASSAY' } } });
  },
);

define(
  'createPolicy',
  'a rule keeps its actions',
  'published.policy-actions',
  // Where new policies apply at once and inactive rules act, others would see what it does.
  ['reversible', 'read', 'global'],
  async ({ t, form, report }) => {
    const listed = await t.send(operationOf(t, 'actions'), { form, label: 'list the actions' });
    const actions = itemsIn(listed)?.slice(0, 1) ?? [];
    const type = isObject(actions[0]) ? actions[0]['type'] : undefined;
    const text = typeof type === 'string' ? type : t.skip('no action with a type is listed');
    const rules = [{ name: 'rule', order: 1, isActive: false, actions }];
    const policy = await freshPolicy(t, 'actions', { rules }, form);
    let read = policy.created;
    const isKept = await settled(t, async () => {
      read = await t.send(operationOf(t, 'readPolicy'), { form, path: { id: policy.id }, label: 'read the policy' });
      return mentions(read.response?.json, text);
    });
    if (!isKept) report('missing', 'rule-actions', `the action ${text}`, [listed, policy.created, read]);
  },
);

define(
  'deleteJob',
  'a job with approved results cannot be deleted',
  'published.job-with-approved-results',
  ['reversible', 'costly', 'irreversible', 'read'],
  async ({ t, operation, form, report }) => {
    const { jobId } = await makeRanJob(t, 1);
    const path = { id: jobId };
    const results = { form, path: { ...path, type: await resultType(t) }, query: { state: 'Approved' } };
    const all = { ...results, query: {}, label: 'all results' };
    const found = await t.send(operationOf(t, 'results'), all);
    const bulk = { form, path, json: { action: 0 }, label: 'approve all results' };
    const approved = await t.send(operationOf(t, 'bulkApprove'), bulk);
    if (!isServed(approved)) t.skip('the results of the job cannot be approved');
    let shown = approved;
    const isApproved = await settled(t, async () => {
      shown = await t.send(operationOf(t, 'results'), { ...results, label: 'approved results' });
      return (itemsIn(shown) ?? []).length > 0;
    });
    if (!isApproved) t.skip('the job has no approved results');
    const removed = await t.send(operation, { form, path, label: 'delete the job' });
    if (isServed(removed))
      report('accepted', 'job-with-approved-results', 'status 400', [found, approved, shown, removed]);
  },
);

define(
  'updatePolicy',
  'the id of the path is used',
  'published.policy-ids',
  ['reversible', 'read'],
  async ({ t, operation, form, report }) => {
    const [policy, other] = [await freshPolicy(t, 'pathid'), await freshPolicy(t, 'pathid')];
    const description = 'updated by the id of the path';
    const json = isObject(policy.sent) ? { ...policy.sent, id: other.id, description } : policy.sent;
    const label = 'update with the id of another policy in the body';
    const updated = await t.send(operation, { form, path: { id: policy.id }, json, label });
    if (!isServed(updated)) return;
    const path = { id: other.id };
    const read = await t.send(operationOf(t, 'readPolicy'), { form, path, label: 'read the other policy' });
    if (!mentions(read.response?.json, description)) return;
    report('value', 'body-id', 'the policy of the path is updated', [updated, read], {
      received: 'the policy of the id in the body was updated',
    });
  },
);

define(
  'readPolicy',
  'uuids are case-insensitive',
  'published.uuid-case',
  ['reversible', 'read'],
  async ({ t, operation, form, report }) => {
    const policy = await freshPolicy(t, 'case');
    for (const id of [policy.id.toUpperCase(), policy.id.toLowerCase()]) {
      const read = await t.send(operation, { form, path: { id }, label: 'read' });
      if (read.response?.status === 404) report('refused', 'uuid-case', 'status 200', [policy.created, read]);
    }
  },
);

define(
  'createAgent',
  'an agent that a job uses cannot be deleted',
  'published.agent-in-use',
  ['reversible'],
  async ({ t, form, report }) => {
    const agent = await freshAgent(t, 'used');
    const { remove, idName } = agent.resource;
    const jobs = resourceFor(t, 'createJob');
    const references = { ...(await t.knowledge.references(t, jobs.create, {})), aiAgentId: agent.id };
    const job = await create(t, jobs, { form, suffix: 'user', references });
    const removed = await t.send(remove, { form, path: { [idName]: agent.id }, label: 'delete the agent' });
    if (!isServed(removed)) return;
    report('accepted', 'agent-in-use', 'status 400', [agent.created, job.created, removed], { by: remove });
  },
);

define(
  'bulkApprove',
  'the action is 0 or 1',
  'published.approval-action',
  ['reversible', 'irreversible'],
  async ({ t, mustRefuse }) => {
    const { id } = await freshJob(t, 'action');
    await mustRefuse('action', { path: { id }, json: { action: 7 } });
  },
);

define(
  'createJob',
  'a sample size is 0 to 1000',
  'published.sample-size',
  ['reversible'],
  async ({ t, mustRefuse }) => {
    const aiAgentId = (await freshAgent(t, 'sized')).id;
    const sample = sampleWith(t, resourceFor(t, 'createJob'), uniqueName(t), { aiAgentId }, {});
    const [source] = isObject(sample) ? (itemsOf(sample['dataSources']) ?? []) : [];
    const json =
      isObject(sample) && isObject(source)
        ? { ...sample, dataSources: [{ ...source, sampleSize: 1001 }] }
        : t.skip('the sample has no data source');
    await mustRefuse('sampleSize', { json });
  },
);

define(
  'status',
  'the status has ServiceStatus, DataShards and Components',
  'published.status-body',
  ['read'],
  async ({ t, operation, form, report }) => {
    const status = await t.send(operation, { form, identity: 'none' });
    const { json } = status.response ?? {};
    const members = ['ServiceStatus', 'DataShards', 'Components'];
    const missing = members.filter((member) => !isObject(json) || json[member] === undefined);
    if (missing.length > 0) report('missing', missing.join('+'), members.join(', '), [status]);
  },
);

for (const role of ['runs', 'results', 'chats', 'runResults'] as const)
  define(
    role,
    'the paginated response has the right counts',
    'published.paginated-counts',
    ['read'],
    async ({ t, operation, form, report }) => {
      const fixture = await listFixtureFor(t, operation);
      const paging = pagingOf(operation);
      if (paging === undefined) return;
      const read = (page: number): Promise<Exchange> => {
        const query = { ...fixture.request.query, ...pageQuery(paging, page, 5) };
        return t.send(operation, { ...fixture.request, form, query, label: `page ${page + 1}, with 5 items a page` });
      };
      const pages = [await read(0), await read(1)] as const;
      const again = await read(0);
      const [first, second] = pages.map(({ response }) => response?.json);
      if (!isObject(first) || !isObject(second) || listIn(second, 1) === undefined) return;
      // A run may add items meanwhile.
      if (memberOf(again.response?.json, 'totalCount') !== first['totalCount']) return;
      const totalCount = fixture.isolated ? fixture.ids.size : first['totalCount'];
      const expected = Object.entries({ totalCount, pageSize: 5, currentPage: 2 });
      const wrong = expected.find(([member, value]) => second[member] !== value);
      if (wrong !== undefined) {
        const [member, value] = wrong;
        const received = `${member} ${JSON.stringify(second[member]) ?? 'missing'}`;
        report('value', member, `${member} ${JSON.stringify(value)}`, pages, { received });
      }
    },
  );

define(
  'vocabularyKeys',
  'the vocabulary keys of a clue are listed',
  'published.clue-vocabulary',
  ['irreversible', 'read'],
  async ({ t, operation, form, report }) => {
    const key = `assay.${t.session.options.runId}.key`;
    const clue = operationOf(t, 'clue');
    const references = await t.knowledge.references(t, clue, {});
    const sample = JSON.stringify(t.knowledge.sampleBody(clue, uniqueName(t, 'vocab'), references));
    const json = JSON.parse(sample.replaceAll('property-assay.person.city', `property-${key}`)) as Json;
    const posted = await t.send(clue, { query: { save: true }, json, label: 'post a clue' });
    if (!isServed(posted)) return;
    let listed: Exchange = posted;
    const isListed = await settled(t, async () => {
      let before: string | undefined;
      // A deployment may ignore the search and have pages: then the key is on any page.
      for (let page = 0; page < MOST_PAGES; page += 1) {
        listed = await t.send(operation, { form, query: { searchName: key, page, take: 100 } });
        if (mentions(listed.response?.json, key)) return true;
        const shown = JSON.stringify(itemsIn(listed) ?? []);
        if (shown === '[]' || shown === before) return false;
        before = shown;
      }
      return false;
    });
    if (!isListed) report('missing', 'vocabulary-key', key, [posted, listed]);
  },
);

define(
  'createPolicy',
  'observes the initial state of a policy',
  'policies.initial-state',
  ['reversible', 'read'],
  async ({ t, operation, form }) => {
    const { id, name } = await freshPolicy(t, 'open');
    const query = { searchName: name, filterActive: true };
    const { response } = await t.send(operationOf(t, 'policies'), { form, query });
    const isActive = itemsIn({ response })?.some((item) => sameId(idOf(item), id)) === true;
    t.observe('a new policy is', isActive ? 'active' : 'inactive', operation);
  },
);
