import type { FindingScript, ScriptRequest } from '../../../spec/index.ts';
import { UUID } from './literal.ts';

/** What shows a violation of overlapping calls: a read after all of them, or one that is sent together with them. */
export type RaceRead = 'read-after' | 'read-during';

/** A name, with what tells apart several items of one test. */
const WHOLE_NAME = /assay-[0-9a-z]+(?:-[0-9a-z]+)+/gi;

const isLook = ({ step, method, captures }: ScriptRequest): boolean =>
  step !== undefined && method === 'GET' && captures === undefined;

/** All changes from the first that overlapped are sent at the same time, but for creations of what others need. */
export function racing(script: FindingScript, race: RaceRead): FindingScript {
  const isAction = ({ step, method, captures }: ScriptRequest): boolean =>
    step !== undefined && method !== 'GET' && captures === undefined;
  const isRaced = script.requests.some((each) => isAction(each) && each.creates !== true);
  const isChange = (each: ScriptRequest): boolean => isAction(each) && isRaced;
  const last = script.requests.length - 1;
  // Creations of what others need may have overlapped too.
  const first = script.requests.findIndex((each, at) => {
    const next = script.requests[at + 1];
    return isChange(each) && next?.overlaps === true && next.step !== undefined;
  });
  const isTogether = (each: ScriptRequest, index: number): boolean => index >= first && index < last && isChange(each);
  const changes = script.requests.filter(isTogether);
  if (changes.length === 0) return withOtherCreations(script, race);
  const before = script.requests.filter((each, index) => index < last && !isTogether(each, index) && !isLook(each));
  const together = changes.map((each, index) => (index > 0 ? { ...each, overlaps: true as const } : each));
  const final = script.requests
    .slice(last)
    .map(({ overlaps: _overlaps, ...each }) => (race === 'read-during' ? { ...each, overlaps: true as const } : each));
  const requests = [...before, ...together, ...final];
  return { ...script, requests };
}

/** Another creation at the same time as each creation, or as the read. */
function withOtherCreations(script: FindingScript, race: RaceRead): FindingScript {
  const { requests } = script;
  const [creation, read] = [requests.findLast(({ step, creates }) => step !== undefined && creates), requests.at(-1)];
  const [, other] = creation === undefined ? [] : withOther(creation);
  if (race === 'read-after' || other === undefined || read === undefined)
    return { ...script, requests: requests.flatMap((each) => withOther(each)) };
  const { step: _step, overlaps: _overlaps, ...rest } = other;
  return { ...script, requests: [...requests.slice(0, -1), rest, { ...read, overlaps: true }] };
}

/** A creation, and another one at the same time under another name. */
function withOther(request: ScriptRequest): readonly ScriptRequest[] {
  const { captures: _captures, ...rest } = request;
  if (request.step === undefined || request.creates !== true || request.body === undefined) return [request];
  return [request, { ...rest, body: request.body.replaceAll(WHOLE_NAME, '$&-2'), overlaps: true }];
}

/** The last part of a path before its query, or the one before the id at its end. */
const collectionIn = (url: string, isItem: boolean): string | undefined =>
  url
    .split('?', 1)[0]
    ?.split('/')
    .at(isItem ? -2 : -1);

/** The last read, together with that of the item with which it was answered in the run, where that is another one that the script creates. */
export function withReadBeside(script: FindingScript): FindingScript {
  const last = script.requests.at(-1);
  const asked = last?.url.match(UUID)?.at(-1) ?? last?.url.split('?', 1)[0]?.split('/').at(-1);
  if (last?.method !== 'GET' || asked === undefined) return script;
  const made = script.requests.flatMap(({ creates, url, captures = [] }) =>
    creates === true && collectionIn(url, false) === collectionIn(last.url, true) ? captures : [],
  );
  const { status = 0, ids = [] } = last.received ?? {};
  const isAnswered = status < 300 && !ids.includes(asked.toLowerCase());
  const other = made.find(({ id }) => isAnswered && ids.includes(id));
  if (other === undefined) return script;
  const { step: _step, captures: _captures, ...read } = { ...last, url: last.url.replace(asked, other.id) };
  return { ...script, requests: [...script.requests.slice(0, -1), read, { ...last, overlaps: true }] };
}
