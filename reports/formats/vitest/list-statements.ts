import { idOf } from './evidence.ts';
import type { FindingEvidence } from './evidence.ts';
import { quoted } from './literal.ts';
import { largePageOf, queryOf } from './pages.ts';
import type { Answered } from './scenario.ts';
import { noItems, paging } from './page-statements.ts';
import { hasAt } from './statements.ts';
import type { Statement } from './statements.ts';

/** The whole list, where the last answer is one of its pages; that answer elsewhere. */
export function wholeList({ answer, last, script, scenario }: FindingEvidence): {
  readonly lines: readonly string[];
  readonly whole: string;
  readonly isRead: boolean;
} {
  const pages = largePageOf(last.request.url, script.defaults) === undefined ? scenario.allPages(last) : undefined;
  return pages === undefined
    ? { lines: [], whole: answer, isRead: false }
    : { lines: [`const allPages = await ${pages};`], whole: 'allPages', isRead: true };
}

/** True for a creation whose item the last answer had in the run: it may also have ids that the answer to the creation named. */
export function wasListed({ request: { captures = [], received } }: Answered, { last }: FindingEvidence): boolean {
  const ids = [...captures.map(({ id }) => id), ...(received?.ids ?? [])];
  return ids.length > 0 && ids.every((id) => last.request.received?.ids.includes(id));
}

/** Of several created items, the id of the one that the list lacked in the run. */
function missingId(evidence: FindingEvidence): string | undefined {
  const creations = evidence.steps.filter(({ request }) => request.creates === true);
  const missing = creations.find((each) => !wasListed(each, evidence));
  return missing === undefined || creations.length < 2 ? undefined : idOf(missing);
}

/** The list has the id of the subject, or has it not. */
const listing =
  (not: '' | '.not'): Statement =>
  (evidence) => {
    const subjectId = (not === '' ? missingId(evidence) : undefined) ?? evidence.subjectId;
    if (subjectId === undefined) return undefined;
    const { lines, whole } = wholeList(evidence);
    return [
      ...lines,
      `expect(${whole}.ids.map((id) => id.toLowerCase()))${not}.toContain(${subjectId}.toLowerCase());`,
    ];
  };

export const lists = listing('');

export const listsNot = listing('.not');

/** The list has the item that it lacked after its creation. */
export const listsCreation: Statement = (evidence) =>
  evidence.finding.subject === 'not-listed' ? lists(evidence) : undefined;

/** No answer is empty after the creation, where one of them was in the run for no reason. */
export const listsEachTime: Statement = ({ finding, steps }) => {
  const [created, ...reads] = steps;
  if (finding.subject !== 'at times' || created?.request.creates !== true) return undefined;
  return reads.map(({ answer }) => `expect(items(${answer}.json)).not.toEqual([]);`);
};

/** The list does not contain the item that it showed in the run; it is empty if that was no item of the test. */
export const listsNotShown: Statement = (evidence) => (evidence.showedSubject ? listsNot : noItems)(evidence);

/** The list does not contain the item that it wrongly showed in the run, or contains the one that it lacked. */
export const listsOtherwise: Statement = (evidence) =>
  evidence.readsList ? (evidence.showedSubject ? listsNot : lists)(evidence) : undefined;

/** The list has the item that it lacked. */
export const listsLacked: Statement = (evidence) =>
  evidence.readsList && !evidence.showedSubject ? lists(evidence) : undefined;

/** A name that is new in each run is in the list; the id that was returned is that of another item, which the list had. */
export const listsName: Statement = (evidence) => {
  const { sent, readsList, showedSubject, scenario } = evidence;
  if (!readsList || !showedSubject || sent === undefined) return undefined;
  const name = Object(sent.value)['name'] as unknown;
  if (typeof name !== 'string' || !scenario.literal(name).includes('${tag}')) return undefined;
  const { lines, whole } = wholeList(evidence);
  return [...lines, `const { name } = ${sent.code};`, `expect(${whole}.text).toContain(name);`];
};

