import { isObject, parsedJson } from '../../../spec/index.ts';
import type { Json } from '../../../spec/json.ts';
import { readPointer } from '../../../spec/pointer.ts';
import { shownBody } from '../../../spec/shown-body.ts';
import type { FindingEvidence, SentBody } from './evidence.ts';
import type { Answered } from './scenario.ts';
import { literal, quoted } from './literal.ts';

/** Lines of a test that hold where the requirement is met; undefined where the evidence does not fit. */
export type Statement = (evidence: FindingEvidence) => readonly string[] | undefined;

export const status =
  (...codes: readonly number[]): Statement =>
  ({ answer }) =>
    codes.length === 1
      ? [`expect(${answer}.status).toBe(${codes[0]});`]
      : [`expect([${codes.join(', ')}]).toContain(${answer}.status);`];

/** The last request has that status, also when it is sent again. */
export const statusEachTime =
  (code: number): Statement =>
  (evidence) => [
    ...(status(code)(evidence) ?? []),
    `expect((await ${evidence.scenario.call(evidence.last)}).status).toBe(${code});`,
  ];

/** The end of a path, which both forms have. */
export const pathOf = (url: string): string => url.split('?')[0]?.split('/').slice(-2).join('/').toLowerCase() ?? '';

/** True where the run did not find an item that the test does not make, so that nothing is known of its answer. */
export function isOfUnknownItem(evidence: FindingEvidence): boolean {
  const { last, lastId } = evidence;
  return last.request.received?.status === 404 && lastId !== undefined && !evidence.isMade(lastId);
}

export const success: Statement = (evidence) =>
  isOfUnknownItem(evidence) ? undefined : [`expect(${evidence.answer}.status).toBeLessThan(300);`];

/** What was refused in the run is served. */
export const refusedServed: Statement = ({ steps }) => {
  const refused = steps.find(({ request }) => (request.received?.status ?? 0) >= 400);
  return refused && [`expect(${refused.answer}.status).toBeLessThan(300);`];
};

export const item: Statement = (evidence) => [
  ...(success(evidence) ?? []),
  `expect(${evidence.answer}.json).toBeInstanceOf(Object);`,
  `expect(${evidence.answer}.json).not.toBeInstanceOf(Array);`,
];

/** A member is stored alike in the two items that are read last. */
export const storedAlike: Statement = ({ answer, finding, steps }) => {
  const before = steps.at(-2)?.answer;
  if (before === undefined || finding.subject === undefined) return undefined;
  const member = `json[${quoted(finding.subject)}]`;
  return [`expect(known(${answer}.${member})).toEqual(known(${before}.${member}));`];
};

/** What answered with an error in the run is readable. */
export const readable: Statement = (evidence) =>
  (evidence.last.request.received?.status ?? 0) >= 400 ? success(evidence) : undefined;

export const refusal: Statement = ({ answer }) => [
  `expect(${answer}.status).toBeGreaterThanOrEqual(400);`,
  `expect(${answer}.status).toBeLessThan(500);`,
];

/** The last answer has another status than in the run. */
export const otherStatus: Statement = ({ answer, last }) => {
  const received = last.request.received?.status;
  return received === undefined ? undefined : [`expect(${answer}.status).not.toBe(${received});`];
};

/** A part of the last two answers is the same. */
export const same =
  (part: (answer: string) => string): Statement =>
  ({ steps, answer }) => {
    const before = steps.at(-2)?.answer;
    return before === undefined ? undefined : [`expect(${part(answer)}).toEqual(${part(before)});`];
  };

/** The last two answers are the same, in the member that the finding is about: what the service adds in the meantime may change others. */
export const bodies: Statement = (evidence) => {
  const [pointer = ''] = /^\/\w+$/.exec(evidence.finding.subject ?? '') ?? [];
  const part = (answer: string): string =>
    pointer === '' ? `plain(${answer}.text)` : `known(at(${answer}.json, ${quoted(pointer)}))`;
  return same(part)(evidence);
};

/** Each read of the same shows the same as the first one. */
export const unchanged: Statement = ({ answer, firstRead }) =>
  firstRead && [`expect(${answer}.json).toEqual(${firstRead.answer}.json);`];

/** The members that an item was created with, but for those that a patch names, are as in the read before the change. */
export const membersUnchanged: Statement = (evidence) => {
  const { answer, firstRead: first, sent } = evidence;
  const patched = Array.isArray(sent?.value) ? namesIn(sent.value) : [];
  const names = Object.keys(evidence.bodyOf(evidence.creation)?.value ?? {}).filter((name) => !patched.includes(name));
  if (first === undefined || names.length === 0) return unchanged(evidence);
  return [
    `for (const name of ${JSON.stringify(names)}) expect(${answer}.json[name]).toEqual(${first.answer}.json[name]);`,
  ];
};

/** For findings about members that a patch does not name. */
export const othersKept: Statement = (evidence) =>
  evidence.finding.subject === 'kept' ? membersUnchanged(evidence) : undefined;

