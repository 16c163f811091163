/** The documented API once more, written from api.md alone: a second opinion on the harness, apart from `service/`. */
import { randomUUID } from 'node:crypto';

import { JOB, NO_ID, Refusal, Store, accept, isItem, isUuid } from './model.ts';
import type { Fields, Item } from './model.ts';
import { flag, holds, json, slice } from './query.ts';

export interface Call {
  method: string;
  /** `/api` or `/api/v1`. */
  form: string;
  /** What follows the form. */
  path: string;
  query: URLSearchParams;
  headers: Record<string, string | undefined>;
  body: string;
  params: Record<string, string>;
}
export interface Answer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}
export type Next = (call: Call) => Promise<Answer>;
/** Changes what a call or its answer is: a healthy personality, or a defect. */
export type Layer = (call: Call, next: Next, service: Service) => Answer | Promise<Answer>;

/** Where a healthy deployment may differ and no layer can show it. */
export interface Options {
  /** How long after a change readers see the older state, in milliseconds. */
  lag: (what: 'policies' | 'agents' | 'jobs', view: 'list' | 'item') => number;
  runMs: number;
  /** What a result of a run is at first. */
  firstState: 'Pending' | 'Approved';
  activeAtFirst: boolean;
  approvalMs: number;
}
export const PLAIN: Options = { lag: () => 0, runMs: 60, firstState: 'Pending', activeAtFirst: false, approvalMs: 0 };

export const TOKENS = { full: 'full-5dd0c1', limited: 'limited-8be2a7', expired: 'expired-3f90ce' };
export const RESULT_TYPES = ['Cleaning', 'Duplicates'];

const compare = (a: unknown, b: unknown): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : String(a) < String(b) ? -1 : Number(String(a) > String(b));

export class Service {
  readonly policies = new Store();
  readonly agents = new Store();
  readonly jobs = new Store();
  runs: Item[] = [];
  chats: Item[] = [];
  results: Item[] = [];
  log: Item[] = [];
  readonly keys = new Set<string>();
  readonly options: Options;

  constructor(options: Partial<Options> = {}) {
    this.options = { ...PLAIN, ...options };
  }

  find(store: 'policies' | 'agents' | 'jobs', call: Call, now = true): Item & { id: string } {
    const id = String(call.params['id'] ?? call.params['jobId']);
    const item = this[store].get(id, now ? 0 : this.options.lag(store, 'item'));
    if (item === undefined) throw new Refusal(404, 'no such item');
    return item as Item & { id: string };
  }

  save(store: 'policies' | 'agents' | 'jobs', id: string, value: Item | undefined, action: string): void {
    this[store].put(id, value);
    this.log.unshift({
      id: randomUUID(),
      objectId: id,
      action,
      createdAt: new Date().toISOString(),
      createdBy: 'full',
    });
  }

  create(store: 'policies' | 'agents' | 'jobs', call: Call, fields: Fields): Item & { id: string } {
    const item = { ...this.valid(json(call), fields), id: randomUUID() };
    this.save(store, item.id, { ...item, createdAt: new Date().toISOString(), createdBy: 'full' }, 'Create');
    return this.find(store, { ...call, params: { id: item.id } });
  }

  update(store: 'policies' | 'agents' | 'jobs', call: Call, fields: Fields, body: unknown): Item & { id: string } {
    const before = this.find(store, call);
    const after = { ...before, ...this.valid(body, fields), modifiedAt: new Date().toISOString(), modifiedBy: 'full' };
    this.save(store, before.id, after, 'Update');
    return after;
  }

  remove(store: 'policies' | 'agents' | 'jobs', call: Call): void {
    this.save(store, this.find(store, call).id, undefined, 'Delete');
  }

  valid(body: unknown, fields: Fields): Item {
    const item = accept(body, fields);
    const agent = item['aiAgentId'] ?? NO_ID;
    if (fields === JOB && agent !== NO_ID && !this.agents.get(agent as string)) throw new Refusal(400, 'no such agent');
    return item;
  }

  /** Policies in the order in which they are processed. */
  order(): Item[] {
    return this.policies.all().toSorted((a, b) => Number(a['order']) - Number(b['order']));
  }

  setOrder(entries: unknown): void {
    if (!Array.isArray(entries) || !entries.every((entry) => isItem(entry) && isUuid(entry['id'])))
      throw new Refusal(400);
    const ids = entries.map(({ id }: Item) => String(id).toLowerCase());
    if (new Set(ids).size < ids.length || ids.some((id) => !this.policies.get(id))) throw new Refusal(400);
    const rest = this.order()
      .map(({ id }) => String(id))
      .filter((id) => !ids.includes(id));
    for (const [at, id] of [...ids, ...rest].entries())
      this.policies.put(id, { ...this.policies.get(id), order: at + 1 });
  }

