import { defined } from '../../spec/defined.ts';
import { isSuccess, scalarText } from '../../spec/index.ts';
import type { Exchange, Operation } from '../../spec/index.ts';
import type { Intent, JournalEntry } from '../journal/entries.ts';
import type { Journal } from '../journal/journal.ts';
import { formOf, methodOf } from '../request-spec.ts';
import type { Middleware, RequestSpec, Send } from '../request-spec.ts';

/** Items that one operation creates and another removes. */
export interface CreatedResource {
  readonly create: Operation;
  readonly remove: Operation;
  /** The list in which to find an item with an unknown id. */
  readonly list?: Operation;
  /** Name of the path parameter of `remove` that takes the id. */
  readonly idName: string;
}

/** A creation that was sent. */
export interface Creation {
  readonly exchange: Exchange;
  /** Its entry in the journal; undefined if the target refused it. */
  readonly entry?: JournalEntry;
  readonly id?: string;
  /** True where the id may be that of an item that existed before. */
  readonly isDoubtful?: true;
}

export interface JournalingOptions {
  readonly journal: Journal;
  /** In the name of everything that the run creates. */
  readonly tag: string;
  readonly resources: readonly CreatedResource[];
  /** Items that a PUT with a name of the run creates. */
  readonly named?: readonly CreatedResource[];
  /** The id in the response to a creation; `idName`: the path parameter that takes it. */
  readonly idOf: (created: Exchange, idName: string) => string | undefined;
  /** False where the id in the response to a creation may be that of an item that existed before. */
  readonly isNewId?: (operation: Operation, created: Exchange, id: string) => boolean;
  /** The item that the response to another operation announces, and the operation that removes it. */
  readonly announcedOf?: (operation: Operation, created: Exchange) => AnnouncedItem | undefined;
  readonly onCreation: (creation: Creation) => void;
}

/** An item that is known only from the response to the request that created it. */
export interface AnnouncedItem {
  readonly id: string;
  readonly idName: string;
  readonly remove: Operation;
}

/** Records before sending what a request may create. Without a response it stays: the clean-up finds it in its list. */
export function withJournal(options: JournalingOptions | undefined): Middleware {
  if (options === undefined) return (next) => next;
  const { journal, resources } = options;
  return (next) => async (spec) => {
    const { operation } = spec;
    if (methodOf(spec) !== operation.method) return next(spec);
    const created = resources.find(({ create }) => create.id === operation.id);
    if (created !== undefined) return create(options, created, spec, next);
    const named = options.named?.find((each) => each.create.id === operation.id);
    if (named !== undefined) return createNamed(options, named, spec, next);
    const exchange = await next(spec);
    if (!isSuccess(exchange.response?.status ?? 0)) return exchange;
    await recordAnnounced(options, spec, exchange);
    await recordRenamed(options, spec, exchange);
    const entry = findEntry(journal, spec);
    if (entry !== undefined) await journal.removed(entry);
    return exchange;
  };
}

/** A PUT with a name of the run that is not in the journal yet creates an item, unless it is refused. */
async function createNamed(
  { journal, tag, onCreation }: JournalingOptions,
  { create: { id: created }, remove, list, idName }: CreatedResource,
  spec: RequestSpec,
  next: Send,
): Promise<Exchange> {
  const { [idName]: last = '', ...others } = spec.path ?? {};
  const id = scalarText(last);
  const isKnown = entryWith(journal, remove.id, spec.path) !== undefined;
  if (isKnown || !letters(id).includes(letters(tag))) return next(spec);
  const parents = Object.fromEntries(Object.entries(others).map(([name, value]) => [name, scalarText(value)]));
  const form = formOf(spec).name;
  const where = { ...(list === undefined ? {} : { list: list.id }), parents };
  const entry = await journal.intend({ create: created, remove: remove.id, idName, tag: id, form, ...where });
  await journal.acknowledge(entry, id);
  const exchange = await next(spec);
  const refused = wasRefused(exchange);
  if (refused) await journal.refused(entry);
  else onCreation({ exchange, entry, id });
  return exchange;
}

/** Names with the run's tag may have other characters between its parts. */
function letters(name: string): string {
  return name.replaceAll(/[-_]/g, '').toLowerCase();
}

/**
 * An update without a name of the run may take it from the item, unless the response still shows one: then only the id tells whose it is.
 */
async function recordRenamed(
  { journal, tag }: JournalingOptions,
  spec: RequestSpec,
  { response }: Exchange,
): Promise<void> {
  const { method, path } = spec.operation;
  if (method !== 'PUT' && method !== 'PATCH') return;
  if ([contentOf(spec), response?.body ?? ''].some((content) => nameIn(content, tag) !== undefined)) return;
  const entry = entryWith(journal, `DELETE ${path}`, spec.path);
  if (entry !== undefined && entry.isUnnamed !== true) await journal.unnamed(entry);
}