/** What was sent is not in the list, by its name. */
export const listsNoName: Statement = ({ answer, sent }) =>
  sent === undefined || !hasAt(sent.value, '/name')
    ? undefined
    : [`const { name } = ${sent.code};`, `expect(${answer}.text).not.toContain(name);`];

/** Of three lists, one of the last two holds each item of the first one. */
export const inEither: Statement = ({ changes, steps, scenario }) => {
  const [whole, one, other, ...more] = steps;
  if (whole === undefined || one === undefined || other === undefined || more.length > 0 || changes.length > 0)
    return undefined;
  const ids = [whole, one, other].map((each) => {
    const pages = scenario.allPages(each);
    return `idsOf(${pages === undefined ? each.answer : `(await ${pages})`}.json)`;
  });
  return [
    `const selected = [...${ids[1] ?? ''}, ...${ids[2] ?? ''}];`,
    `expect(selected).toEqual(expect.arrayContaining(${ids[0] ?? ''}));`,
  ];
};

/** What was created is in the list once, by its name, whatever page shows it. */
export const listedOnce: Statement = (evidence) => {
  const creations = evidence.steps.filter(({ request }) => request.method === 'POST');
  const bodies = creations.flatMap(({ request }) => evidence.bodyOf(request) ?? []);
  const named = bodies.filter(({ value }) => hasAt(value, '/name'));
  if (named.length === 0) return undefined;
  const { lines, whole } = wholeList(evidence);
  return [
    ...lines,
    `for (const { name } of [${named.map(({ code }) => code).join(', ')}])`,
    `  expect(items(${whole}.json).filter((item) => item.name === name)).toHaveLength(1);`,
  ];
};

/** Every created item is in the list, if the page has room for all of them. */
export const listsMade: Statement = (evidence) => {
  const { last, steps } = evidence;
  const creations = steps.filter(({ request }) => request.creates === true);
  // Of two that returned one id, the steps after them concern the last.
  const idsOf = ({ request }: Answered): readonly string[] => request.received?.ids ?? [];
  const isReturnedAgain = (each: Answered, index: number): boolean =>
    creations.slice(index + 1).some((later) => idsOf(later).some((id) => idsOf(each).includes(id)));
  const made = creations.filter((each, index) => !isReturnedAgain(each, index)).map(idOf);
  const { lines, whole, isRead } = wholeList(evidence);
  const size = Number(queryOf(last.request.url).get(paging(evidence)?.size ?? '') ?? made.length);
  if (made.length === 0 || (!isRead && size < made.length)) return undefined;
  // The answer of the run had all their ids, so that these were not where a list has its items.
  const areElsewhere = creations.every((each) => wasListed(each, evidence));
  return [
    ...lines,
    `const listed = ${areElsewhere ? `idsOf(${whole}.json)` : `${whole}.ids.map((id) => id.toLowerCase())`};`,
    `expect(listed).toEqual(expect.arrayContaining([${made.map((id) => `${id}.toLowerCase()`).join(', ')}]));`,
  ];
};

/** Overlapping creations are all in the list; beside changes of other kinds, the one by whose name the list is searched. */
export const listsCreations: Statement = (evidence) => {
  const { answer, last, steps } = evidence;
  if (steps.every(({ request: { method, creates } }) => method === 'GET' || creates === true))
    return listsMade(evidence);
  const asked = [...queryOf(last.request.url).values()];
  const nameOf = ({ request }: Answered): unknown => Object(evidence.bodyOf(request)?.value)['name'];
  const searched = steps.find((each) => each.request.creates === true && asked.some((text) => text === nameOf(each)));
  const isGone = steps.some(({ request: { method } }) => method === 'DELETE');
  if (searched === undefined || isGone || wasListed(searched, evidence)) return undefined;
  return [`expect(${answer}.ids.map((id) => id.toLowerCase())).toContain(${idOf(searched)}.toLowerCase());`];
};

/** Of several items that were created with one name, each is in the list. */
export const listsEachOfName: Statement = (evidence) => {
  const creations = evidence.steps.filter(({ request: { method, creates } }) => method === 'POST' && creates === true);
  const names = creations.map(({ request }) => Object(evidence.bodyOf(request)?.value)['name'] as unknown);
  return creations.length > 1 && new Set(names).size === 1 ? listsCreations(evidence) : undefined;
};

