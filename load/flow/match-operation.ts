import type { Effect } from '../../spec/index.ts';
import type { FlowSecrets, KnownOperation } from './job.ts';

/** The operation to which a request belongs. */
export interface Matched {
  readonly operation: string;
  readonly form: string;
  readonly effect: Effect;
  /** True if the description has no such operation, so that the effect is a guess. */
  readonly isUnknown?: true;
  readonly secrets?: FlowSecrets | undefined;
}

interface Candidate extends Matched {
  readonly segments: readonly string[];
  readonly parameters: number;
}

const PARAMETER = /\{[^}]*\}/;
/** Segments of unknown paths that are ids: requests with different ids share a line in the results. */
const ID = /^(?:\d+|[0-9a-f]{8}-[0-9a-f-]{27}|(?=.*\d)[\w-]{16,})$/i;

function keyOf(method: string, segments: readonly string[]): string {
  return `${method} ${segments.length}`;
}

function fits(candidate: Candidate, segments: readonly string[]): boolean {
  return candidate.segments.every((segment, at) => segment === segments[at] || PARAMETER.test(segment));
}

function unknown(method: string, segments: readonly string[]): Matched {
  const path = segments.map((segment) => (ID.test(segment) ? '{id}' : segment)).join('/');
  return {
    operation: `${method} ${path}`,
    form: '',
    effect: method === 'GET' ? 'read' : 'irreversible',
    isUnknown: true,
  };
}

/** Finds the operation of a method and a path. Of several, the one with the fewest parameters is used. */
export function matcher(operations: readonly KnownOperation[]): (method: string, path: string) => Matched {
  const candidates = new Map<string, Candidate[]>();
  for (const { id, method, effect, forms, secrets } of operations)
    for (const form of forms) {
      const segments = form.path.split('/');
      const parameters = segments.filter((segment) => PARAMETER.test(segment)).length;
      const key = keyOf(method, segments);
      const list = [
        ...(candidates.get(key) ?? []),
        { operation: id, form: form.name, effect, secrets, segments, parameters },
      ];
      candidates.set(
        key,
        list.toSorted((a, b) => a.parameters - b.parameters),
      );
    }
  return (method, path) => {
    const end = path.search(/[?#]/);
    const segments = (end < 0 ? path : path.slice(0, end)).split('/');
    return candidates.get(keyOf(method, segments))?.find((one) => fits(one, segments)) ?? unknown(method, segments);
  };
}
