import type { FindingEvidence } from './evidence.ts';
import { quoted } from './literal.ts';
import { isInAnyOrder } from './page-statements.ts';
import { largePageOf, queryOf } from './pages.ts';
import type { Statement } from './statements.ts';

/**
 * Each item that a change names, in the steps or before them, is in another state than in the list that showed its id, or shows
 * something else where it has none.
 */
export const namedChanged: Statement = (evidence) => {
  const { answer, scenario } = evidence;
  const bodies = scenario.sent.flatMap(({ request: { body = '', creates, method } }) =>
    method !== 'GET' && creates !== true ? body : [],
  );
  // A change that names an item which the test does not create may be refused as a whole.
  const ofTest = bodies.map((body) => evidence.idsIn(body)).filter((ids) => ids.every((id) => evidence.isMade(id)));
  const named = new Set(ofTest.flat());
  const lists = scenario.sent.flatMap(({ answer: list, request: { captures = [], method } }) =>
    captures.flatMap(({ id }) => {
      const name = scenario.names.get(id) ?? '';
      return method === 'GET' && named.has(name) ? [`[${list}.json, ${name}]`] : [];
    }),
  );
  if (lists.length === 0) return undefined;
  return [
    'const own = (json: any, id: string) => items(json).find((item) => (item.id ?? item.resultId) === id);',
    'const stateIn = (json: any, id: string) => own(json, id)?.state ?? own(json, id);',
    `for (const [before, id] of [${lists.join(', ')}] as const)`,
    `  expect(stateIn(${answer}.json, id)).not.toEqual(stateIn(before, id));`,
  ];
};

/** All items that one call decides are in one state. */
export const allAlike: Statement = (evidence) => {
  const { answer, changes } = evidence;
  const ids = evidence.idsIn(changes.at(-1)?.request.body ?? '');
  if (ids.length < 2) return undefined;
  return [
    `const decided = items(${answer}.json).filter((item) => [${ids.join(', ')}].includes(item.id ?? item.resultId));`,
    'expect(new Set(decided.map(({ state }) => state)).size).toBe(1);',
  ];
};

/** Where all items of a list were in one state, a change that names none of them leaves none in that state. */
export const noneInState: Statement = (evidence) => {
  const { answer, changes, readBefore, sent, steps } = evidence;
  if (readBefore === undefined || sent === undefined || evidence.idsIn(sent.code).length > 0) return undefined;
  // After the first of several changes, all may be in the right state.
  const [first] = steps;
  const start = first?.request.method === 'GET' && changes.length > 1 ? first.answer : readBefore;
  return [
    `const [state, ...others] = [...new Set(items(${start}.json).map((item) => item.state))];`,
    `if (others.length === 0) expect(items(${answer}.json).filter((item) => item.state === state)).toEqual([]);`,
  ];
};

/** An item that is read alone shows the state that the list read before it shows. */
export const stateAsListed: Statement = (evidence) => {
  const { answer, last, steps } = evidence;
  const list = steps.at(-2);
  const id = evidence.idsIn(last.request.url).at(-1);
  if (list === undefined || id === undefined) return undefined;
  const listed = `items(${list.answer}.json).find((item) => (item.id ?? item.resultId) === ${id})`;
  return [`expect(${answer}.json.state).toBe(${listed}?.state);`];
};

/** Of the items of the whole list, which may have more since, a list that is read after it holds those in the state of its filter. */
export const filteredAsListed: Statement = ({ answer, last, steps }) => {
  const list = steps.at(-2);
  const state = queryOf(last.request.url).get('state');
  const isWhole = list?.request.method === 'GET' && !queryOf(list.request.url).has('state');
  if (list === undefined || state === null || !isWhole) return undefined;
  return [
    `const listed = idsOf(${list.answer}.json);`,
    `const inState = items(${list.answer}.json).filter((item) => item.state === ${quoted(state)});`,
    `expect(idsOf(${answer}.json).filter((id) => listed.includes(id)).sort()).toEqual(idsOf(inState).sort());`,
  ];
};

/** The lists of the items that have a value and of those that have not share no item on any of their pages. */
export const inOneOfBoth: Statement = ({ scenario, script, steps }) => {
  const [one, other] = steps.slice(-2);
  const [first, second] = [one, other].map((each) => [...queryOf(each?.request.url ?? '')]);
  const changed = first?.filter(([name, value]) => second?.some((each) => each[0] === name && each[1] !== value));
  const isPair = changed?.length === 1 && /^(?:true|false)$/.test(changed[0]?.[1] ?? '');
  if (one === undefined || other === undefined || !isPair || first?.length !== second?.length) return undefined;
  const whole = (each: typeof one): string => {
    const pages = largePageOf(each.request.url, script.defaults) === undefined ? scenario.allPages(each) : undefined;
    return pages === undefined ? each.answer : `(await ${pages})`;
  };
  return [
    `const inFirst = idsOf(${whole(one)}.json);`,
    `expect(idsOf(${whole(other)}.json).filter((id) => inFirst.includes(id))).toEqual([]);`,
  ];
};