/** Of the items that the changes name, those of the test are in the list. */
export const listsNamed: Statement = (evidence) => {
  const { answer, steps } = evidence;
  const bodies = steps.flatMap(({ request: { method, creates, body = '' } }) =>
    method === 'GET' || creates === true ? [] : body,
  );
  const named = [...new Set(bodies.flatMap((body) => evidence.idsIn(body)))].filter((id) => evidence.isMade(id));
  if (named.length === 0) return listsMade(evidence);
  return [
    `const listed = ${answer}.ids.map((id) => id.toLowerCase());`,
    `expect(listed).toEqual(expect.arrayContaining([${named.map((id) => `${id}.toLowerCase()`).join(', ')}]));`,
  ];
};

/** A loop over the item as the list shows it, if it does. */
export function forListed(evidence: FindingEvidence, which: string, body: readonly string[]): readonly string[] {
  const { lines, whole } = wholeList(evidence);
  const loop = `for (const item of items(${whole}.json).filter((each) => ${which}))`;
  return body.length === 1
    ? [...lines, `${loop} ${body[0] ?? ''}`]
    : [...lines, `${loop} {`, ...body.map((line) => `  ${line}`), '}'];
}

/** The list shows the member (or else the name) as it was sent, and as the item itself shows it. */
export const listedAsSent: Statement = (evidence) => {
  const { sent, steps, last, subjectId } = evidence;
  const member = evidence.member === '' ? 'name' : evidence.member;
  if (member === undefined || sent === undefined || subjectId === undefined) return undefined;
  if (Array.isArray(sent.value)) return listedAsPatched(evidence);
  const key = `[${quoted(member)}]`;
  const item = steps.findLast(
    (each) => each !== last && each.request.method === 'GET' && each.request.received?.length === undefined,
  );
  const values = [`sent${key}`, ...(item === undefined ? [] : [`${item.answer}.json?.${key}`])];
  return [
    `const sent = ${sent.code};`,
    ...(sent.request.times !== undefined && hasAt(sent.value, '/name')
      ? // Of several items, each of which has another name, any may be shown wrongly.
        forListed(evidence, 'each.name?.startsWith(sent.name)', [
          `expect(plain(JSON.stringify(known(item${key})))).toEqual(plain(JSON.stringify(known(sent${key}))));`,
        ])
      : forListed(
          evidence,
          `each.id === ${subjectId}`,
          values.map((value) => `expect(known(item${key})).toEqual(known(${value}));`),
        )),
    ...(evidence.finding.code === 'created-reads-back/listed-member' ? othersListedAsSent(evidence, member) : []),
  ];
};

/** Other items that are created by name for the list are shown as they were sent too: which one is shown wrongly may depend on its place. */
function othersListedAsSent(evidence: FindingEvidence, member: string): readonly string[] {
  const { scenario, sent } = evidence;
  const made = scenario.sent.flatMap(({ request }) =>
    request.creates === true && request.body !== sent?.request.body ? (evidence.bodyOf(request) ?? []) : [],
  );
  const named = made.filter(({ value }) => ['/name', `/${member}`].every((pointer) => hasAt(value, pointer)));
  if (named.length === 0) return [];
  const { whole } = wholeList(evidence);
  const text = (of: string): string => `plain(JSON.stringify(known(${of}[${quoted(member)}])))`;
  return [
    `for (const made of [${named.map(({ code }) => code).join(', ')}])`,
    `  for (const item of items(${whole}.json).filter((each) => each.name?.startsWith(made.name)))`,
    `    expect(${text('item')}).toEqual(${text('made')});`,
  ];
}