/** What it creates is not known before it is sent. */
async function recordAnnounced(
  { journal, announcedOf, onCreation }: JournalingOptions,
  spec: RequestSpec,
  exchange: Exchange,
): Promise<void> {
  const announced = announcedOf?.(spec.operation, exchange);
  if (announced === undefined) return;
  const { id, idName, remove } = announced;
  const entry = await journal.intend({
    create: spec.operation.id,
    remove: remove.id,
    idName,
    tag: '',
    form: formOf(spec).name,
  });
  await journal.acknowledge(entry, id);
  onCreation({ exchange, entry, id });
}

async function create(
  { journal, tag, idOf, isNewId, announcedOf, onCreation }: JournalingOptions,
  resource: CreatedResource,
  spec: RequestSpec,
  next: Send,
): Promise<Exchange> {
  const entry = await journal.intend(intentOf(resource, spec, tag));
  const exchange = await next(spec);
  const refused = wasRefused(exchange);
  const id = idOf(exchange, resource.idName);
  const isDoubtful = id !== undefined && isNewId?.(spec.operation, exchange, id) === false;
  if (refused) await journal.refused(entry);
  else if (entry.tag === '' || resource.list === undefined || !isNamed(contentOf(spec), tag)) {
    const isNew =
      (exchange.response?.status === 201 && !isDoubtful) || announcedOf?.(spec.operation, exchange)?.id === id;
    await recordUnnamed(journal, entry, exchange, isNew ? { isNew, id } : { id });
  } else if (id === undefined && isSuccess(exchange.response?.status ?? 0)) await journal.served(entry);
  onCreation({ exchange, ...(refused ? {} : { entry }), ...defined({ id }), ...(isDoubtful && { isDoubtful }) });
  return exchange;
}

/** Without a name or a list, only the id tells what was created: it counts where the response says that something was. */
async function recordUnnamed(
  journal: Journal,
  entry: JournalEntry,
  { response }: Exchange,
  { id, isNew = false }: { readonly id: string | undefined; readonly isNew?: boolean },
): Promise<void> {
  const { status } = response ?? { status: 200 };
  if (isNew && id !== undefined) await journal.acknowledge(entry, id);
  else if (isSuccess(status)) await journal.unnamed(entry, id);
}

/** The name with the run's tag in a body of any encoding and with any escapes. */
export function nameIn(content: string | Uint8Array, tag: string): string | undefined {
  const text = typeof content === 'string' ? content : Buffer.from(content).toString('latin1').replaceAll('\0', '');
  const plain = text.replaceAll(/\\u([0-9a-f]{4})/gi, (_all, code: string) => String.fromCharCode(parseInt(code, 16)));
  const name = new RegExp(`${tag}-[a-zA-Z0-9]+`).exec(plain)?.[0];
  // A copy: a part of a string keeps the whole one in memory.
  return name === undefined ? undefined : Buffer.from(name, 'latin1').toString('latin1');
}

/** False where the name is in e-mail addresses only: a service may not show them, so that they do not tell what was created. */
function isNamed(content: string | Uint8Array, tag: string): boolean {
  const text = typeof content === 'string' ? content : Buffer.from(content).toString('latin1');
  return nameIn(text.replaceAll(new RegExp(`${tag}-[a-zA-Z0-9]+(?:@|%40)`, 'g'), ''), tag) !== undefined;
}

function contentOf({ body, json }: RequestSpec): string | Uint8Array {
  return body?.content ?? JSON.stringify(json) ?? '';
}

function wasRefused({ response, failure }: Exchange): boolean {
  const status = response?.status ?? 0;
  return (status >= 400 && status < 500) || failure?.stage === 'connecting';
}

function intentOf({ create, remove, list, idName }: CreatedResource, spec: RequestSpec, tag: string): Intent {
  return {
    create: create.id,
    remove: remove.id,
    idName,
    tag: nameIn(contentOf(spec), tag) ?? '',
    form: formOf(spec).name,
    ...(list === undefined ? {} : { list: list.id }),
  };
}

function findEntry(journal: Journal, { operation, path }: RequestSpec): JournalEntry | undefined {
  return operation.method === 'DELETE' ? entryWith(journal, operation.id, path) : undefined;
}

function entryWith(journal: Journal, remove: string, path: RequestSpec['path'] = {}): JournalEntry | undefined {
  const isAt = (name: string, value: string): boolean =>
    value.toLowerCase() === scalarText(path[name] ?? '').toLowerCase();
  return journal
    .pending()
    .find(
      ({ remove: by, idName, id, parents = {} }) =>
        by === remove &&
        id !== undefined &&
        isAt(idName, id) &&
        Object.entries(parents).every(([name, value]) => isAt(name, value)),
    );
}
