import type { Violation } from '../../kit/context.ts';
import { encodeCase } from './case.ts';
import type { Case } from './case.ts';
import type { Flaw } from './flaw.ts';
import type { Hunt } from './hunt.ts';
import { namesOf, tell } from './places.ts';
import type { Place } from './places.ts';

const AFTER: Readonly<Record<NonNullable<Case['after']>, string>> = {
  full: 'after an update that filled every member',
  new: 'of a new item',
  empty: 'of one whose lists and maps are empty',
};

/** A flaw as the report tells it: what of the request matters is in the cause, and how it looks in the message. */
export function violationOf(spec: Hunt, flaw: Flaw, value: Case, places: readonly Place[]): Violation {
  const { kind, final: _final, pointers: _pointers, shownBy: _shownBy, message, ...rest } = flaw;
  const names =
    spec.naming !== undefined
      ? [spec.naming(value, kind)]
      : value.rawBody === undefined
        ? namesOf(places).filter((name) => !kind.endsWith(` ${name.slice(1)}`))
        : [];
  const suffix = [value.variant, ...names].filter((each) => each !== undefined && each !== '');
  return {
    ...rest,
    cause: suffix.length === 0 ? kind : `${kind} with ${suffix.join(' and ')}`,
    message: `${message}${about(spec, value, places)}`,
    path: encodeCase(spec.habits === undefined ? value : { ...value, habits: spec.habits }),
  };
}

function about(spec: Hunt, value: Case, places: readonly Place[]): string {
  const dress = `${value.variant === undefined ? '' : ` (${value.variant})`}${value.after === undefined ? '' : ` (${AFTER[value.after]})`}`;
  if (value.rawBody !== undefined || spec.arbitrary === undefined)
    return `${dress}${value.label === undefined ? '' : `: ${value.label}`}`;
  if (places.length > 0) return `${dress}: ${tell(value.request, places)}`;
  const body = JSON.stringify(value.request.body?.value);
  return body === undefined ? dress : `${dress}: the body is ${body.length > 80 ? `${body.slice(0, 70)}…` : body}`;
}

/** A flaw that the same request shows at one time and not at another; `times`: how often it was seen and never again, where it was so. */
export function rarely(
  { kind, message, final: _final, pointers: _pointers, shownBy: _shownBy, ...rest }: Flaw,
  times?: number,
): Violation {
  const how =
    times === undefined
      ? 'whatever the request, and the same request is well in between'
      : `${times === 1 ? 'once' : `${times} times`}, and not when the same request was repeated`;
  return { ...rest, cause: `${kind} now and then`, message: `${message}, now and then: ${how}` };
}
