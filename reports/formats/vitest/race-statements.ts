import { isObject, scalarText } from '../../../spec/index.ts';
import type { ScriptRequest } from '../../../spec/index.ts';
import type { FindingEvidence } from './evidence.ts';
import { literal } from './literal.ts';
import type { Answered } from './scenario.ts';
import { parse, readable } from './statements.ts';
import type { Statement } from './statements.ts';

/** The order that was sent, and its ids that no step deletes. */
function sentOrder(evidence: FindingEvidence): { readonly request: ScriptRequest; readonly own: string } | undefined {
  const { steps } = evidence;
  const bodies = steps.flatMap(({ request }) => evidence.bodyOf(request) ?? []);
  const sent = bodies.findLast(({ value }) => Array.isArray(value));
  if (sent === undefined) return undefined;
  const deleted = steps.flatMap(({ request: { method, url } }) => (method === 'DELETE' ? evidence.idsIn(url) : []));
  const kept = deleted.map((id) => `.filter((id) => id !== ${id}.toLowerCase())`).join('');
  return { request: sent.request, own: `const own = idsOf(${sent.code})${kept};` };
}

/** The order that was sent is the order that is read. */
export const orderAsSent: Statement = (evidence) => {
  const sent = sentOrder(evidence);
  if (sent === undefined) return undefined;
  const own = [sent.own, `const read = idsOf(${evidence.answer}.json);`];
  const { gap, body = '' } = sent.request;
  if (gap === undefined) return [...own, 'expect(read.filter((id) => own.includes(id))).toEqual(own);'];
  return [
    ...own,
    `const sent = idsOf(JSON.parse(withOthers(${literal(body, evidence.scenario.names)}, whole.json, ${gap})));`,
    'const expected = sent.filter((id) => own.includes(id) || read.includes(id));',
    'expect(read.filter((id) => expected.includes(id))).toEqual(expected);',
  ];
};

/** What was in the order before a change of another policy is in the same order after it. */
export const orderKept: Statement = (evidence) => {
  const { steps, last, answer } = evidence;
  const sent = sentOrder(evidence);
  const first = steps.findLast((each) => each !== last && each.request.url === last.request.url);
  if (sent === undefined || first === undefined) return undefined;
  return [
    sent.own,
    `const read = idsOf(${answer}.json);`,
    `const expected = idsOf(${first.answer}.json).filter((id) => own.includes(id) || read.includes(id));`,
    'expect(read.filter((id) => expected.includes(id))).toEqual(expected);',
  ];
};

/** After overlapping writes, a read returns one of them as a whole; during them, also the state before. */
export const oneOfSent: Statement = (evidence) => {
  const written = whatWasSent(evidence);
  const subject = evidence.lastId;
  const removal = evidence.steps.find(
    ({ request: { method, url } }) => method === 'DELETE' && evidence.idsIn(url).at(-1) === subject,
  );
  if (removal === undefined) return written;
  if (isReadDuring(evidence)) return undefined;
  // Where it found nothing in the run, that says as well that the item is gone.
  const foundNone = removal.request.received?.status === 404 ? ` || ${removal.answer}.status === 404` : '';
  const gone = `if (${removal.answer}.status < 300${foundNone}) expect(${evidence.answer}.status).toBe(404);`;
  const others = evidence.changes.filter(
    ({ request: { url }, answer }) => answer !== removal.answer && evidence.idsIn(url).includes(subject ?? ''),
  );
  const served = others.map(
    ({ answer }) =>
      `expect(${answer}.status).toSatisfy((status: number) => status < 300 || [404, 409].includes(status));`,
  );
  const found = [...served, ...deletionsFind(evidence)];
  if (written === undefined) return [gone, ...found];
  return [...found, gone, 'else {', ...written.map((line) => `  ${line}`), '}'];
};

/** Deletions of items that nothing else deletes find them. */
function deletionsFind(evidence: FindingEvidence): readonly string[] {
  const removals = evidence.changes.filter(({ request: { method } }) => method === 'DELETE');
  const ids = removals.map(({ request }) => evidence.idsIn(request.url).at(-1) ?? '');
  const areDistinct = new Set(ids).size === ids.length && ids.every((id) => evidence.isMade(id));
  return areDistinct
    ? [`expect([${removals.map(({ answer }) => `${answer}.status`).join(', ')}]).not.toContain(404);`]
    : [];
}

/** Each member that patches were accepted for has one of the values that these set. */
export const patchesStored: Statement = (evidence) => {
  const patches = evidence.steps.filter(({ request: { method } }) => method === 'PATCH');
  if (patches.length === 0) return undefined;
  const operations = patches.map(({ request, answer }) => {
    const code = evidence.bodyOf(request)?.code;
    return code === undefined ? '' : `...(${answer}.status < 300 ? ${code} : [])`;
  });
  return [
    `const set: any[] = [${operations.join(', ')}];`,
    'const valuesOf = (place: string) => set.filter(({ path }) => path === place).map(({ value }) => value);',
    `for (const { path } of set) expect(valuesOf(path)).toContainEqual(at(${evidence.answer}.json, path));`,
  ];
};

/** What answered with an error in the run is readable, where nothing deletes it. */
export const readableUnlessDeleted: Statement = (evidence) =>
  evidence.steps.some(({ request: { method } }) => method === 'DELETE')
    ? undefined
    : readable(evidence)?.concat(isItself(evidence));

