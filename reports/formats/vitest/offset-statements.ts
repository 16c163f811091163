import type { FindingEvidence } from './evidence.ts';
import type { Statement } from './statements.ts';

/** Offsets from which a list is read: the middle one, and the last ones, some of which may be rounded. */
const MOST_OFFSETS = 40;

/** Reads the list from several of its offsets, each of which `expectation` judges. */
function fromEach({ last, scenario, steps: [all] }: FindingEvidence, expectation: string): ReturnType<Statement> {
  const call = scenario.call(last).replace(/\boffset=[^&`]+/, 'offset=${from}');
  if (all === undefined || !call.includes('${from}`')) return undefined;
  return [
    `const offsets = offsetsIn(${all.answer}.text);`,
    `for (const from of [...offsets.slice(offsets.length / 2).slice(0, 1), ...offsets.slice(-${MOST_OFFSETS})]) {`,
    `  const shown = offsetsIn((await ${call}).text);`,
    `  ${expectation}`,
    '}',
  ];
}

/** A list from an offset shows nothing before it. */
export const noneBefore: Statement = (evidence) =>
  fromEach(evidence, 'expect(shown.filter((each) => BigInt(each) < BigInt(from))).toEqual([]);');

/** A list from an offset shows all that the whole list has from there. */
export const allFromOffset: Statement = (evidence) =>
  fromEach(
    evidence,
    'expect(shown).toEqual(expect.arrayContaining(offsets.filter((each) => BigInt(each) >= BigInt(from))));',
  );

/** From an offset that is larger than those of the whole list, nothing is shown. */
export const noneAfter: Statement = ({ answer, last, steps: [all] }) => {
  const offset = /\boffset=(\d+)/.exec(last.request.url)?.[1];
  if (all === undefined || offset === undefined) return undefined;
  return [
    `const offsets = offsetsIn(${all.answer}.text);`,
    `if (offsets.every((each) => BigInt(each) < ${offset}n)) expect(items(${answer}.json)).toEqual([]);`,
  ];
};
