import type { FindingEvidence } from './evidence.ts';
import { quoted } from './literal.ts';
import { ofLastTwo, paging } from './page-statements.ts';
import { pageSizeIn, queryOf } from './pages.ts';
import type { Answered } from './scenario.ts';
import type { Statement } from './statements.ts';

const reversed = ofLastTwo((a, b) => `expect(${b}).toEqual(${a}.reverse());`);

/** The list is sorted by the member that a parameter names; of two lists, one is the other reversed. */
export const sorted: Statement = (evidence) => {
  const { last, shown, finding } = evidence;
  const query = queryOf(last.request.url);
  const key = [...query.values()].find((value) => shown?.response?.body.includes(`"${value}":`) === true);
  if (key !== undefined && finding.code !== 'ordering/sort-direction') {
    // One item is in any order.
    const pages = (last.request.received?.length ?? 0) < 2 ? evidence.scenario.allPages(last) : undefined;
    const lists = pages === undefined ? pagesBefore(evidence).map(({ answer }) => answer) : [`(await ${pages})`];
    const all =
      lists.length === 1 ? `items(${lists[0]}.json)` : `[${lists.map((list) => `...items(${list}.json)`).join(', ')}]`;
    const values = `${all}.map((item) => item[${quoted(key)}] ?? '')`;
    return [
      `const values = ${values}${[...query.values()].includes('false') ? '.reverse()' : ''};`,
      'expect(values).toSatisfy(isSorted);',
    ];
  }
  return sameStart(evidence) ?? reversed(evidence);
};

/** The pages of the list that is read last, up to that one. */
function pagesBefore(evidence: FindingEvidence): readonly Answered[] {
  const { last, steps } = evidence;
  const number = paging(evidence)?.number ?? '';
  const listOf = ({ request: { url } }: Answered): string => url.replace(new RegExp(`\\b${number}=\\d+`), '');
  const pages = steps.filter((each) => listOf(each) === listOf(last));
  return [...new Map(pages.map((each) => [each.request.url, each])).values()];
}

/** Of two first pages that differ only in their size, the larger one begins with the items of the smaller one. */
const sameStart: Statement = ({ scenario, script, steps }) => {
  const [large, small] = steps.slice(-2);
  const sizes = [large, small].map((each) => pageSizeIn(each?.request.url ?? '', script.defaults));
  if (large === undefined || small === undefined || sizes[0] === sizes[1]) return undefined;
  const [start, page] = [large, small].map((each) => `idsOf((await ${scenario.call(each)}).json)`);
  return [
    '// The list may still grow.',
    `const both = async () => [${start}.slice(0, ${sizes[1]}), ${page}];`,
    'const [start, page] = await until(both, (lists) => String(lists[0]) === String(lists[1]));',
    'expect(page).toEqual(start);',
  ];
};
