/** What the service keeps and how it judges bodies: versions of items, field types, JSON Patch. */
export type Item = Record<string, unknown>;

/** Ends a call with this status. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message = 'refused') {
    super(message);
    this.status = status;
  }
}

/** Items by id, in the order of creation; a reader may look at them as they were `lag` milliseconds ago. */
export class Store {
  readonly #versions = new Map<string, { at: number; value: Item | undefined }[]>();

  put(id: string, value: Item | undefined): void {
    this.#versions.set(id, [...(this.#versions.get(id) ?? []).slice(-60), { at: Date.now(), value }]);
  }

  get(id: string, lag = 0): Item | undefined {
    return this.#versions.get(id.toLowerCase())?.findLast(({ at }) => at <= Date.now() - lag)?.value;
  }

  all(lag = 0): Item[] {
    return [...this.#versions.keys()].map((id) => this.get(id, lag)).filter((item) => item !== undefined);
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
export const isUuid = (value: unknown): value is string => typeof value === 'string' && UUID.test(value);
export const isItem = (value: unknown): value is Item =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isText = (value: unknown): boolean => typeof value === 'string';
const KINDS = {
  text: isText,
  name: (value: unknown) => typeof value === 'string' && value.trim() !== '',
  flag: (value: unknown) => typeof value === 'boolean',
  uuid: isUuid,
  texts: (value: unknown) => Array.isArray(value) && value.every(isText),
  map: (value: unknown) => isItem(value) && Object.values(value).every((each) => each === null || isText(each)),
  object: isItem,
  list: (value: unknown) => Array.isArray(value) && value.every(isItem),
} satisfies Record<string, (value: unknown) => boolean>;

export const NO_ID = '00000000-0000-0000-0000-000000000000';
/** What a member is that was left out; null where nothing stands here. */
const DEFAULTS: Partial<Record<keyof typeof KINDS, unknown>> = { flag: false, uuid: NO_ID, object: {} };

export type Fields = Record<string, keyof typeof KINDS>;
export const POLICY: Fields = {
  name: 'text',
  description: 'text',
  condition: 'object',
  rules: 'list',
  isActive: 'flag',
};
export const AGENT: Fields = { name: 'name', description: 'text', instructions: 'text', metadata: 'map' };
export const JOB: Fields = {
  name: 'name',
  description: 'text',
  metadata: 'map',
  prompt: 'text',
  allowedSkills: 'texts',
  enableCronSchedule: 'flag',
  cronSchedule: 'text',
  endpointId: 'uuid',
  aiAgentId: 'uuid',
  enabled: 'flag',
  dataSources: 'list',
};

/** The known members of a body, or 400. `name` members have to be there; others may be null or left out. */
export function accept(body: unknown, fields: Fields): Item {
  if (!isItem(body)) throw new Refusal(400, 'an object is expected');
  for (const [field, kind] of Object.entries(fields)) {
    const value = body[field] ?? null;
    if (value === null ? kind === 'name' : !KINDS[kind](value)) throw new Refusal(400, `${field} is not valid`);
  }
  return Object.fromEntries(
    Object.entries(fields).map(([field, kind]) => [field, body[field] ?? DEFAULTS[kind] ?? null]),
  );
}

const parts = (pointer: unknown): string[] => {
  if (typeof pointer !== 'string' || (pointer !== '' && !pointer.startsWith('/')))
    throw new Refusal(400, 'bad pointer');
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
};
const same = (a: unknown, b: unknown): boolean => {
  if (!isItem(a) || !isItem(b)) {
    return Array.isArray(a) && Array.isArray(b) ? a.length === b.length && a.every((x, i) => same(x, b[i])) : a === b;
  }
  return Object.keys(a).length === Object.keys(b).length && Object.keys(a).every((key) => same(a[key], b[key]));
};
const index = (list: unknown[], part: string, limit: number): number => {
  const at = part === '-' ? list.length : Number(part);
  if (!/^(0|[1-9]\d*|-)$/.test(part) || at > limit) throw new Refusal(400, 'no such index');
  return at;
};

function read(target: unknown, [head, ...rest]: string[]): unknown {
  if (head === undefined) return target;
  if (Array.isArray(target)) return read(target[index(target, head, target.length - 1)], rest);
  if (!isItem(target) || !Object.hasOwn(target, head)) throw new Refusal(400, 'no such member');
  return read(target[head], rest);
}

function write(target: unknown, path: string[], change: 'add' | 'remove', value?: unknown): unknown {
  const last = path.at(-1);
  if (last === undefined) return value;
  const parent = read(target, path.slice(0, -1));
  if (Array.isArray(parent)) {
    if (change === 'add') parent.splice(index(parent, last, parent.length), 0, value);
    else parent.splice(index(parent, last, parent.length - 1), 1);
  } else if (isItem(parent)) {
    if (change === 'remove') delete parent[last];
    else Object.defineProperty(parent, last, { value, enumerable: true, configurable: true, writable: true });
  } else throw new Refusal(400, 'no such parent');
  return target;
}

/** The item after all operations (RFC 6902), or 400 and nothing changed. */
export function patch(item: Item, operations: unknown): Item {
  if (!Array.isArray(operations)) throw new Refusal(400, 'an array of operations is expected');
  let target: unknown = structuredClone(item);
  for (const operation of operations as unknown[]) {
    if (!isItem(operation)) throw new Refusal(400, 'an operation is an object');
    const path = parts(operation['path']);
    const value = structuredClone(operation['value'] ?? null);
    const from = (): string[] => parts(operation['from']);
    if (operation['op'] === 'add') target = write(target, path, 'add', value);
    else if (operation['op'] === 'remove') {
      read(target, path);
      target = write(target, path, 'remove');
    } else if (operation['op'] === 'replace') {
      read(target, path);
      target = write(write(target, path, 'remove'), path, 'add', value);
    } else if (operation['op'] === 'copy' || operation['op'] === 'move') {
      const moved = structuredClone(read(target, from()));
      if (operation['op'] === 'move') target = write(target, from(), 'remove');
      target = write(target, path, 'add', moved);
    } else if (operation['op'] !== 'test' || !same(read(target, path), value)) throw new Refusal(400, 'not applicable');
  }
  if (!isItem(target)) throw new Refusal(400, 'not a job any more');
  return target;
}