/** Applies only if the change is refused, as in the run: a deployment may also serve it. */
export const ifRefused =
  (statement: Statement): Statement =>
  (evidence) => {
    const change = evidence.changes.at(-1);
    const wasServed = (change?.request.received?.status ?? Infinity) < 300;
    const only = change === undefined || wasServed ? '' : `if (${change.answer}.status >= 400) `;
    return statement(evidence)?.map((line) => (line.startsWith('expect(') ? `${only}${line}` : line));
  };

/** The id of the subject is in the last answer if it was missing in the run, and is not in it if it was there. */
export const presence: Statement = ({ answer, subjectId, showedSubject }) => {
  if (subjectId === undefined) return undefined;
  const ids = `${answer}.ids.map((id) => id.toLowerCase())`;
  return [`expect(${ids})${showedSubject ? '.not' : ''}.toContain(${subjectId}.toLowerCase());`];
};

/** The item is readable, and by the name that was sent. */
export const readableAsSent: Statement = (evidence) => {
  const { answer } = evidence;
  const sent = evidence.bodyOf(evidence.creation);
  const isNamed = sent !== undefined && hasAt(sent.value, '/name');
  return [
    `expect(${answer}.status).toBeLessThan(300);`,
    ...(isNamed ? [`expect(${answer}.json.name).toBe(${sent.code}.name);`] : []),
  ];
};

/** The member that the finding is about has another value than in the run, or has one. */
export const otherMember: Statement = ({ answer, member, shown }) => {
  const text = shown?.response?.body ?? '';
  // Of a long list, the members before it.
  const head = `${text.split('[', 1)[0]?.replace(/,?\s*"\w+"\s*:\s*$/, '') ?? ''}}`;
  const whole = parse(text) as Record<string, unknown> | undefined;
  const body = whole ?? (parse(head) as Record<string, unknown> | undefined);
  const value = body?.[member ?? ''];
  const isKnown = value !== undefined || (whole !== undefined && /^\w+$/.test(member ?? ''));
  if (member === undefined || body === undefined || !isKnown) return undefined;
  const state = value === undefined ? 'toBeDefined()' : `not.toEqual(${JSON.stringify(value)})`;
  return [`expect(${answer}.json[${quoted(member)}]).${state};`];
};

/** The member that the finding is about is returned as it was sent, and so is the name if the run read another one. */
export const memberAsSent: Statement = (evidence) => {
  const { answer, sent, member, finding, shown } = evidence;
  const pointer = finding.instancePointer?.startsWith('/') === true ? finding.instancePointer : `/${member ?? ''}`;
  if (sent === undefined || member === undefined || !hasAt(sent.value, pointer)) return membersAsSent(evidence);
  const nameIn = (json: unknown): unknown => readPointer(json as Json, '/name');
  const read = nameIn(parse(shown?.response?.body));
  const isOtherItem = read !== undefined && nameIn(sent.value) !== undefined && read !== nameIn(sent.value);
  const places = [...new Set(isOtherItem ? ['/name', pointer] : [pointer])];
  const of = (json: string, place: string): string => `known(at(${json}, ${quoted(place)}))`;
  return [
    `const sent = ${sent.code};`,
    ...places.map((place) => `expect(${of(`${answer}.json`, place)}).toEqual(${of('sent', place)});`),
  ];
};

/** The item has the name of its last update, or the text that the finding is about, where the run read another one. */
export const textAsUpdated: Statement = (evidence) => {
  const { answer, changes, creation, last, member = '', shown } = evidence;
  const isOfItem = ({ request: { method, url, received } }: Answered): boolean =>
    method === 'PUT' && pathOf(url) === pathOf(last.request.url) && (received?.status ?? 0) < 400;
  const sent = evidence.bodyOf(changes.findLast(isOfItem)?.request ?? creation);
  const textIn = (json: unknown, name: string): unknown => readPointer(json as Json, `/${name}`);
  const read = parse(shown?.response?.body);
  const other = ['name', member].find((name) => {
    const [own, shownText] = [textIn(sent?.value, name), textIn(read, name)];
    return typeof own === 'string' && shownText !== undefined && own !== shownText;
  });
  const isPatched = changes.some(({ request: { method } }) => method === 'PATCH');
  if (sent === undefined || other === undefined || isPatched) return undefined;
  return [`expect(${answer}.json[${quoted(other)}]).toBe(${sent.code}[${quoted(other)}]);`];
};

/** The rules of a policy have the actions that they had before, or were created with. */
export const actionsKept: Statement = ({ answer, finding, firstRead, sent }) => {
  if (finding.subject !== 'rule-actions' || sent === undefined) return undefined;
  const [before, member] = firstRead === undefined ? [sent.code, '/type'] : [`${firstRead.answer}.json`, ''];
  const of = (json: string): string => `all(${json}, '/rules/*/actions/*${member}')`;
  return [`expect(${of(`${answer}.json`)}).toEqual(expect.arrayContaining(${of(before)}));`];
};

/** All members that an item was created or updated with and that are returned are as they were sent. */
export const membersAsSent: Statement = (evidence) =>
  evidence.sent === undefined ? undefined : membersOf(evidence, evidence.sent);

