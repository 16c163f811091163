import { findOperation, OPERATIONS, resourceFor } from '../../../domain/builtin/operations.ts';
import type { OperationRole } from '../../../domain/builtin/operations.ts';
import { create } from '../../../domain/create.ts';
import type { CreatedItem } from '../../../domain/create.ts';
import { memberOf } from '../../../domain/items.ts';
import { resourcesOf } from '../../../domain/resources.ts';
import type { BodyReferences } from '../../../domain/knowledge.ts';
import type { Resource } from '../../../domain/resources.ts';
import { isObject, isSuccess } from '../../../spec/index.ts';
import type { Contract, Exchange, Form, Json, JsonObject, Operation } from '../../../spec/index.ts';
import type { RequestSpec, TestContext } from '../../kit/context.ts';
import type { RequestKind, Known, Observed, Request } from '../../oracle/index.ts';
import { sampleWith } from '../../../domain/builtin/bodies/sample-body.ts';

/** The resources of sequences and races, with the role of the operation that creates their items. */
export const FAMILIES = { policy: 'createPolicy', agent: 'createAgent', job: 'createJob' } as const;
export type Family = keyof typeof FAMILIES;

/** An item of this run, with what is known of it. */
export interface TrackedItem extends CreatedItem {
  /** Its id in lower case. */
  readonly key: string;
  known: Known;
  /** The last read that showed it, by form: another form may be served by another replica. */
  readonly shownBy: Map<string, Exchange>;
  /** Members that a creation loses or alters, which the tests of the lifecycle report: they show no content. */
  readonly lost: ReadonlySet<string>;
}

/** Operations that exist for one family only. */
const ACTIONS: Readonly<Record<Family, Partial<Record<RequestKind, OperationRole>>>> = {
  policy: { 'list-active': 'policies', activate: 'activate', deactivate: 'deactivate' },
  agent: {},
  job: { queue: 'queue', 'dry-run': 'dryRun', preview: 'preview' },
};

/** Operations that every resource may have. */
const COMMON: Partial<Record<RequestKind, 'read' | 'list' | 'replace' | 'patch' | 'remove'>> = {
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
  kind: RequestKind,
): Operation | undefined {
  const role = ACTIONS[family][kind];
  if (role !== undefined) return findOperation(contract, role);
  const member = COMMON[kind];
  const resource = resourcesOf(contract).find((each) => each.create.id === OPERATIONS[FAMILIES[family]]);
  return member === undefined ? undefined : resource?.[member];
}

let contents = 0;

/** A content that no other body of the run has. */
export function newContent(): string {
  contents += 1;
  return `c${contents.toString(36)}`;
}

/** A request of a kind, with a new content where it sends one. */
export function requestOf(kind: RequestKind, filterActive = true): Request {
  if (kind === 'update' || kind === 'patch') return { kind, content: newContent() };
  return kind === 'list-active' ? { kind, filterActive } : { kind };
}

/** What the descriptions of items begin with. */
const OPENINGS = { created: 'Created by Assay (', patched: 'Patched by Assay (' } as const;

/** A body with that content, in its name and its description. */
function bodyOf(
  t: TestContext,
  resource: Resource,
  name: string,
  content: string,
  references: BodyReferences,
  members: JsonObject = {},
): Json {
  const description = `${OPENINGS.created}${name}-${content}); safe to delete.`;
  return sampleWith(t, resource, `${name}-${content}`, references, { description, ...members });
}

/** Creates an item. Its content is known; whether it is active is not known yet. */
export async function createTracked(t: TestContext, family: Family, form?: Form): Promise<TrackedItem> {
  const resource = resourceFor(t, FAMILIES[family]);
  const content = newContent();
  const references = await t.knowledge.references(t, resource.create, {});
  const item = await create(t, resource, {
    suffix: 'seq',
    body: (name) => bodyOf(t, resource, name, content, references),
    references,
    ...(form === undefined ? {} : { form }),
  });
  const lost = await t.once(`members lost by ${resource.create.id} in ${item.created.form}`, async () => {
    const contents = [...contentsOf(item.shown?.response?.json, item.name)];
    return new Set(contents.flatMap(([member, shown]) => (shown === content ? [] : [member])));
  });
  return { ...item, key: item.id.toLowerCase(), known: { exists: true, content }, shownBy: new Map(), lost };
}

