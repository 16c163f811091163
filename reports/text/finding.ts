import { groupBy } from '../../spec/group-by.ts';
import type { Finding, ShownExchange } from '../../spec/index.ts';
import type { ResolvedGroup } from '../summary/groups.ts';
import { isOfGatewayAtTimes } from '../summary/statuses.ts';
import type { MergedFinding } from '../summary/types.ts';
import { count } from './numbers.ts';
import { replayText } from './replay.ts';
import type { ReplayOf } from './replay.ts';
import { clip, visibleLine } from './visible.ts';

/** Longest text of a fact, which a response could exceed. */
const FACT = 20_000;
/** Longer commands are left out. */
const COMMAND = 4000;
const STEPS = 8;
/** Steps whose trace ids are shown. */
const TRACED = 2;
const BODY = 100;
const MESSAGE = 200;
/** Findings of the same cause that are named. */
const OTHERS = 8;

export type Fact = readonly [label: string, text: string];

/** The word before a finding. */
export function findingWord(finding: MergedFinding): string {
  return finding.known ? 'known' : finding.standing === 'expired' ? 'expired' : finding.severity;
}

/** What a person needs to act on a finding, as pairs of a short label and a text; empty ones are left out. */
export function findingFacts(finding: MergedFinding): readonly Fact[] {
  const { operation, form, operations, requirement, source, grade, occurrences, tests } = finding;
  const facts: readonly Fact[] = [
    ['where', form === '' ? operation : `${operation} in ${form}`],
    ['also on', operations.slice(1).join(', ')],
    [
      'violates',
      [requirement, source].filter((part) => part !== '').join(', ') + (grade === 'documented' ? '' : ` (${grade})`),
    ],
    ['expected', finding.expected],
    ['received', finding.received],
    ['hint', finding.hint ?? ''],
    ['at', pointers(finding)],
    ['seen', occurrences > 1 ? `${count(occurrences, 'time')} in ${count(tests.length, 'test')}` : ''],
    ['steps', stepsText(finding.steps)],
    ['trace', traceText(finding.steps)],
    ['curl', curlText(finding)],
    ['note', curlNote(finding)],
    ['replay', finding.replay ?? ''],
    ['baseline', baselineText(finding)],
    ['id', `${finding.code} ${finding.fingerprint}`],
  ];
  return facts.filter(([, text]) => text !== '');
}

const CURL_NOTES = {
  part: 'No curl command shows the violation, since it takes many requests: replay the finding to see it.',
  overlap:
    'The calls have to overlap: if the curl command does not show the violation, run it again, or replay the finding.',
  alone:
    'It showed while other calls were under way, and the curl command sends one call after the other: replay the finding to see it.',
  sometimes:
    'The same operation also answered correctly in the run: if the curl command does not show the violation, run it again, or replay the finding.',
  others:
    'The run had other calls under way: if the curl command does not show the violation, one of those is the reason. Replay the finding.',
  cached:
    'In the run, the first read of the curl command got the same response, although it asks for something else: a cache may have kept it for a short time.',
  short:
    'The curl command sends a shorter list than the run did: if it does not show the violation, replay the finding.',
  later:
    'Right after the change the response was a different one: the curl command waits before the last read, as the run did.',
  list: 'The curl command only reads: it shows the violation while the list has as many items as in the run.',
  body: 'No curl command shows the violation, since its body is too long for a line: replay the finding, or use its test (--report vitest).',
} as const satisfies Record<NonNullable<MergedFinding['curlShows']>, string>;

const NOT_RECURRED =
  'It did not happen again when its test ran with one request at a time: it probably depends on other calls at the same time.';

/** The curl command; empty where it shows only a part of the violation, which can be replayed. */
export function curlText({ curl, curlShows, replay }: Finding): string {
  return replay !== undefined && (curlShows === 'part' || curlShows === 'body') ? '' : curl;
}

/** The curl command, and how to replay the finding; only that where the curl command is too long: a part of it cannot be used. */
export function commandsOf(finding: Finding, replayOf?: ReplayOf, most = COMMAND): readonly string[] {
  const [curl, replay] = [curlText(finding), replayText(finding, replayOf)];
  return [curl.length > most && replay !== '' ? '' : curl, replay].filter((text) => text !== '');
}

/** How many items the requests of a finding create and do not remove. */
function itemsLeft({ script }: Finding): number {
  const requests = script?.requests ?? [];
  const removed = requests.flatMap(({ method, url, received }) =>
    method === 'DELETE' && received !== undefined && received.status < 400 ? url.toLowerCase() : [],
  );
  return requests
    .filter(
      ({ creates, captures = [] }) =>
        creates && !captures.some(({ id }) => removed.some((url) => url.endsWith(`/${id}`))),
    )
    .reduce((sum, { times = 1 }) => sum + times, 0);
}

/** What the curl command leaves behind; empty if nothing, or if there is none. It may send fewer of the requests. */
function leavesText(finding: Finding): string {
  const { script, curlShows, replay } = finding;
  const items = itemsLeft(finding);
  const curl = curlText(finding);
  if (items === 0 || curl === '' || curlShows === 'list' || curlShows === 'part') return '';
  const name = `assay-${script?.tag ?? ''}`;
  const named = script?.tag !== undefined && curl.includes(name) ? `; names begin with ${name}` : '';
  const amount = items === 1 ? '1 item, which stays' : `up to ${count(items, 'item')}, which stay`;
  const advice = replay === undefined ? '' : ' A replay removes what it creates.';
  return `The curl command creates ${amount}${named}.${advice}`;
}