function membersOf({ answer, shown }: FindingEvidence, sent: SentBody): readonly string[] | undefined {
  const read = parse(shown?.response?.body);
  const members = Object.keys(sent.value ?? {}).filter((name) => read === undefined || Object.hasOwn(read, name));
  if (members.length === 0) return undefined;
  return [
    `const sent = ${sent.code}`,
    `for (const name of ${JSON.stringify(members)}) expect(known(${answer}.json[name])).toEqual(known(sent[name]));`,
  ];
}

/** An item that nothing was to change still has the members that it was created with. */
export const membersAsCreated: Statement = (evidence) => {
  const sent = evidence.bodyOf(evidence.creation);
  return sent === undefined ? undefined : membersOf(evidence, sent);
};

/** Top members that the operations of a patch name. */
function namesIn(operations: readonly { readonly path?: string; readonly from?: string }[]): readonly string[] {
  const places = operations.flatMap(({ path = '', from = '' }) => [path, from]);
  return [...new Set(places.map((each) => each.split('/')[1] ?? ''))].filter((name) => name !== '');
}

/** The document after a patch is the one before it with the operations applied, in the members that these name or that were sent. */
export const asPatched: Statement = (evidence) => {
  const { answer, sent, steps } = evidence;
  const before = steps.find(({ request }) => request.method === 'GET');
  if (before === undefined || sent === undefined || !Array.isArray(sent.value)) return undefined;
  const start = evidence.bodyOf(evidence.creation)?.value ?? {};
  const names = JSON.stringify([...new Set([...Object.keys(start), ...namesIn(sent.value)])]);
  return [
    `const expected = patched(${before.answer}.json, ${sent.code});`,
    `for (const name of ${names}) expect(known(${answer}.json[name])).toEqual(known(expected[name]));`,
  ];
};

/** As many items as there were requests for the same parent that make one: those without a body, and none that was refused. */
export const oneItemEach: Statement = ({ answer, last, scenario }) => {
  const parentOf = (url: string): string | undefined => /([0-9a-f-]{36})\/[^/?]+(?:\?|$)/i.exec(url)?.[1];
  const posts = scenario.sent.filter(
    ({ request: { method, url, body, received } }) =>
      method === 'POST' &&
      body === undefined &&
      (received?.status ?? 0) < 300 &&
      parentOf(url) !== undefined &&
      parentOf(url) === parentOf(last.request.url),
  );
  const count = posts.reduce((sum, { request: { times = 1 } }) => sum + times, 0);
  return [`expect(items(${answer}.json)).toHaveLength(${count});`];
};

export const noDuplicates: Statement = ({ answer }) => [
  `expect(new Set(idsOf(${answer}.json)).size).toBe(items(${answer}.json).length);`,
];

/** The last read shows something else than before the change. */
export const changed: Statement = ({ answer, readBefore }) =>
  readBefore === undefined ? undefined : [`expect(plain(${answer}.text)).not.toBe(plain(${readBefore}.text));`];

/** Except for what the changes name, the last read shows the same as the read before it, and as the first one. */
export const othersUnchanged: Statement = (evidence) => {
  const { answer, changes, firstRead: first, readBefore } = evidence;
  if (readBefore === undefined) return undefined;
  const bodies = changes.flatMap(({ request }) => evidence.bodyOf(request) ?? []);
  const nameResults = bodies.length === changes.length && bodies.every(({ value }) => hasAt(value, '/results'));
  const rest = (name: string): string => `items(${name}.json).filter((item) => !named.includes(item.id))`;
  return [
    `const named = JSON.stringify([${bodies.map(({ code }) => code).join(', ')}]);`,
    `expect(${rest(answer)}).toEqual(${rest(readBefore)});`,
    ...(nameResults && first !== undefined
      ? [`expect(${rest(answer)}).toEqual(expect.arrayContaining(${rest(first.answer)}));`]
      : []),
  ];
};

const EMPTY = /^\s*\[\s*\]\s*$/;

/** The last answer differs from that of the run, apart from ids, names and times. */
export const differs: Statement = ({ answer, shown, script }) => {
  const { status: received, body = '', truncated = true } = shown?.response ?? {};
  if (received === undefined) return undefined;
  if (received >= 300) return [`expect(${answer}.status).not.toBe(${received});`];
  if (truncated || shownBody(body).bytes !== undefined) return undefined;
  // Where nothing is created, a list may be empty for a good reason.
  if (EMPTY.test(body) && !script.requests.some(({ creates }) => creates)) return undefined;
  return [
    '// What the violating answer looked like; a correct one differs.',
    `expect([${answer}.status, plain(${answer}.text)]).not.toEqual([${received}, plain(${literal(body, new Map())})]);`,
  ];
};

export function parse(body = ''): object | undefined {
  const value = parsedJson(body);
  return isObject(value) ? value : undefined;
}

/** True where a JSON value has something at a pointer. */
export function hasAt(value: unknown, pointer: string): boolean {
  return readPointer(value as Json, pointer) !== undefined;
}