/** The details of a request about an item; `active`: the state in the body of an update of a policy. */
export async function specFor(
  t: TestContext,
  item: TrackedItem,
  request: Request,
  active = item.known.active,
): Promise<RequestSpec> {
  const { resource, path, name, sent } = item;
  const references = await t.knowledge.references(t, resource.create, {});
  switch (request.kind) {
    case 'list':
      return {};
    case 'list-active':
      return { query: { filterActive: request.filterActive } };
    case 'update': {
      const isSent = active !== undefined && isObject(sent) && Object.hasOwn(sent, 'isActive');
      const isActive = isSent ? { isActive: active } : {};
      return { path, json: bodyOf(t, resource, name, request.content, references, isActive) };
    }
    case 'patch': {
      const patched = `${name}-${request.content}`;
      const json = [
        { op: 'replace', path: '/description', value: `${OPENINGS.patched}${patched}).` },
        { op: 'replace', path: '/name', value: patched },
      ];
      return { path, json };
    }
    case 'dry-run':
    case 'preview':
      return { path, json: bodyOf(t, resource, name, 'rehearsed', references) };
    default:
      return { path };
  }
}

/** Sends a request about an item with a token that has the permission: no state of the item explains 401 or 403. */
export async function sendAuthorised(t: TestContext, operation: Operation, request: RequestSpec): Promise<Exchange> {
  const exchange = await t.sendQuietly(operation, request);
  const status = exchange.response?.status;
  return t.judge(operation, exchange, status === 401 || status === 403 ? 'success' : request.expect);
}

const CONTENT_MEMBERS = ['name', 'description'] as const;

/** The content that each member of an item shows; members that are not shown, or lost at its creation, are left out. */
function contentsOf(
  item: Json | undefined,
  name: string,
  lost: ReadonlySet<string> = new Set(),
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const member of isObject(item) ? CONTENT_MEMBERS : []) {
    if (lost.has(member)) continue;
    const value = (item as JsonObject)[member];
    if (value === null) found.set(member, 'nothing');
    if (typeof value !== 'string') continue;
    const text = value.toLowerCase();
    const at = text.indexOf(`${name.toLowerCase()}-`);
    found.set(member, at < 0 ? `another ${member}` : (/^[a-z0-9]+/.exec(text.slice(at + name.length + 1))?.[0] ?? ''));
  }
  return found;
}

/** True for the beginning of a description that ends before or within its content: a list may shorten texts. */
export function isShortened(description: Json | undefined, name: string): boolean {
  const text = typeof description === 'string' ? description.toLowerCase() : '';
  const shown = text.replace(/(?:\u2026|\.{3})$/u, '').trimEnd();
  return Object.values(OPENINGS).some((opening) => {
    const before = `${opening}${name}-`.toLowerCase();
    const isWithin = shown.startsWith(before) && /^[a-z0-9]*$/.test(shown.slice(before.length));
    return shown !== '' && (isWithin || before.startsWith(shown));
  });
}

/** The content that an item shows; all contents where its members differ; undefined where it shows none. */
function contentOf(json: Json | undefined, { name, lost }: TrackedItem): string | undefined {
  const found = new Set(contentsOf(json, name, lost).values());
  return found.size === 0 ? undefined : [...found].join(' and ');
}

/** The first member of an item that does not show the known content. */
export function changedMember(json: Json | undefined, item: TrackedItem): string | undefined {
  return [...contentsOf(json, item.name, item.lost)].find(([, content]) => content !== item.known.content)?.[0];
}

export function observe({ response }: Exchange, item: TrackedItem): Observed {
  const status = response?.status ?? 0;
  const content = isSuccess(status) ? contentOf(response?.json, item) : undefined;
  return { status, ...(content === undefined ? {} : { content }) };
}

/** What a list shows of the item; `json` is its entry. */
export function observeListed(json: Json | undefined, item: TrackedItem): Observed {
  const description = memberOf(json, 'description');
  // A list may leave texts out; one that leaves out some only is found where it is compared with the items.
  const isCut = description === null || isShortened(description, item.name);
  const content = contentOf(json, isCut ? { ...item, lost: new Set([...item.lost, 'description']) } : item);
  return { status: 200, listed: json !== undefined, ...(content === undefined ? {} : { content }) };
}
