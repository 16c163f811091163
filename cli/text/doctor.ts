import { count, outputPaint as paint, wholeSeconds } from '../../reports/index.ts';
import { labelOf } from '../../client/index.ts';
import type { Checkup } from '../target/checkup.ts';

const good = (text: string): string => `${paint.green('✓')} ${text}`;
const bad = (text: string): string => `${paint.red('✗')} ${text}`;
const open = (text: string): string => `${paint.yellow('!')} ${text}`;

/** Tokens that are not given are listed with what is missing. */
function identityLines({ diagnosis }: Checkup): readonly string[] {
  const given = (diagnosis?.identities ?? []).filter((identity) => identity.given);
  return given.flatMap(({ identity, name, works, problem }) => {
    const { option, variable } = labelOf(identity);
    if (problem !== undefined)
      return [bad(`${name}: ${problem}`), `  hint: set another one with ${option} / ${variable}`];
    const outcome = identity === 'expired' ? 'refused, as expected' : 'works';
    return works === true ? good(`${name}: ${outcome}`) : open(`${name}: cannot be verified with any operation`);
  });
}

function planLines({ plan, seconds }: Checkup): readonly string[] {
  if (plan === undefined) return [];
  const time = seconds === undefined ? '' : `, about ${wholeSeconds(seconds)} if few fail`;
  const size = `${count(plan.tests, 'test')} of ${count(plan.operations, 'operation')}, about ${count(plan.requests, 'request')}${time}`;
  return [plan.tests > 0 ? good(`a run would include ${size}`) : bad('a run would include no tests')];
}

export function checkupLines(checkup: Checkup): readonly string[] {
  const { baseUrl, spec, problem, diagnosis, effects, missing } = checkup;
  const latency = diagnosis?.latencyMs === undefined ? '' : `, median response ${diagnosis.latencyMs.toFixed(1)} ms`;
  if (problem !== undefined) return [bad(problem.message), `  hint: ${problem.hint}`];
  const without = effects.notAllowed.length === 0 ? '' : `; not ${effects.notAllowed.join(', ')}`;
  return [
    good(`${baseUrl} is reachable${latency}`),
    good(`the service matches the description: ${spec.title}, ${count(spec.operations, 'operation')}`),
    ...identityLines(checkup),
    good(`effects allowed: ${effects.allowed.join(', ')}${without}`),
    ...planLines(checkup),
    // A hint that several in a row have in common stands below the last one.
    ...missing.flatMap(({ message, hint }, index) => [
      open(message),
      ...(hint === missing[index + 1]?.hint ? [] : [`  hint: ${hint}`]),
    ]),
  ];
}