  policyList(call: Call): Item[] {
    const [active, ascending] = [flag(call, 'filterActive'), flag(call, 'orderAsc') ?? true];
    const [creator, name, by] = ['filterCreator', 'searchName', 'orderBy'].map((key) => call.query.get(key) ?? '');
    const found = this.policies
      .all(this.options.lag('policies', 'list'))
      .filter((policy) => active === undefined || policy['isActive'] === active)
      .filter((policy) => !creator || policy['createdBy'] === creator)
      .filter((policy) => holds(policy['name'], name ?? ''));
    const key = Object.keys(found[0] ?? {}).find((field) => field.toLowerCase() === by?.toLowerCase());
    const rank = (policy: Item): unknown => {
      const value = policy[key ?? ''] ?? '';
      return typeof value === 'string' ? value.toLowerCase() : value;
    };
    if (key) found.sort((a, b) => compare(rank(a), rank(b)));
    return slice(call, ascending ? found : found.toReversed());
  }

  byMetadata(call: Call, items: Item[]): Item[] {
    const wanted = [...call.query].flatMap(([key, value]) => {
      const name = /^metadataFilter\[(.*)\]$/i.exec(key)?.[1];
      return name === undefined ? [] : [[name, value] as const];
    });
    return items.filter(({ metadata }) => wanted.every(([key, value]) => isItem(metadata) && metadata[key] === value));
  }

  run(call: Call, dryRun: boolean): Item {
    const job = this.find('jobs', call);
    const used = dryRun ? { ...job, ...this.valid(json(call), JOB) } : job;
    const progress = randomUUID();
    const startedAt = new Date().toISOString();
    const jobId = job.id;
    const run = { id: randomUUID(), startedAt, completedAt: null, state: 'Running', count: 0, dryRun, jobDetail: used };
    this.runs.push(Object.assign(run, { jobId, createdBy: randomUUID(), chatsWithNoResults: [] as string[] }));
    if (!dryRun) this.jobs.put(jobId, { ...job, jobProgressId: progress });
    setTimeout(() => this.#finish(run, jobId), this.options.runMs).unref();
    return { jobProgressId: progress };
  }

  #finish(run: Item, jobId: string): void {
    const runId = run['id'];
    const ids = [1, 2, 3, 4].map((sequenceId) => {
      const chat = { id: randomUUID(), sequenceId, runId, jobId, input: `record ${sequenceId}`, output: 'cleaned' };
      this.chats.push({ ...chat, rawRequest: '{}', rawResponse: '{}' });
      return chat.id;
    });
    // The first chat has two results, the last has none.
    for (const [at, chatId] of [...ids.slice(0, 3), ids[0]].entries()) {
      const result = {
        id: randomUUID(),
        runId,
        chatId,
        jobId,
        description: `change ${at}`,
        type: RESULT_TYPES[at % 2],
      };
      const createdAt = new Date().toISOString();
      this.results.push({ ...result, createdAt, model: { at }, status: 'Done', state: this.options.firstState });
    }
    Object.assign(run, { completedAt: new Date().toISOString(), state: 'Completed', count: 4 });
    Object.assign(run, { chatsWithNoResults: ids.slice(3) });
  }

  ofRun<T extends Item>(call: Call, items: T[]): T[] {
    const jobId = this.find('jobs', call).id;
    const run = this.runs.find((each) => each['id'] === call.params['runId']?.toLowerCase() && each['jobId'] === jobId);
    if (!run) throw new Refusal(404, 'no such run');
    return items.filter((item) => item['runId'] === run['id']);
  }

  ofJob(call: Call, items: Item[]): Item[] {
    const { id } = this.find('jobs', call);
    return items.filter((item) => item['jobId'] === id);
  }

  approve(results: Item[], action: unknown): void {
    const state = action === 0 || action === 1 ? ['Approved', 'Rejected'][action] : undefined;
    if (state === undefined) throw new Refusal(400, 'action is 0 or 1');
    const set = (): void => {
      for (const result of results) Object.assign(result, { state, modifiedAt: new Date().toISOString() });
    };
    if (this.options.approvalMs > 0) setTimeout(set, this.options.approvalMs).unref();
    else set();
  }
}
