import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { auditTypeOf, freshAudited } from '../../domain/builtin/audit.ts';
import { sampleWith } from '../../domain/builtin/bodies/sample-body.ts';
import { operationOf, resourceFor } from '../../domain/builtin/operations.ts';
import { readUntil, settled } from '../../domain/context.ts';
import { create, uniqueName } from '../../domain/create.ts';
import { itemsIn, itemsOf, memberOf, mentions } from '../../domain/items.ts';
import { listFixtureFor } from '../../domain/list-fixture.ts';
import { pageQuery, pagingOf } from '../../domain/read-list.ts';
import { areResultsApproved } from '../../domain/builtin/approved-results.ts';
import { makeRanJob, resultType } from '../../domain/builtin/runs.ts';
import { count } from '../../spec/count.ts';
import { isObject, isServed, listIn } from '../../spec/index.ts';
import type { Exchange, Json } from '../../spec/index.ts';
import { define } from './published/define.ts';
import { freshAgent } from '../../domain/builtin/agents.ts';
import { freshJob } from '../../domain/builtin/jobs.ts';

/** Page size that holds all items of a list. */
const WHOLE = 500;

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
  'deleteJob',
  'a job with approved results cannot be deleted',
  'published.job-with-approved-results',
  ['reversible', 'costly', 'irreversible', 'read'],
  async ({ t, operation, form, report }) => {
    await areResultsApproved(t);
    const { jobId } = await makeRanJob(t, 1);
    const path = { id: jobId };
    const results = { form, path: { ...path, type: await resultType(t) }, query: { state: 'Approved' } };
    const all = { ...results, query: {}, label: 'all results' };
    const found = await t.send(operationOf(t, 'results'), all);
    const bulk = { form, path, json: { action: 0 }, label: 'approve all results' };
    const approved = await t.send(operationOf(t, 'bulkApprove'), bulk);
    if (!isServed(approved)) t.skip('the results of the job cannot be approved');
    const holdsSome = (seen: Exchange): boolean => (itemsIn(seen) ?? []).length > 0;
    const read = (): Promise<Exchange> => t.send(operationOf(t, 'results'), { ...results, label: 'approved results' });
    const shown = await readUntil(t, read, holdsSome);
    if (!holdsSome(shown)) t.skip('the job has no approved results');
    const removed = await t.send(operation, { form, path, label: 'delete the job' });
    if (isServed(removed))
      report('accepted', 'job-with-approved-results', 'status 400', [found, approved, shown, removed]);
  },
);

define(
  'createAgent',
  'an agent that a job uses cannot be deleted',
  'published.agent-in-use',
  ['reversible'],
  async ({ t, form, report }) => {
    const agent = await freshAgent(t, 'used');
    const { remove } = agent.resource;
    const jobs = resourceFor(t, 'createJob');
    const references = { ...(await t.knowledge.references(t, jobs.create, {})), aiAgentId: agent.id };
    const job = await create(t, jobs, { form, suffix: 'user', references });
    const removed = await t.send(remove, { form, path: agent.path, label: 'delete the agent' });
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
      const whole = await t.send(operation, {
        ...fixture.request,
        form,
        query: { ...fixture.request.query, ...pageQuery(paging, 0, WHOLE) },
        label: 'all items on one page',
      });
      const again = await read(0);
      const [first, second] = pages.map(({ response }) => response?.json);
      if (!isObject(first) || !isObject(second) || listIn(second, 1) === undefined) return;
      // A run may add items meanwhile.
      if (memberOf(again.response?.json, 'totalCount') !== first['totalCount']) return;
      const [length, counted] = [itemsIn(whole)?.length ?? 0, memberOf(whole.response?.json, 'totalCount')];
      // A maximum may shorten the page: then it says so.
      const isWhole = memberOf(whole.response?.json, 'pageSize') === WHOLE && length < WHOLE;
      if (typeof counted === 'number' && (length > counted || (isWhole && length < counted)))
        report('value', 'totalCount', `totalCount ${length}`, [whole], { received: `totalCount ${counted}` });
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

/** Outside of the time of any entry. */
const [EARLY, LATE] = ['2000-01-01T00:00:00Z', '2199-01-01T00:00:00Z'];

define(
  'auditByIds',
  'audit log entries are selected by type, author and time',
  'published.audit-paging',
  ['reversible', 'read'],
  async ({ t, operation, form, report }) => {
    const { id } = await freshAudited(t, 'filtered');
    const [type, other] = [await auditTypeOf(t, id), randomUUID()];
    const objectIds = [id];
    const all = await t.send(operation, { form, query: { objectIds }, label: 'all entries' });
    const ofAll = itemsIn(all)?.length ?? 0;
    const wrong: { readonly names: string; readonly found: Exchange; readonly expected: string }[] = [];
    const check = async (query: Readonly<Record<string, Json>>, most: number, least = 0): Promise<void> => {
      const names = Object.keys(query).join('+');
      const found = await t.send(operation, { form, query: { objectIds, ...query }, label: names });
      const shown = itemsIn(found)?.length ?? least;
      if (isServed(found) && (shown < least || shown > most))
        wrong.push({ names, found, expected: count(least, 'entry', 'entries') });
    };
    await check({ objectTypeIds: [type] }, Infinity, ofAll);
    await check({ fromDate: EARLY, toDate: LATE }, Infinity, ofAll);
    for (const query of [{ objectTypeIds: [other] }, { authorId: other }, { fromDate: LATE }, { toDate: EARLY }])
      await check(query, 0);
    const [first] = wrong;
    if (first === undefined) return;
    const received = count(itemsIn(first.found)?.length ?? 0, 'entry', 'entries');
    report('value', wrong.map(({ names }) => names).join(', '), first.expected, [all, first.found], { received });
  },
);

define(
  'auditByIds',
  'audit log entries of an object have pages',
  'published.audit-paging',
  ['reversible', 'read'],
  async ({ t, operation, form, report }) => {
    const items = [await freshAudited(t, 'paged'), await freshAudited(t, 'other')];
    const objectIds = items.map(({ id }) => id);
    const read = (page: number, take: number): Promise<Exchange> =>
      t.send(operation, {
        form,
        query: { objectIds, page, take },
        label: `page ${page + 1}, with ${take} entries a page`,
      });
    const areShown = await settled(t, async () => {
      const { response } = await read(0, 100);
      return objectIds.every((id) => mentions(response?.json, id));
    });
    if (!areShown) t.skip('the audit log shows no entries of new items');
    const [first, second, again] = [await read(0, 1), await read(1, 1), await read(0, 1)];
    const [one, two, same] = [first, second, again].map((page) => itemsIn(page));
    // Further entries may appear meanwhile.
    if (one === undefined || two === undefined || !isDeepStrictEqual(one, same)) return;
    const isOther = !isDeepStrictEqual(one, two);
    if (one.length === 1 && two.length === 1 && isOther) return;
    const received = `${one.length} and ${two.length} entries${isOther ? '' : ', the same'}`;
    report('value', 'page+take', 'another entry on each page of one', [first, second], { received });
  },
);
