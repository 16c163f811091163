import { escapeRegExp } from '../../../spec/escape.ts';
import type { FindingEvidence } from './evidence.ts';
import { quoted } from './literal.ts';
import { paging } from './page-statements.ts';
import { queryOf } from './pages.ts';
import type { Answered } from './scenario.ts';
import type { Statement } from './statements.ts';

/** Member of a list that counts all its items, by what the lists of the run show: more than there were on the pages that had room for them. */
function countIn({ finding }: FindingEvidence, pages: readonly Answered[], size: number): string | undefined {
  const shown = pages.reduce((sum, { request }) => sum + (request.received?.length ?? 0), 0);
  const counts = pages.map(({ request: { step } }) => {
    const [head = ''] = finding.steps[step ?? -1]?.response?.body.split('[') ?? [];
    return [...head.matchAll(/"(\w+)"\s*:\s*(\d+)/g)].map(([, name = '', value]) => [name, Number(value)] as const);
  });
  const isCount = ([name, value]: readonly [string, number]): boolean =>
    !/page/i.test(name) &&
    value > shown &&
    value !== size &&
    value <= size * pages.length &&
    counts.every((each) => each.some((other) => other[0] === name && other[1] === value));
  return counts[0]?.find(isCount)?.[0];
}

/** A list that counts its items counts as many as it shows, where it was to show all. */
export const countsOwnItems: Statement = ({ answer, member, shown, steps }) => {
  const head = shown?.response?.body.split('[', 1)[0] ?? '';
  const value = new RegExp(`"${escapeRegExp(member ?? '')}"\\s*:\\s*(\\d+)`).exec(head)?.[1];
  if (steps.length > 1 || member === undefined || value === undefined) return undefined;
  return [`expect(${answer}.json[${quoted(member)}]).toBe(items(${answer}.json).length);`];
};

/** Pages of one list have the same count, once it is complete. */
export const sameCount: Statement = ({ last, member, scenario, steps }) => {
  const before = steps.at(-2);
  const areLists = [before, last].every((each) => each?.request.received?.length !== undefined);
  if (before === undefined || !areLists || member === undefined || !/count|total/i.test(member)) return undefined;
  return [
    `const countIn = ({ json }: { json: any }): unknown => json?.[${quoted(member)}];`,
    `const bothPages = () => Promise.all([${scenario.call(before)}, ${scenario.call(last)}]);`,
    'const [one, other] = await until(bothPages, ([a, b]) => countIn(a) === countIn(b));',
    'expect(countIn(one)).toBeDefined();',
    'expect(countIn(other)).toBe(countIn(one));',
  ];
};

/** There are as many items as the list says, where it said in the run that there are more than it showed. */
export const countedItems: Statement = (evidence) => {
  const { scenario, steps } = evidence;
  const name = paging(evidence)?.size ?? '';
  const sizeOf = ({ request }: Answered): number => Number(queryOf(request.url).get(name));
  for (const size of new Set(steps.map(sizeOf))) {
    const same = steps.filter((each) => sizeOf(each) === size);
    const pages = [...new Map(same.map((each) => [each.request.url, each])).values()];
    const count = countIn(evidence, pages, size);
    if (count === undefined) continue;
    const reads = pages.map((each) => scenario.call(each)).join(', ');
    return [
      '// The list may still grow.',
      `const readPages = () => Promise.all([${reads}]);`,
      'const listedOn = (pages: { json: any }[]): string[] => pages.flatMap(({ json }) => idsOf(json));',
      `const countedOn = (pages: { json: any }[]): number => Math.min(pages[0]?.json?.[${quoted(count)}], ${size * pages.length});`,
      'const pages = await until(readPages, (all) => listedOn(all).length === countedOn(all));',
      'expect(listedOn(pages)).toHaveLength(countedOn(pages));',
    ];
  }
  return undefined;
};

/** Each entry of a list has a place of its own, where several had the same one. */
export const placesDiffer: Statement = ({ answer, finding, readsList }) =>
  finding.subject === 'order' && readsList
    ? [
        `const places = items(${answer}.json).map(({ order }) => order);`,
        'expect(new Set(places).size).toBe(places.length);',
      ]
    : undefined;