/** An answer with an id is the item that the path names. */
function isItself(evidence: FindingEvidence): readonly string[] {
  const { answer, lastId: id } = evidence;
  return id === undefined || !evidence.isMade(id)
    ? []
    : [
        `if (${answer}.json?.id !== undefined) expect(String(${answer}.json.id).toLowerCase()).toBe(${id}.toLowerCase());`,
      ];
}

/** An update and a call of another kind, which both name the same state (`activeAfter` in the suite). */
const UPDATE_AND_CALL = /^(?:update\+\w+|\w+\+update)$/;

/** Calls of one kind on the item that was created first leave it in the list or out of it in whatever order they came. */
const listedWhateverTheOrder: Statement = (evidence) => {
  const { answer, finding, last, scenario, steps } = evidence;
  const [own] = steps[0]?.request.captures ?? [];
  const requests = steps.map(({ request }) => request);
  const first = requests.findIndex((_, index) => requests[index + 1]?.overlaps === true);
  const moves = requests
    .slice(Math.max(0, first))
    .filter(({ method, url, creates }) => method !== 'GET' && creates !== true && url.includes(own?.id ?? ''))
    .filter(({ method }) => method !== 'PUT' || !UPDATE_AND_CALL.test(finding.subject ?? ''));
  const kinds = new Set(moves.map(({ method, url }) => `${method} ${url.slice(url.lastIndexOf('/'))}`));
  if (own === undefined || kinds.size !== 1 || moves.some(({ method }) => method === 'PUT' || method === 'PATCH'))
    return undefined;
  const wasListed = last.request.received?.ids.includes(own.id) === true;
  const id = scenario.names.get(own.id) ?? '';
  return [
    `expect(${answer}.ids.map((each) => each.toLowerCase()))${wasListed ? '.not' : ''}.toContain(${id}.toLowerCase());`,
  ];
};

/** True where the last read was sent together with the changes. */
export const isReadDuring = ({ last }: FindingEvidence): boolean => last.request.overlaps === true;

/** Code of a function that makes the change of a request to an item; undefined for another kind of change. */
function changeOf({ request }: Answered, evidence: FindingEvidence): string | undefined {
  const sent = evidence.bodyOf(request);
  if (sent === undefined) return undefined;
  if (request.method === 'PUT') return `(item) => ({ ...item, ...${sent.code} })`;
  const isSimple = (each: unknown): boolean =>
    isObject(each) && each['op'] === 'replace' && /^\/[^/]+$/.test(scalarText(each['path']));
  return Array.isArray(sent.value) && sent.value.every(isSimple)
    ? `(item) => ({ ...item, ...Object.fromEntries(${sent.code}.map(({ path, value }: any) => [path.slice(1), value])) })`
    : undefined;
}

/** After updates and patches of an item at the same time, it is what some order of them leaves. */
const leftBySomeOrder: Statement = (evidence) => {
  const { answer, changes: all, creation, lastId } = evidence;
  const own = all.filter(({ request: { url, creates } }) => creates !== true && evidence.idsIn(url).at(-1) === lastId);
  const start = evidence.bodyOf(creation);
  const changes = own.flatMap((each) => changeOf(each, evidence) ?? []);
  const isPatched = own.some(({ request: { method } }) => method === 'PATCH');
  if (start === undefined || !isPatched || changes.length < own.length) return undefined;
  const members = textsShown(start.value, evidence);
  return [
    'const changes: ((item: any) => any)[] = [',
    ...changes.map((change, at) => `  ...(${own[at]?.answer}.status < 300 ? [${change}] : []),`),
    '];',
    `const results = everyOrder(changes).map((order) => order.reduce((item, change) => change(item), ${start.code}));`,
    `const pick = (json: any) => ${JSON.stringify(members)}.map((name) => known(json[name]));`,
    `expect(results.map(pick)).toContainEqual(pick(${answer}.json));`,
  ];
};

/** Names of the members with a text that the last answer showed in the run; all of them where it showed no object. */
function textsShown(value: unknown, { shown }: FindingEvidence): readonly string[] {
  const read = parse(shown?.response?.body);
  return Object.entries(value ?? {}).flatMap(([name, text]) =>
    typeof text === 'string' && (read === undefined || Object.hasOwn(read, name)) ? [name] : [],
  );
}

const whatWasSent: Statement = (evidence) => {
  const left = isReadDuring(evidence) ? undefined : leftBySomeOrder(evidence);
  if (left !== undefined) return left;
  const { answer, changes } = evidence;
  const writes = changes.filter(({ request: { method, creates } }) => method !== 'PATCH' && creates !== true);
  const created = isReadDuring(evidence) ? [evidence.creation] : [];
  const bodies = [...writes.map(({ request }) => request), ...created].flatMap((each) => evidence.bodyOf(each) ?? []);
  const [first] = bodies;
  if (evidence.readsList && !Array.isArray(first?.value)) return listedWhateverTheOrder(evidence);
  if (first === undefined) return undefined;
  const sent = `const sent: any[] = [${bodies.map(({ code }) => code).join(', ')}];`;
  if (Array.isArray(first.value)) {
    return [
      sent,
      'const shared = idsOf(sent[0]).filter((id) => sent.every((order) => idsOf(order).includes(id)));',
      'const order = (json: any) => idsOf(json).filter((id) => shared.includes(id));',
      `expect(sent.map(order)).toContainEqual(order(${answer}.json));`,
    ];
  }
  const members = textsShown(first.value, evidence);
  const pick = `const pick = (json: any) => ${JSON.stringify(members)}.map((name) => known(json[name]));`;
  return members.length === 0
    ? undefined
    : [sent, pick, `expect(sent.map(pick)).toContainEqual(pick(${answer}.json));`];
};