/** A note on the curl command; empty if it reproduces the finding and leaves nothing behind. */
export function curlNote(finding: Finding & Pick<MergedFinding, 'recurred'>): string {
  const { curlShows, recurred } = finding;
  const notes = [
    recurred === false && curlShows !== 'later' && !isOfGatewayAtTimes(finding) ? NOT_RECURRED : '',
    curlShows === undefined ? '' : CURL_NOTES[curlShows],
    leavesText(finding),
  ];
  return notes.filter((note) => note !== '').join(' ');
}

/** The other findings of a group: the same defect elsewhere, and symptoms of the same cause. */
export function groupFacts({ lead, same, related }: ResolvedGroup): readonly Fact[] {
  const byOperation = groupBy(same, ({ operation }) => operation);
  const elsewhere = [...byOperation].map(
    ([operation, findings]) =>
      `${visibleLine(operation)} (${findings.map(({ fingerprint }) => fingerprint).join(', ')})`,
  );
  const more = byOperation.size - (byOperation.has(lead.operation) ? 1 : 0);
  const many = more === 0 ? '' : `${count(more, 'more operation')}: `;
  const symptoms = related.map(({ message, fingerprint }) => `${visibleLine(clip(message, MESSAGE))} (${fingerprint})`);
  const facts: readonly Fact[] = [
    ['same on', elsewhere.length === 0 ? '' : `${many}${firstOf(elsewhere).join(', ')}`],
    ['related', symptoms.length === 0 ? '' : `probably the same cause:\n${firstOf(symptoms).join(';\n')}`],
  ];
  return facts.filter(([, text]) => text !== '');
}

function firstOf(texts: readonly string[]): readonly string[] {
  const further = texts.length - OTHERS;
  return further > 0 ? [...texts.slice(0, OTHERS), `and ${further} more in the reports`] : texts;
}

/** A finding as plain text of several lines; not yet safe for a terminal. */
export function findingText(finding: MergedFinding): string {
  const head = `${findingWord(finding)}: ${clip(finding.message, FACT)}`;
  const [curl] = commandsOf(finding);
  const facts = findingFacts(finding).filter(([label, text]) => label !== 'curl' || text === curl);
  return [head, ...facts.map(([label, text]) => `  ${label.padEnd(9)} ${clip(text, FACT)}`)].join('\n');
}

/** Where in the body, and in the description unless the source contains it. */
function pointers({ instancePointer, schemaPointer, source }: MergedFinding): string {
  const isInSource = schemaPointer === undefined || source.endsWith(`#${schemaPointer}`);
  const places = [
    instancePointer === undefined ? '' : `body ${instancePointer === '' ? '(whole)' : instancePointer}`,
    isInSource ? '' : `description ${schemaPointer}`,
  ];
  return places.filter((place) => place !== '').join(' · ');
}

function baselineText({ standing, baselineReason, expires }: MergedFinding): string {
  if (standing === 'new') return '';
  return `${standing}: ${baselineReason ?? ''}${expires === undefined ? '' : `, until ${expires}`}`;
}

/** The exchanges that lead to a finding, one line each; empty for a single request. */
function stepsText(steps: readonly ShownExchange[]): string {
  if (steps.length < 2) return '';
  const lines = steps.slice(0, STEPS).map((step, index) => `${index + 1} ${stepText(step)}`);
  return [...lines, ...(steps.length > STEPS ? [`… and ${steps.length - STEPS} more in the reports`] : [])].join('\n');
}

/** Ids of the last exchanges, to find them in logs and traces of the deployment. */
function traceText(steps: readonly ShownExchange[]): string {
  const shown = steps.map(({ trace = {} }, index) => {
    const ids = Object.entries(trace).map(([name, id]) => (name === 'trace' ? id : `${name} ${id}`));
    return ids.length === 0 ? '' : `${steps.length > 1 ? `${index + 1} ` : ''}${ids.join(' · ')}`;
  });
  return visibleLine(
    shown
      .filter((text) => text !== '')
      .slice(-TRACED)
      .join(', '),
  );
}

function stepText({ label, identity, request, response, failure }: ShownExchange): string {
  const title = label === undefined ? '' : `${clip(label, BODY)}: `;
  const path = request.url.replace(/^[a-z]+:\/\/[^/]*/i, '');
  const as = identity === 'full' ? '' : ` ${credentialsText(identity)}`;
  const outcome =
    response === undefined ? (failure?.message ?? 'no response') : `${response.status}${shortBody(response.body)}`;
  return visibleLine(`${title}${request.method} ${path}${shortBody(request.body)}${as} → ${outcome}`);
}

const CREDENTIALS: Readonly<Record<string, string>> = {
  none: 'without credentials',
  invalid: 'with invalid credentials',
  limited: 'with the limited token',
  expired: 'with the expired token',
  otherTenant: 'with the token of another tenant',
};

/** What a request was sent with, if not with the token that has every permission. */
export function credentialsText(identity: string): string {
  return CREDENTIALS[identity] ?? `with the token for ${identity}`;
}

function shortBody(text: string | undefined): string {
  return text === undefined || text === '' ? '' : ` ${clip(text, BODY)}`;
}
