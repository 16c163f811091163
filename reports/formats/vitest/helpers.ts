/** Helpers of a generated test, by name; each file gets those that it uses, in this order. */
const HELPERS: Readonly<Record<string, string>> = {
  env: `const env = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(\`set \${name}\`);
  return value;
};`,
  tag: `/** New names for each run. */
const tag = crypto.randomUUID().slice(0, 8);`,
  during: `/** Repeats other requests until the task has ended, with a pause in milliseconds between them. */
async function during(others: () => Promise<void>, task: () => Promise<unknown>, ms = 20): Promise<void> {
  let isOver = false;
  const lane = async (): Promise<void> => {
    for (let n = 0; n < 15 && !isOver; n += 1) await others().catch(() => undefined).then(() => pause(ms));
  };
  const lanes = Array.from({ length: 3 }, lane);
  try {
    await task();
  } finally {
    isOver = true;
    await Promise.all(lanes);
  }
}`,
  othersBetween: `/** Sends other requests before each of the first requests of the steps. */
let beforeSending: (() => Promise<unknown>) | undefined;
async function othersBetween(others: () => Promise<void>, steps: () => Promise<void>): Promise<void> {
  let left = 8;
  const next = async (): Promise<void> => {
    beforeSending = undefined;
    await others().catch(() => undefined);
    left -= 1;
    if (left > 0) beforeSending = next;
  };
  beforeSending = next;
  try {
    await steps();
  } finally {
    left = 0;
    beforeSending = undefined;
  }
}`,
  meet: `/** Sends each change of other items at the same moment as a change of the steps with the same method. */
const atChange = new AsyncLocalStorage<(method: string) => Promise<void> | void>();
async function meet(others: () => Promise<void>, steps: () => Promise<void>): Promise<void> {
  for (let turn = 1; turn <= 8; turn += 1) {
    const held = { method: '', release: (): void => undefined };
    let isOver = Promise.resolve();
    await new Promise<void>((isHeld) => {
      let changes = 0;
      const hold = (method: string): Promise<void> | void => {
        changes += 1;
        if (changes !== turn) return;
        held.method = method;
        isHeld();
        return new Promise((release) => Object.assign(held, { release }));
      };
      isOver = atChange.run(hold, others).catch(() => undefined).then(isHeld);
    });
    if (held.method === '') return;
    try {
      await atChange.run((method) => (method === held.method ? held.release() : undefined), steps);
    } finally {
      held.release();
      await isOver;
    }
  }
}`,
  atOnce: `/** So many at once. A failure is reported when all have ended: what they create has to be removed. */
async function atOnce(count: number, steps: () => Promise<void>): Promise<void> {
  const ended = await Promise.allSettled(Array.from({ length: count }, steps));
  for (const each of ended) if (each.status === 'rejected') throw each.reason;
}`,
  created: `/** What is to be removed, with the headers that created it. */
const created: [path: string, headers: Record<string, string>][] = [];
const remove = async (): Promise<void> => {
  for (const [path, headers] of created.splice(0).reverse()) await fetch(base + path, { method: 'DELETE', headers });
};
afterAll(remove);`,
  send: `async function send(method: string, path: string, headers: Record<string, string>, body?: string | Uint8Array) {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const init = { method, headers, redirect: 'manual', signal: AbortSignal.timeout(30_000) } as const;
  const response = await fetch(base + path, bytes === undefined ? init : { ...init, body: bytes });
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await response.arrayBuffer());
  let json: any;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  return { status: response.status, headers: response.headers, type: (response.headers.get('content-type') ?? '').split(';')[0]!.trim(), text, json, ids: idsIn(text) };
}
const idsIn = (text: string): string[] =>
  (text.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\\b\\d{16,19}\\b/gi) ?? []).filter((id) => !/^[0-]+$/.test(id));`,
  sendPages: `/** All pages of a list, of a size, as one answer. */
async function sendPages(list: (page: number) => string, headers: Record<string, string>, size: number) {
  const first = await send('GET', list(0), headers);
  const all = items(first.json);
  if (all.length !== size) return first;
  const pages = [all];
  for (let before = first.text; pages.at(-1)!.length === size && pages.length < 100; ) {
    const { json, text } = await send('GET', list(pages.length), headers);
    if (text === before) break;
    pages.push(items(json));
    before = text;
  }
  const text = JSON.stringify(pages.flat());
  return { ...first, text, json: pages.flat(), ids: idsIn(text) };
}`,
  create: `/** Creates something that is removed at the end. */
async function create(path: string, headers: Record<string, string>, body?: string | Uint8Array, member = 'id') {
  const answer = await send('POST', path, headers, body);
  const own = answer.json?.[member];
  const id: string | undefined = ['string', 'number'].includes(typeof own) ? String(own) : answer.ids[0];
  const { 'content-type': _type, ...removing } = headers;
  if (answer.status < 300 && id !== undefined) created.push([\`\${path.split('?')[0]}/\${id}\`, removing]);
  return { ...answer, id };
}`,
  createListed: `/** Creates something whose id only the list tells, and which is removed at the end. */
async function createListed(name: string, list: (page: number) => string, ...[path, headers, body]: Parameters<typeof create>) {
  const answer = await create(path, headers, body);
  const { 'content-type': _type, ...reading } = headers;
  const look = async (): Promise<string | undefined> => {
    let before = '';
    for (let page = 0; page < 100; page += 1) {
      const { json, text } = await send('GET', list(page), reading);
      const item = itemNamed(json, name);
      if (item !== undefined) return item.id ?? JSON.stringify(item).match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i)?.[0];
      if (items(json).length === 0 || text === before) break;
      before = text;
    }
    return undefined;
  };
  if (answer.status >= 300) return { ...answer, ids: [], id: undefined };
  const id = await until(look, (found) => found !== undefined);
  if (id === undefined) throw new Error(\`\${list(0)} and its further pages do not show \${name}\`);
  created.push([\`\${path.split('?')[0]}/\${id}\`, reading]);
  return { ...answer, ids: [id], id };
}

/** The first object with a text that contains the name, in a list or its wrapper. */
function itemNamed(json: any, name: string): any {
  if (json === null || typeof json !== 'object') return undefined;
  if (Object.values(json).some((each) => typeof each === 'string' && each.includes(name))) return json;
  return Object.values(json).map((each) => itemNamed(each, name)).find((each) => each !== undefined);
}`,
  until: `/** Asks again, for about ten seconds, until the answer is good. */
async function until<T>(ask: () => Promise<T>, isGood: (answer: T) => boolean, tries = 100): Promise<T> {
  for (let left = tries; ; left -= 1) {
    const answer = await ask();
    if (isGood(answer) || left === 0) return answer;
    await pause(100);
  }
}`,
  holds: `/** A change may take two seconds to show; then it has to stay. */
async function holds(look: () => Promise<void>): Promise<void> {
  const end = Date.now() + 2000;
  for (;;) {
    try {
      await look();
      break;
    } catch (error) {
      if (Date.now() > end) throw error;
      await pause(50);
    }
  }
  for (let again = 0; again < 25; again += 1) {
    await look();
    await pause(20);
  }
}`,
  pause: `const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));`,
  at: `/** The value at a JSON pointer. */
const at = (json: any, pointer: string): any =>
  pointer.split('/').slice(1).reduce((value, key) => value?.[key.replaceAll('~1', '/').replaceAll('~0', '~')], json);`,
  all: `/** The values at a JSON pointer in which * is every position of a list. */
function all(json: any, pointer: string): any[] {
  let values = [json];
  for (const key of pointer.split('/').slice(1))
    values = values.flatMap((value) => (key === '*' ? (Array.isArray(value) ? value : []) : value !== null && typeof value === 'object' && Object.hasOwn(value, key) ? [value[key]] : []));
  return values;
}`,
  isA: `const isA = (value: any, types: string[]): boolean =>
  types.includes(value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value) || (types.includes('integer') && Number.isInteger(value));`,
  patched: `/** A document after JSON Patch operations (RFC 6902); names with ~ and / in pointers are unescaped. */
function patched(document: any, operations: any[]): any {
  const result = structuredClone(document);
  const place = (pointer: string): [any, string] => {
    const keys = pointer.split('/').slice(1).map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
    return [keys.slice(0, -1).reduce((value, key) => value[key], result), keys.at(-1)!];
  };
  const get = (pointer: string): any => { const [parent, key] = place(pointer); return parent[key]; };
  const remove = (pointer: string): void => { const [parent, key] = place(pointer); if (Array.isArray(parent)) parent.splice(Number(key), 1); else delete parent[key]; };
  const add = (pointer: string, value: any): void => { const [parent, key] = place(pointer); if (Array.isArray(parent)) parent.splice(key === '-' ? parent.length : Number(key), 0, value); else parent[key] = value; };
  for (const { op, path, from, value } of operations) {
    const moved = op === 'move' || op === 'copy' ? structuredClone(get(from)) : value;
    if (op === 'move') remove(from);
    if (op === 'remove' || op === 'replace') remove(path);
    if (op !== 'remove' && op !== 'test') add(path, moved);
  }
  return result;
}`,
  items: `/** The items of a list, bare or in a wrapper. */
const items = (json: any): any[] => [json, json?.data, ...Object.values(json ?? {})].find((each) => Array.isArray(each)) ?? [];`,
  idsOf: `/** Each item of a list by its id, or by its content where it has none. */
const idsOf = (json: any): string[] => items(json).map((item) => String(item?.id ?? JSON.stringify(item)).toLowerCase());`,
  withOthers: `/** The entries, and at a position among them those that the whole list has besides: it is set as a whole. */
function withOthers(body: string, whole: any, position: number): string {
  const own: any[] = JSON.parse(body);
  const others = items(whole).filter((item) => !own.some(({ id }) => id.toLowerCase() === item.id.toLowerCase()));
  const first = own.slice(0, position);
  // An order that is there already shows nothing.
  if (String(idsOf(first)) === String(idsOf(whole).slice(0, position))) first.reverse();
  const all = [...first, ...others, ...own.slice(position)];
  return JSON.stringify(all.map((entry, order) => ('order' in entry ? { ...entry, order } : entry)));
}`,
  everyOrder: `/** The list in all its orders. */
const everyOrder = <T>(list: readonly T[]): T[][] =>
  list.length === 0
    ? [[]]
    : list.flatMap((first, at) => everyOrder(list.filter((_, other) => other !== at)).map((rest) => [first, ...rest]));`,
  known: `/** Null, absent, an empty list and an empty object mean the same. */
const known = (value: any): any =>
  value === undefined || (typeof value === 'object' && Object.keys(value ?? {}).length === 0) ? null : value;`,
  plain: `/** A text without ids, names and times, which differ from time to time. */
const plain = (text: string): string =>
  text
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, '<id>')
    .replaceAll(/assay[-.][0-9a-z]+(?:-[0-9a-z]+)*/gi, '<name>')
    .replaceAll(/\\d{4}-\\d\\d-\\d\\dT[\\d:.]+(?:Z|[+-]\\d\\d:\\d\\d)?/g, '<time>');`,
  shape: `/** The types in a JSON value. */
const shape = (json: any): any =>
  Array.isArray(json) ? json.slice(0, 1).map(shape) : json !== null && typeof json === 'object'
    ? Object.fromEntries(Object.entries(json).sort().map(([key, value]) => [key, shape(value)]))
    : typeof json;`,
  hasEnded: `/** A run shows the time of its end, or else a state of one that is over. */
const hasEnded = (run: any): boolean => {
  const time = Object.keys(run).find((key) => /^(ended|end|completed|finished)(at|date|time)?$/i.test(key));
  if (time !== undefined) return run[time] !== null && run[time] !== '';
  return /complet|finish|success|succeed|done|fail|cancel|error|ended/i.test(String(run.state ?? run.status));
};`,
  otherDigit: `/** The id with another digit at its end. */
const otherDigit = (id: string): string => id.slice(0, -1) + (id.endsWith('0') ? '1' : '0');`,
  offsetsIn: `/** The offsets in a JSON text; as numbers, large ones would be rounded. */
const offsetsIn = (text: string): string[] => [...text.matchAll(/"offset"\\s*:\\s*(\\d+)/g)].map(([, offset]) => offset!);`,
  isSorted: `const isSorted = (list: any[]): boolean => list.every((value, index) => index === 0 || list[index - 1] <= value);`,
};

