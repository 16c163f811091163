import { OPERATIONS, resourceFor } from '../../../domain/builtin/operations.ts';
import type { OperationRole } from '../../../domain/builtin/operations.ts';
import { create } from '../../../domain/create.ts';
import type { Made } from '../../../domain/create.ts';
import { resourcesOf } from '../../../domain/resources.ts';
import type { BodyReferences } from '../../../domain/knowledge.ts';
import type { Resource } from '../../../domain/resources.ts';
import { isObject } from '../../../spec/index.ts';
import type { Contract, Exchange, Form, Json, JsonObject, Operation } from '../../../spec/index.ts';
import type { RequestSpec, TestContext } from '../../kit/context.ts';
import type { Kind, Known, Observed, Request } from '../../oracle/index.ts';
import { sampleWith } from '../../../domain/builtin/bodies/sample-body.ts';

/** What sequences and races work on, by the role of the operation that creates it. */
export const FAMILIES = { policy: 'createPolicy', agent: 'createAgent', job: 'createJob' } as const;
export type Family = keyof typeof FAMILIES;

/** An item of this run, with what is known of it. */
export interface TrackedItem {
  readonly made: Made;
  /** In lower case. */
  readonly id: string;
  known: Known;
  /** The last read that showed it, by form: a later one may come from a copy. */
  readonly shown: Map<string, Exchange>;
}

/** Operations that only one family has. */
const ACTIONS: Readonly<Record<Family, Partial<Record<Kind, OperationRole>>>> = {
  policy: { 'list-active': 'policies', activate: 'activate', deactivate: 'deactivate' },
  agent: {},
  job: { queue: 'queue', 'dry-run': 'dryRun', preview: 'preview' },
};

/** Operations that every resource may have. */
const COMMON: Partial<Record<Kind, 'read' | 'list' | 'replace' | 'patch' | 'remove'>> = {
  read: 'read',
  list: 'list',
  update: 'replace',
  patch: 'patch',
  delete: 'remove',
};

/** The operation of a kind of request; undefined where the family has none. */
export function operationFor(
  { contract }: { readonly contract: Contract },
  family: Family,
  kind: Kind,
): Operation | undefined {
  const role = ACTIONS[family][kind];
  if (role !== undefined) return contract.operation(OPERATIONS[role]);
  const member = COMMON[kind];
  const resource = resourcesOf(contract).find((each) => each.create.id === OPERATIONS[FAMILIES[family]]);
  return member === undefined ? undefined : resource?.[member];
}

let contents = 0;

/** A content that no other item was given. */
export function newContent(): string {
  contents += 1;
  return `c${contents.toString(36)}`;
}

/** A request of a kind, with a new content where it sends one. */
export function requestOf(kind: Kind, filterActive = true): Request {
  if (kind === 'update' || kind === 'patch') return { kind, content: newContent() };
  return kind === 'list-active' ? { kind, filterActive } : { kind };
}

/** A body with that content, in its name and its description. */
function bodyOf(
  t: TestContext,
  resource: Resource,
  name: string,
  content: string,
  references: BodyReferences,
  members: JsonObject = {},
): Json {
  const description = `Created by Assay (${name}-${content}); safe to delete.`;
  return sampleWith(t, resource, `${name}-${content}`, references, { description, ...members });
}

/** Creates an item; its content is known, whether it is active is not. */
export async function createItem(t: TestContext, family: Family, form?: Form): Promise<TrackedItem> {
  const resource = resourceFor(t, FAMILIES[family]);
  const content = newContent();
  const references = await t.knowledge.references(t, resource.create, {});
  const made = await create(t, resource, {
    suffix: 'seq',
    body: (name) => bodyOf(t, resource, name, content, references),
    references,
    ...(form === undefined ? {} : { form }),
  });
  return { made, id: made.id.toLowerCase(), known: { exists: true, content }, shown: new Map() };
}

/** What to send for a request about an item; `active`: the state that an update of a policy names. */
export async function specFor(
  t: TestContext,
  { made, known }: TrackedItem,
  request: Request,
  active = known.active,
): Promise<RequestSpec> {
  const path = { [made.resource.idName]: made.id };
  const references = await t.knowledge.references(t, made.resource.create, {});
  switch (request.kind) {
    case 'list':
      return {};
    case 'list-active':
      return { query: { filterActive: request.filterActive } };
    case 'update': {
      const isSent = active !== undefined && isObject(made.sent) && Object.hasOwn(made.sent, 'isActive');
      const isActive = isSent ? { isActive: active } : {};
      return { path, json: bodyOf(t, made.resource, made.name, request.content, references, isActive) };
    }
    case 'patch': {
      const name = `${made.name}-${request.content}`;
      const json = [
        { op: 'replace', path: '/description', value: `Patched by Assay (${name}).` },
        { op: 'replace', path: '/name', value: name },
      ];
      return { path, json };
    }
    case 'dry-run':
    case 'preview':
      return { path, json: bodyOf(t, made.resource, made.name, 'rehearsed', references) };
    default:
      return { path };
  }
}

/** Members that hold the content. */
const CONTENT_MEMBERS = ['name', 'description'] as const;

/** The content that each member of an item shows; members that are not shown are left out. */
function contentsOf(item: Json | undefined, name: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const member of isObject(item) ? CONTENT_MEMBERS : []) {
    const value = (item as JsonObject)[member];
    if (value === null) found.set(member, 'nothing');
    if (typeof value !== 'string') continue;
    const text = value.toLowerCase();
    const at = text.indexOf(`${name.toLowerCase()}-`);
    found.set(member, at < 0 ? `another ${member}` : (/^[a-z0-9]+/.exec(text.slice(at + name.length + 1))?.[0] ?? ''));
  }
  return found;
}

/** The content that an item shows, all of them where its members differ; undefined: it shows none. */
export function contentOf(item: Json | undefined, name: string): string | undefined {
  const found = new Set(contentsOf(item, name).values());
  return found.size === 0 ? undefined : [...found].join(' and ');
}

/** The first member of an item that does not show the known content. */
export function changedMember(item: Json | undefined, { made, known }: TrackedItem): string | undefined {
  return [...contentsOf(item, made.name)].find(([, content]) => content !== known.content)?.[0];
}

/** What a response about the item shows of it. */
export function observe({ response }: Exchange, { made }: TrackedItem): Observed {
  const status = response?.status ?? 0;
  const content = status === 200 ? contentOf(response?.json, made.name) : undefined;
  return { status, ...(content === undefined ? {} : { content }) };
}

/** What a list shows of the item; `item` is its entry. */
export function observeListed(item: Json | undefined, { made }: TrackedItem): Observed {
  const content = contentOf(item, made.name);
  return { status: 200, listed: item !== undefined, ...(content === undefined ? {} : { content }) };
}
