import type { RepeatedText } from '../../spec/index.ts';
import { shellQuote } from './shell.ts';
import type { ShellVariables } from './shell.ts';

/** A text of at most 8 characters, many times in a row. */
const REPEATED = /([^\n]{1,8}?)\1{127,}/gu;

/** A text as parts, of which long ones repeat a short text. */
export function partsOf(text: string): readonly RepeatedText[] {
  const parts: RepeatedText[] = [];
  let end = 0;
  for (const { 0: run, 1: unit = '', index } of text.matchAll(REPEATED)) {
    if (index > end) parts.push({ text: text.slice(end, index), times: 1 });
    parts.push({ text: unit, times: run.length / unit.length });
    end = index + run.length;
  }
  return end < text.length ? [...parts, { text: text.slice(end), times: 1 }] : parts;
}

/** Number of characters, those of a repeated text once. */
export const lengthOf = (parts: readonly RepeatedText[]): number =>
  parts.reduce((sum, { text }) => sum + text.length, 0);

/** Commands of a shell with `seq` that print a text which is long only because it repeats a short one; undefined if more than `most` characters are left. */
export function generatorOf(text: string, most: number, variables: ShellVariables): string | undefined {
  const parts = partsOf(text);
  if (lengthOf(parts) > most) return undefined;
  const commands = parts.map(({ text: each, times }) =>
    times === 1
      ? `printf %s ${shellQuote(each, variables)}`
      : `printf ${shellQuote(`%.0s${each.replaceAll('\\', '\\\\').replaceAll('%', '%%')}`)} $(seq ${times})`,
  );
  return `{ ${commands.join('; ')}; }`;
}