const NEEDS: Readonly<Record<string, readonly string[]>> = {
  create: ['created'],
  createListed: ['create', 'until', 'items'],
  sendPages: ['items'],
  until: ['pause'],
  holds: ['pause'],
  during: ['pause'],
  idsOf: ['items'],
  withOthers: ['items', 'idsOf'],
};

/** The helper that sends, with what a test asks for before that. */
const sendingAfter = (helper: string, lines: readonly string[]): string =>
  helper.replace(/^async function send\(.*\{$/m, ['$&', ...lines].join('\n  '));

/** The helpers that a text calls, and those that these need. */
export function helpersFor(code: string): string {
  const used = new Set<string>(['send']);
  const add = (name: string): void => {
    used.add(name);
    for (const each of NEEDS[name] ?? []) add(each);
  };
  for (const name of Object.keys(HELPERS)) if (new RegExp(`\\b${name}\\b`).test(code)) add(name);
  const texts = Object.entries(HELPERS).flatMap(([name, text]) => (used.has(name) ? text : []));
  const first = [
    ...(used.has('othersBetween') ? ['await beforeSending?.();'] : []),
    ...(used.has('meet')
      ? ["if (method !== 'GET' && idsIn(path).length > 0) await atChange.getStore()?.(method);"]
      : []),
  ];
  return texts.map((text) => sendingAfter(text, first)).join('\n\n');
}
