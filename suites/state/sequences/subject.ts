import { isObject } from '../../../spec/index.ts';
import type { Exchange, Form, Json, JsonObject } from '../../../spec/index.ts';
import type { Answer, Known, Kind, Request } from '../../oracle/index.ts';
import { create } from '../../../domain/create.ts';
import type { Made } from '../../../domain/create.ts';
import type { ApiKnowledge } from '../../../domain/knowledge.ts';
import type { Resource } from '../../../domain/resources.ts';
import type { RequestSpec, TestContext } from '../../kit/context.ts';
import { OPERATIONS, resourceFor } from '../../../domain/builtin/operations.ts';
import { sharedAgent, withMembers } from '../../../domain/builtin/make.ts';

/** Something of this run's own, with what is known of it. */
export interface Subject {
  readonly made: Made;
  readonly knowledge: ApiKnowledge;
  readonly id: string;
  known: Known;
}

/** Operation that a request about one thing is, by what is created. */
const REQUESTS = {
  createPolicy: {
    read: 'readPolicy',
    list: 'policies',
    'list-active': 'policies',
    update: 'updatePolicy',
    delete: 'deletePolicy',
    activate: 'activate',
    deactivate: 'deactivate',
  },
  createAgent: { read: 'readAgent', list: 'agents', update: 'updateAgent', delete: 'deleteAgent' },
  createJob: {
    read: 'readJob',
    list: 'jobs',
    update: 'updateJob',
    patch: 'patchJob',
    delete: 'deleteJob',
    queue: 'queue',
    'dry-run': 'dryRun',
    preview: 'preview',
  },
} as const satisfies Record<
  string,
  Partial<Record<Kind, keyof typeof OPERATIONS | 'readAgent' | 'updateAgent' | 'deleteAgent'>>
>;

export type Family = keyof typeof REQUESTS;

const AGENT = {
  readAgent: 'GET /aiagent/{id}',
  updateAgent: 'PUT /aiagent/{id}',
  deleteAgent: 'DELETE /aiagent/{id}',
} as const;

/** Id of the operation that a request is; undefined where things of the family can't be asked that. */
export function operationIdFor(family: Family, kind: Kind): string | undefined {
  const names: Partial<Record<Kind, keyof typeof OPERATIONS | keyof typeof AGENT>> = REQUESTS[family];
  const name = names[kind];
  if (name === undefined) return undefined;
  return name in AGENT ? AGENT[name as keyof typeof AGENT] : OPERATIONS[name as keyof typeof OPERATIONS];
}

let contents = 0;

/** A content that nothing else was ever given. */
export function newContent(): string {
  contents += 1;
  return `c${contents.toString(36)}`;
}

/** A body of that content: its name and its description tell it. */
export function bodyOf(resource: Resource, name: string, content: string, members: JsonObject = {}): Json {
  return withMembers(
    resource,
    `${name}-${content}`,
    {},
    { description: `Made by Assay (${name}-${content}); safe to delete.`, ...members },
  );
}

/** Creates one of the family; its content is known, whether it is active is not. */
export async function makeSubject(t: TestContext, family: Family, form?: Form): Promise<Subject> {
  const resource = resourceFor(t.session, family);
  const content = newContent();
  const members = family === 'createJob' ? { aiAgentId: (await sharedAgent(t)).id } : {};
  const made = await create(t, resource, {
    suffix: 'seq',
    body: (name) => bodyOf(resource, name, content, members),
    ...(form === undefined ? {} : { form }),
  });
  return { made, knowledge: t.knowledge, id: made.id.toLowerCase(), known: { there: true, content } };
}

/** What to send for a request about a subject. */
export async function askFor(t: TestContext, { made, known }: Subject, request: Request): Promise<RequestSpec> {
  const path = { path: { [made.resource.idName]: made.id } };
  const agent = async (): Promise<JsonObject> =>
    made.resource.create.id === OPERATIONS.createJob ? { aiAgentId: (await sharedAgent(t)).id } : {};
  switch (request.kind) {
    case 'list':
      return {};
    case 'list-active':
      return { query: { filterActive: request.filterActive } };
    case 'update':
      return {
        ...path,
        json: bodyOf(made.resource, made.name, request.content, {
          ...(await agent()),
          ...(known.active === undefined ? {} : { isActive: known.active }),
        }),
      };
    case 'patch':
      return {
        ...path,
        json: [
          { op: 'replace', path: '/description', value: `Patched by Assay (${made.name}-${request.content}).` },
          { op: 'replace', path: '/name', value: `${made.name}-${request.content}` },
        ],
      };
    case 'dry-run':
    case 'preview':
      return { ...path, json: bodyOf(made.resource, made.name, 'rehearsed', await agent()) };
    default:
      return path;
  }
}

/** The content that an item shows; contents that contradict each other are told as such. Undefined: it shows none. */
export function contentOf(item: Json | undefined, name: string): string | undefined {
  if (!isObject(item)) return undefined;
  const found = ['name', 'description'].flatMap((key) => {
    const value = item[key];
    if (typeof value !== 'string') return value === null ? ['nothing'] : [];
    const at = value.toLowerCase().indexOf(`${name.toLowerCase()}-`);
    return at < 0
      ? [`another ${key}`]
      : [/^[a-z0-9]+/.exec(value.toLowerCase().slice(at + name.length + 1))?.[0] ?? ''];
  });
  return found.length === 0 ? undefined : [...new Set(found)].join(' and ');
}

/** What the answer to a read of the item tells of it; of other answers the status. */
export function answerOf({ response }: Exchange, { made }: Subject): Answer {
  const status = response?.status ?? 0;
  const content = status === 200 ? contentOf(response?.json, made.name) : undefined;
  return { status, ...(content === undefined ? {} : { content }) };
}
