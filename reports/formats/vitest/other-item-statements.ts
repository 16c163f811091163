import { idOf, idsMadeBy } from './evidence.ts';
import { quoted } from './literal.ts';
import type { Answered } from './scenario.ts';
import { wasListed, wholeList } from './list-statements.ts';
import type { Statement } from './statements.ts';

const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';

/** Another item than the changed one is listed if it was missing in the run, and is not if it was listed. */
export const listsCreated: Statement = (evidence) => {
  const changes = evidence.changes.slice(0, -1);
  const named = new Set(evidence.changes.flatMap(({ request }) => evidence.idsIn(request.url)));
  const other = changes.find(
    ({ request: { creates, captures = [] } }) =>
      creates === true && !captures.some(({ id }) => named.has(evidence.scenario.names.get(id) ?? '')),
  );
  if (!evidence.readsList) return undefined;
  if (other === undefined) return listsDeleted(evidence) ?? listsChangedBefore(evidence);
  const { lines, whole } = wholeList(evidence);
  const ids = idsMadeBy(other.request);
  const changed = evidence.last.request.received?.changed?.find(({ id }) => ids.includes(id))?.member;
  if (changed !== undefined)
    return [
      ...lines,
      `const other = items(${whole}.json).find((item) => item.id === ${idOf(other)});`,
      `expect(other?.[${quoted(changed)}]).toBe(${evidence.bodyOf(other.request)?.code}[${quoted(changed)}]);`,
    ];
  const isExtra = wasListed(other, evidence);
  // An item that was created in another state than the list shows: something that the test does not repeat had changed it.
  const [, shownState] = /=(true|false)(?:&|$)/.exec(evidence.last.request.url) ?? [];
  const states = Object.values(Object(evidence.bodyOf(other.request)?.value) as object)
    .filter(isBoolean)
    .map(String);
  if (!isExtra && shownState !== undefined && states.length > 0 && !states.includes(shownState)) return undefined;
  return [...lines, `expect(${whole}.ids)${isExtra ? '.not' : ''}.toContain(${idOf(other)});`];
};

/** A deleted item that was listed in the run is not. */
const listsDeleted: Statement = (evidence) => {
  const { ids = [] } = evidence.last.request.received ?? {};
  const deletions = evidence.changes.filter(({ request }) => request.method === 'DELETE');
  const id = ids.find((each) =>
    deletions.some(({ request }) => request.url.toLowerCase().includes(each.toLowerCase())),
  );
  const [code] = id === undefined ? [] : evidence.idsIn(id);
  if (code === undefined || !evidence.isMade(code)) return undefined;
  const { lines, whole } = wholeList(evidence);
  return [...lines, `expect(${whole}.ids).not.toContain(${code});`];
};

/** The item of an earlier change is listed if it was missing in the run, and is not if it was listed. */
const listsChangedBefore: Statement = (evidence) => {
  const idsOf = (each: Answered | undefined): readonly string[] => evidence.idsIn(each?.request.url ?? '');
  const last = idsOf(evidence.changes.at(-1));
  const earlier = evidence.changes.flatMap((each) => idsOf(each));
  const deleted = evidence.changes.flatMap((each) => (each.request.method === 'DELETE' ? idsOf(each) : []));
  const kept = earlier.filter((each) => evidence.isMade(each) && ![...last, ...deleted].includes(each));
  const isListed = (id: string): boolean => {
    const [raw = ''] = [...evidence.scenario.names].find(([, name]) => name === id) ?? [];
    return evidence.last.request.received?.ids.includes(raw) === true;
  };
  const id = kept.find((each) => !isListed(each)) ?? kept[0];
  if (id === undefined) return undefined;
  const { lines, whole } = wholeList(evidence);
  return [...lines, `expect(${whole}.ids)${isListed(id) ? '.not' : ''}.toContain(${id});`];
};
