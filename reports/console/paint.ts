import pc from 'picocolors';
import type { FormVerdict, RunVerdict } from '../summary/types.ts';

export type Colour = (text: string) => string;

export interface Paint {
  readonly red: Colour;
  readonly green: Colour;
  readonly yellow: Colour;
  readonly cyan: Colour;
  readonly dim: Colour;
  readonly bold: Colour;
  readonly mark: (verdict: FormVerdict) => string;
  readonly badge: (verdict: RunVerdict, word: string) => string;
}

/** Whether to use colours: `FORCE_COLOR` takes precedence over `NO_COLOR`, and both over the kind of stream. */
export function wantsColour(isTTY: boolean, environment: Readonly<Record<string, string | undefined>>): boolean {
  const force = environment['FORCE_COLOR'];
  if (force !== undefined && force !== '') return force !== '0' && force !== 'false';
  if ((environment['NO_COLOR'] ?? '') !== '') return false;
  return isTTY && environment['TERM'] !== 'dumb';
}

export function createPaint(colour: boolean): Paint {
  const { red, green, yellow, cyan, dim, bold, inverse } = pc.createColors(colour);
  const marks: Readonly<Record<FormVerdict, string>> = { passed: green('✓'), failed: red('✗'), untested: dim('·') };
  const tones: Readonly<Record<RunVerdict, Colour>> = {
    passed: green,
    failed: red,
    inconclusive: yellow,
    error: red,
    interrupted: yellow,
  };
  return {
    red,
    green,
    yellow,
    cyan,
    dim,
    bold,
    mark: (verdict) => marks[verdict],
    badge: (verdict, word) => tones[verdict](bold(colour ? inverse(` ${word} `) : word)),
  };
}

/** Colours for standard output. */
export const outputPaint = createPaint(wantsColour(process.stdout.isTTY, process.env));
