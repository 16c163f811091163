import { CHECKS, EXIT, FINDING_CODES } from '../../spec/index.ts';
import type { CheckName, FindingCode } from '../../spec/index.ts';
import { BY_HAND, BY_HAND_OF_CODE } from '../text/by-hand.ts';
import type { OptionOf } from '../catalogue.ts';
import type { Invocation } from '../invocation.ts';
import { didYouMean } from '../../spec/nearest.ts';
import { refuse } from '../problems.ts';
import { print, printJson } from '../text/print.ts';
import { rowLines } from '../text/rows.ts';

const accepting = (check: CheckName): string =>
  [
    'Record it with assay verify --baseline assay-baseline.json --update-baseline, add the reason to its entry, and run with',
    `--baseline assay-baseline.json from then on: it is reported as known. --skip ${check} skips the whole check.`,
  ].join(' ');

const FINGERPRINT = /^[0-9a-f]{8,16}$/i;

const isCheck = (name: string): name is CheckName => Object.hasOwn(FINDING_CODES, name);

interface Explained {
  readonly check: CheckName;
  /** All codes of the check, or the one that was asked for. */
  readonly codes: Readonly<Record<string, string>>;
}

function find(asked: string): Explained | undefined {
  const [check = '', name] = asked.split('/');
  if (!isCheck(check)) return undefined;
  const codes = Object.entries<string>(FINDING_CODES[check]).filter(([each]) => name === undefined || each === name);
  return codes.length === 0 ? undefined : { check, codes: Object.fromEntries(codes) };
}

/** Explains a finding code: what it means, how to see it by hand, and how to accept it. */
export async function explain({ settings, operands, problems }: Invocation<OptionOf<'explain'>>): Promise<number> {
  const [asked = ''] = operands;
  const found = find(asked);
  if (found === undefined) {
    const known = Object.entries(FINDING_CODES).flatMap(([check, codes]) => [
      check,
      ...Object.keys(codes).map((name) => `${check}/${name}`),
    ]);
    const hint = FINGERPRINT.test(asked)
      ? 'this is a fingerprint: give the code that the report shows before it'
      : didYouMean(asked, known) || 'see assay list codes';
    problems.push({ subject: asked, message: 'is neither a finding code nor a check', hint });
  }
  refuse(problems);
  if (found === undefined) return EXIT.usage;
  const { check, codes } = found;
  const facts = {
    check,
    rule: CHECKS[check].rule,
    byHand: BY_HAND_OF_CODE[asked as FindingCode] ?? BY_HAND[check],
    accept: accepting(check),
  };
  const rows = [
    ...Object.entries(codes).map(([name, about]) => ({ name: `${check}/${name}`, about })),
    { name: 'rule', about: facts.rule },
    { name: 'by hand', about: `${facts.byHand} The curl command of the finding contains the requests.` },
    { name: 'replay', about: 'assay replay FINGERPRINT, with the fingerprint of the finding' },
    { name: 'accept', about: facts.accept },
  ];
  if (settings.json) printJson({ codes, ...facts });
  else print(rowLines(rows));
  return EXIT.passed;
}
