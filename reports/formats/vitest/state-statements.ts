import { escapeRegExp } from '../../../spec/escape.ts';
import { forListed } from './list-statements.ts';
import { quoted } from './literal.ts';
import type { Answered } from './scenario.ts';
import { pathOf, status } from './statements.ts';
import type { Statement } from './statements.ts';

/** States in which a list shows a policy rightly, by code of the finding that it shows it otherwise. */
const RIGHTLY_LISTED: Readonly<Record<string, string>> = {
  'activation/not-active': '=true',
  'activation/not-inactive': '=false',
};

/** Where the list shows the item, it has the name that was sent last: in the run, it had another one. */
export const listedByName: Statement = (evidence) => {
  const { finding, last, sent, shown, showedSubject, subjectId, subjectInRun } = evidence;
  const { name } = (sent?.value ?? {}) as { readonly name?: unknown };
  const item = new RegExp(`"${escapeRegExp(subjectInRun ?? '')}"[^{}]*?"name"\\s*:\\s*"([^"]*)"`, 'i');
  const listed = item.exec(shown?.response?.body ?? '')?.[1];
  if (sent === undefined || subjectId === undefined || subjectInRun === undefined || !showedSubject) return undefined;
  // What the finding shows of a long list may lack the item.
  const rightState = RIGHTLY_LISTED[finding.code];
  const isListedRightly =
    ['earlier-content', 'name'].includes(finding.subject ?? '') ||
    (rightState !== undefined && last.request.url.includes(rightState));
  const isOther = listed === undefined ? isListedRightly : listed !== name;
  if (typeof name !== 'string' || !isOther) return undefined;
  return [
    `const sent = ${sent.code};`,
    ...forListed(evidence, `each.id === ${subjectId}`, ['expect(item.name).toBe(sent.name);']),
  ];
};

/** The list shows the member of the item as the item itself does. */
export const listedAsRead: Statement = (evidence) => {
  const { last, member, readsList, steps, subjectId } = evidence;
  const isRead = ({ request }: Answered): boolean => request.method === 'GET' && request.received?.length === undefined;
  const read = steps.findLast((each) => each !== last && isRead(each));
  if (!readsList || member === undefined || read === undefined || subjectId === undefined) return undefined;
  const key = `[${quoted(member)}]`;
  return forListed(evidence, `each.id === ${subjectId}`, [`expect(item${key}).toEqual(${read.answer}.json${key});`]);
};

/** What was deleted is not found: in the run, it was still read. */
export const deletedIsGone: Statement = (evidence) => {
  const { changes, last } = evidence;
  const { received, method } = last.request;
  const isDeletion = (request: Answered['request']): boolean =>
    request.method === 'DELETE' &&
    (request.received?.status ?? 0) < 300 &&
    pathOf(request.url) === pathOf(last.request.url);
  const isRead = method === 'GET' && received?.status === 200 && received.length === undefined;
  return isRead && changes.some(({ request }) => isDeletion(request)) ? status(404)(evidence) : undefined;
};
