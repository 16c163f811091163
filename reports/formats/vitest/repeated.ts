import type { ScriptRequest } from '../../../spec/index.ts';
import type { FindingEvidence } from './evidence.ts';
import { isSearch } from './scenario.ts';
import type { ScriptCode } from './scenario.ts';

/** Rounds of a violation that shows only sometimes. */
const ROUNDS = 40;

/** Number of copies at once: a violation may show only while other requests are in flight, as in the run. */
const COPIES = 16;
const MOST_COPIES = 60;
/** Rounds while other requests are sent; one copy at a time, so that it overlaps with these requests only. */
const FEW_ROUNDS = 8;
/** Rounds, one after another, for a violation that may show in every second or third call only. */
const IN_TURN = 3;
/** Rounds where a list lacks an item: it may only while its length is a multiple of ten. */
const IN_TURN_OF_LISTS = 11;
const INDENT = '  ';

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

/** The lines alone, some of which may show it at times only, and then in rounds while what was under way in the run is repeated. */
export function amongOthers(lines: readonly string[], evidence: FindingEvidence): readonly string[] {
  const rounds = Math.ceil(FEW_ROUNDS / (1 + (evidence.finding.pauseSeconds ?? 0)));
  return [
    ...asSteps(lines),
    `for (let round = 0; round < ${rounds}; round += 1) {`,
    `${INDENT}await steps();`,
    ...removal(lines),
    '}',
    ...whileOthers(lines, evidence),
  ];
}

const asSteps = (lines: readonly string[]): readonly string[] => [
  'const steps = async (): Promise<void> => {',
  ...block(lines),
  '};',
];

const changesIn = (lines: readonly string[]): readonly string[] =>
  Array.from(lines.join('\n').matchAll(/\bsend\('(?!GET)([A-Z]+)', `/g), ([, method = '']) => method);

function whileOthers(lines: readonly string[], { scenario, finding }: FindingEvidence): readonly string[] {
  if (scenario.alongside.length === 0) return [];
  const { pauseSeconds = 0 } = finding;
  const meets = changesIn(scenario.alongside).some((method) => changesIn(lines).includes(method));
  const rounds = Math.ceil(FEW_ROUNDS / (meets ? 2 : 1) / (1 + pauseSeconds));
  // Steps that pause take longer.
  const apart = pauseSeconds === 0 ? '' : `, ${100 * pauseSeconds}`;
  const removing = removal([...lines, ...scenario.alongside]);
  return [
    '// What the run sent to other items at the same time.',
    'const others = async (): Promise<void> => {',
    ...block(scenario.alongside),
    '};',
    'await othersBetween(others, steps);',
    ...(meets ? ['await meet(others, steps);', ...removing.map((line) => line.trim())] : []),
    `for (let round = 0; round < ${rounds}; round += 1) {`,
    `${INDENT}await during(others, steps${apart});`,
    ...removing,
    '}',
  ];
}

/** A list may lack an item only while it has as many others as in the run; each copy may make several. */
function copiesFor({ listedWithout, scenario }: FindingEvidence): number {
  const made = Math.max(
    1,
    ...scenario.sent.map(({ request: { creates, times = 1 } }) => (creates === true ? times : 1)),
  );
  return Math.min(MOST_COPIES, Math.ceil(Math.max(COPIES, listedWithout + 1) / made));
}

/** The lines, and then many times at once. */
export function atOnce(lines: readonly string[], evidence: FindingEvidence, isSometimes: boolean): readonly string[] {
  const copies = copiesFor(evidence);
  const together = `await atOnce(${copies}, steps);`;
  const [rounds, every] = evidence.listedWithout > 0 ? [IN_TURN_OF_LISTS, 'tenth'] : [IN_TURN, 'second or third'];
  const others =
    copies > COPIES
      ? 'The list of the run had as many items.'
      : 'The run had other requests under way at the same time.';
  return [
    ...asSteps(lines),
    `for (let round = 0; round < ${rounds}; round += 1) await steps(); // It may show in every ${every} call only.`,
    `// ${others}`,
    ...(isSometimes ? roundsOf(together, Math.ceil(ROUNDS / copies), lines, evidence) : [together]),
    ...whileOthers(lines, evidence),
  ];
}

/** Rounds of copies. A search may look at the first hundred items only: what is made for one stays until the last round. */
function roundsOf(
  together: string,
  rounds: number,
  lines: readonly string[],
  { last }: FindingEvidence,
): readonly string[] {
  const removing = removal(lines);
  return isSearch(last.request)
    ? [`for (let round = 0; round <= ${rounds}; round += 1) ${together}`, ...removing.map((line) => line.trim())]
    : [`for (let round = 0; round < ${rounds}; round += 1) {`, INDENT + together, ...removing, '}'];
}
