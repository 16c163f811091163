import type { ShownExchange } from '../../spec/index.ts';
import { clip, visibleLine } from './visible.ts';

const MOST = 8;
const BODY = 100;

/** The way to a finding, a line a request: what it is for, who sent what, and what came; empty where one request says all. */
export function stepsText(steps: readonly ShownExchange[]): string {
  if (steps.length < 2) return '';
  const told = steps.slice(0, MOST).map((step, index) => `${index + 1} ${stepText(step)}`);
  return [...told, ...(steps.length > MOST ? [`… and ${steps.length - MOST} more in the reports`] : [])].join('\n');
}

function stepText({ label, identity, request, response, failure }: ShownExchange): string {
  const answer =
    response === undefined ? (failure?.message ?? 'no answer') : `${response.status}${body(response.body)}`;
  return visibleLine(
    `${label === undefined ? '' : `${clip(label, BODY)}: `}${request.method} ${pathOf(request.url)}${body(request.body)}${identity === 'full' ? '' : ` as ${identity}`} → ${answer}`,
  );
}

function body(text: string | undefined): string {
  return text === undefined || text === '' ? '' : ` ${clip(text, BODY)}`;
}

function pathOf(url: string): string {
  return url.replace(/^[a-z]+:\/\/[^/]*/i, '');
}
