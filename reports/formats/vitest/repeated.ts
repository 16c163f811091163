import type { ScriptRequest } from '../../../spec/index.ts';
import type { FindingEvidence } from './evidence.ts';
import type { ScriptCode } from './scenario.ts';

/** Rounds of a violation that shows only sometimes. */
const ROUNDS = 40;

/** A violation may show only while other requests are under way, as they were in the run: so many copies at once. */
const COPIES = 16;
const MOST_COPIES = 60;
const INDENT = '  ';

/** Lines that send the last change with what another item was sent in the run at the same time, and expect nothing. */
function neighbourOf({ scenario, script }: FindingEvidence): readonly string[] {
  const at = scenario.sent.findLastIndex(({ request: { method } }) => method !== 'GET');
  const change = scenario.sent[at];
  if (script.beside === undefined || change === undefined) return [];
  const other = { ...change, request: { ...change.request, body: script.beside } };
  return [...scenario.lines(0, at), `await ${scenario.call(other)};`];
}

/** True where the requests change items of their own only, so that several copies do not disturb each other, nor where they read lists. */
export function changesOwn(scenario: ScriptCode, readsLists: boolean): boolean {
  const isOwn = ({ creates, url, method }: ScriptRequest): boolean =>
    creates === true || (readsLists && method === 'GET') || scenario.literal(url).includes('${');
  const isChange = ({ step, method, times }: ScriptRequest): boolean =>
    step !== undefined && method !== 'GET' && times === undefined;
  const isMaking = (request: ScriptRequest): boolean => isChange(request) || request.creates === true;
  return scenario.sent.some(({ request }) => isMaking(request)) && scenario.sent.every(({ request }) => isOwn(request));
}

const NEW_TAG = 'const tag = crypto.randomUUID().slice(0, 8);';

/** The lines in a block, with names of its own. */
function block(lines: readonly string[]): readonly string[] {
  const own = lines.some((line) => line.includes('${tag}')) ? [NEW_TAG, ...lines] : lines;
  return own.map((line) => INDENT + line);
}

/** Removes what a round has created: lists must not become longer than their pages. */
function removal(lines: readonly string[]): readonly string[] {
  return lines.some((line) => /\bcreate(?:Listed)?\(/.test(line)) ? [`${INDENT}await remove();`] : [];
}

/** As many rounds as the timeout allows, each of which may contain a pause. */
export function inRounds(lines: readonly string[], pauseSeconds = 0): readonly string[] {
  const rounds = Math.ceil(ROUNDS / (1 + pauseSeconds));
  return [`for (let round = 0; round < ${rounds}; round += 1) {`, ...block(lines), ...removal(lines), '}'];
}

/** A list may lack an item only while it has as many others as in the run; each copy may make several. */
function copiesFor({ listedWithout, scenario }: FindingEvidence): number {
  const made = Math.max(
    1,
    ...scenario.sent.map(({ request: { creates, times = 1 } }) => (creates === true ? times : 1)),
  );
  return Math.min(MOST_COPIES, Math.ceil(Math.max(COPIES, listedWithout + 1) / made));
}

/** Repeats the lines, then many times at once, with what was under way at the same time in the run. */
export function atOnce(lines: readonly string[], evidence: FindingEvidence, isSometimes: boolean): readonly string[] {
  const neighbour = evidence.finding.recurred === true ? [] : neighbourOf(evidence);
  const hasNeighbour = neighbour.length > 0;
  const copies = copiesFor(evidence);
  const rounds = isSometimes || hasNeighbour ? Math.ceil(ROUNDS / copies) : 1;
  const [count, call] = hasNeighbour
    ? [2 * copies, '(_, n) => ((n + round) % 2 === 0 ? steps() : neighbour())']
    : [copies, 'steps'];
  const together = `await Promise.all(Array.from({ length: ${count} }, ${call}));`;
  const others =
    copies > COPIES
      ? 'The list of the run had as many items.'
      : 'The run had other requests under way at the same time.';
  return [
    'const steps = async (): Promise<void> => {',
    ...block(lines),
    '};',
    ...(hasNeighbour ? ['const neighbour = async (): Promise<void> => {', ...block(neighbour), '};'] : []),
    'await steps();',
    `// ${others}`,
    ...(rounds > 1
      ? [`for (let round = 0; round < ${rounds}; round += 1) {`, INDENT + together, ...removal(lines), '}']
      : [together]),
  ];
}