/** Where the list shows the item, it shows the members that the patch sets, or the one that the finding names. */
export const listedAsPatched: Statement = (evidence) => {
  const { member, readsList, sent, subjectId } = evidence;
  if (!readsList || sent === undefined || subjectId === undefined || !Array.isArray(sent.value)) return undefined;
  const set = (sent.value as readonly { readonly path?: string; readonly value?: unknown }[]).filter(
    ({ path = '', value }) => value !== undefined && path.lastIndexOf('/') === 0,
  );
  if (set.length < sent.value.length) return undefined;
  const matches = set.some(({ path }) => path === `/${member}`) ? `{ ${member}: sent.${member} }` : 'sent';
  return [
    `const sent = Object.fromEntries(${sent.code}.map(({ path, value }: any) => [path.slice(1), value]));`,
    ...forListed(evidence, `each.id === ${subjectId}`, [`expect(item).toMatchObject(${matches});`]),
  ];
};

/** Everything of the test that the query asks for by id is in the answer. */
export const allAsked: Statement = (evidence) => {
  const { answer, last } = evidence;
  const ids = evidence.idsIn(last.request.url).filter((id) => evidence.isMade(id));
  return ids.length === 0 ? undefined : [`expect(${answer}.ids).toEqual(expect.arrayContaining([${ids.join(', ')}]));`];
};

/** Each item of a list shows one of the ids that the query or the path asks for. */
export const askedOnly: Statement = (evidence) => {
  const { steps } = evidence;
  // Where the path names the item and its type, the type is known from a list, and others have it too.
  const created = new Set(
    evidence.scenario.sent
      .flatMap(({ request }) => (request.creates === true ? (request.captures ?? []) : []))
      .map(({ id }) => evidence.scenario.names.get(id)),
  );
  const idsAsked = ({ request: { url } }: Answered): readonly string[] =>
    evidence.idsIn(url).filter((id) => created.has(id));
  // Where several lists were read, one asks for more than there is.
  const list = steps.findLast((each, at) => each.request.method === 'GET' && (at === 0 || idsAsked(each).length < 3));
  const ids = list === undefined ? [] : idsAsked(list);
  if (list === undefined || ids.length === 0) return undefined;
  return [
    `const asked = [${ids.join(', ')}];`,
    `expect(items(${list.answer}.json).filter((item) => !asked.some((id) => JSON.stringify(item).includes(id)))).toEqual([]);`,
  ];
};

/** The last read of a list shows the same as before the change. */
export const listUnchanged: Statement = ({ answer, readBefore }) =>
  readBefore === undefined ? undefined : [`expect(items(${answer}.json)).toEqual(items(${readBefore}.json));`];

/** Where nothing updates it, the list shows the item by the name that it was created with, and shows it if it did not in the run. */
export const listedAsCreated: Statement = (evidence) => {
  const { last, scenario, steps } = evidence;
  const changed = evidence.changes.at(-1)?.request.url.toLowerCase() ?? '';
  const creations = scenario.sent.filter(({ request }) => request.creates === true && request.captures !== undefined);
  const isChanged = ({ request }: Answered): boolean =>
    request.captures?.some(({ id }) => changed.includes(id)) === true;
  const creation = creations.find(isChanged) ?? creations[0];
  const sent = evidence.bodyOf(creation?.request);
  const isUpdated = steps.some(({ request: { method } }) => method === 'PUT' || method === 'PATCH');
  const [own] = creation?.request.captures ?? [];
  const isListed = own !== undefined && evidence.readsList && last.request.received?.ids.includes(own.id) === true;
  if (!isListed || sent === undefined || isUpdated || !hasAt(sent.value, '/name')) return undefined;
  return [
    `const { name } = ${sent.code};`,
    ...forListed(evidence, `each.id === ${scenario.names.get(own.id) ?? ''}`, ['expect(item.name).toBe(name);']),
  ];
};

/** As many runs of the kind of the first one as before the change; dry runs may be listed too, as runs of another kind. */
export const sameRealRuns: Statement = ({ answer, firstRead }) =>
  firstRead && [
    'const kindOf = (run: any) => String(run?.dryRun ?? run?.runType);',
    `const real = (json: any) => items(json).filter((run) => kindOf(run) === kindOf(items(${firstRead.answer}.json)[0]));`,
    `expect(real(${answer}.json)).toHaveLength(real(${firstRead.answer}.json).length);`,
  ];