/** The list of chats without results holds the chats of the first list that no result of the run names. */
export const chatsWithoutResults: Statement = ({ finding, scenario, steps }) => {
  const [all, results, selected] = steps;
  const isOfChats = finding.subject === 'includeOnlyChatsWithNoResults' && steps.length === 3;
  if (!isOfChats || all === undefined || results === undefined || selected === undefined) return undefined;
  // Pages of the chats are no results.
  if (results.request.url.split('?')[0] === all.request.url.split('?')[0]) return undefined;
  // Another run may have fewer results than this one.
  const least = Math.min(1, results.request.received?.length ?? 0);
  return [
    `const complete = await until(() => ${scenario.call(results)}, ({ json }) => items(json).length >= ${least});`,
    'const named = items(complete.json).map(({ chatId }) => String(chatId).toLowerCase());',
    `const chats = await ${scenario.call(selected)};`,
    `expect(idsOf(chats.json).sort()).toEqual(idsOf(${all.answer}.json).filter((id) => !named.includes(id)).sort());`,
  ];
};

/** Two results that were rejected, each through one form, are in one state: those of one list, or the first of the lists of two jobs. */
export const sameDecision: Statement = (evidence) => {
  const { answer, changes, last, scenario } = evidence;
  const [, one, other] = changes;
  const idIn = (each: typeof one): string | undefined =>
    evidence.idsIn(each?.request.body ?? '')[0] ?? evidence.idsIn(each?.request.url ?? '').at(-1);
  const [first, second] = [idIn(one), idIn(other)];
  const { lastId } = evidence;
  if (first === undefined || second === undefined || lastId === undefined) return undefined;
  if (![first, second].includes(lastId))
    return [
      `const stateIn = (id: string) => items(${answer}.json).find((item) => (item.id ?? item.resultId) === id)?.state;`,
      `expect(stateIn(${second})).toBe(stateIn(${first}));`,
    ];
  const job = lastId === first ? second : first;
  const list = scenario.call(last).replaceAll(`\${${lastId}}`, `\${${job}}`);
  return [
    `const decided = await until(() => ${list}, ({ json }) => items(json).length > 0);`,
    `expect(items(${answer}.json)[0]?.state).toBe(items(decided.json)[0]?.state);`,
  ];
};

/** The first chats of a run show what the stream, read before them, shows of them. */
export const chatAsStreamed: Statement = ({ finding, last, scenario, steps }) => {
  const [stream, ...more] = steps;
  if (stream === undefined || more.length !== 1 || finding.subject === undefined) return undefined;
  const path = scenario.literal(scenario.pathOf(last.request.url.replace(/\/[^/]+$/, '')));
  return [
    `const streamed = items(${stream.answer}.json).flatMap((each) => [each, ...Object.values(each)]);`,
    `for (const id of idsOf((await send('GET', ${path}, common)).json).slice(0, 3)) {`,
    `  const chat = await send('GET', ${path} + \`/\${id}\`, common);`,
    '  const same: any = streamed.find((each: any) => each?.id === id);',
    `  if (same !== undefined) expect(chat.json[${quoted(finding.subject)}]).toBe(same[${quoted(finding.subject)}]);`,
    '}',
  ];
};

/** Every run that is listed ends within half a minute. */
export const runsEnd: Statement = ({ scenario, last }) => [
  `const ended = await until(() => ${scenario.call(last)}, ({ json }) => items(json).every(hasEnded), 300);`,
  'expect(items(ended.json).filter((run) => !hasEnded(run))).toEqual([]);',
];

/** Runs that have ended stay so, at the times that they show. */
export const runsStayEnded: Statement = ({ scenario, last }) => [
  `const ended = await until(() => ${scenario.call(last)}, ({ json }) => items(json).every(hasEnded), 300);`,
  'const timesIn = (json: any) => JSON.stringify(json).match(/\\d{4}-\\d\\d-\\d\\dT[^"]*/g);',
  'for (let read = 0; read < 20; read += 1) {',
  '  await pause(100);',
  `  const again = await ${scenario.call(last)};`,
  '  expect(items(again.json).filter((run) => !hasEnded(run))).toEqual([]);',
  '  expect(timesIn(again.json)).toEqual(timesIn(ended.json));',
  '}',
];

/** Each item has the type that the path names. */
export const typeOfPath: Statement = ({ scenario, last, finding }) => {
  const type = last.request.url.split('?')[0]?.split('/').at(-1) ?? '';
  if (finding.subject !== 'type') return undefined;
  return [
    `const filled = await until(() => ${scenario.call(last)}, ({ json }) => items(json).length > 0);`,
    `expect(items(filled.json).filter((item) => item.type !== ${quoted(type)})).toEqual([]);`,
  ];
};

/** The same of lists that may still grow. */
function sameAtLast(evidence: FindingEvidence): readonly string[] {
  if (!isInAnyOrder(evidence)) return [];
  const [one, other] = evidence.steps
    .slice(-2)
    .map((each) => `idsOf((await ${evidence.scenario.call(each)}).json).sort()`);
  return [
    `const both = async () => [${one}, ${other}];`,
    'const [one, other] = await until(both, (lists) => String(lists[0]) === String(lists[1]));',
    'expect(other).toEqual(one);',
  ];
}

/** Each item has the value that a parameter with the name of a member asks for, and no other order has others. */
export const matching: Statement = (evidence) => {
  const { answer, finding, last, shown } = evidence;
  const { subject = '' } = finding;
  const value = queryOf(last.request.url).get(subject);
  if (value === null || shown?.response?.body.includes(`"${subject}":`) !== true) return undefined;
  return [
    `expect(items(${answer}.json).filter((item) => item[${quoted(subject)}] !== ${quoted(value)})).toEqual([]);`,
    ...sameAtLast(evidence),
  ];
};
