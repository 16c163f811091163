import type { Contract, Operation } from '../../spec/index.ts';

export interface Route {
  readonly operation: Operation;
  /** Values of the path, decoded. */
  readonly values: readonly string[];
}

interface Pattern {
  readonly operation: Operation;
  readonly pattern: RegExp;
  /** Segments that hold a variable, those that are nothing else counting more; fewer first. */
  readonly variables: number;
}

/** Finds the operation of a request: literal segments before variables, without regard to case, as the framework does. */
export function routesOf(
  contract: Contract,
): (method: string, url: string) => Route | { readonly allow: string } | undefined {
  const byLength = new Map<number, Pattern[]>();
  for (const operation of contract.operations) {
    for (const { path } of operation.forms) {
      const length = segments(path);
      const list = byLength.get(length) ?? [];
      list.push({
        operation,
        pattern: patternOf(path),
        variables: (path.match(/\/\{[^{}/]+\}(?=\/|$)/g) ?? []).length * 10 + path.split('{').length,
      });
      byLength.set(length, list);
    }
  }
  for (const list of byLength.values()) list.sort((a, b) => a.variables - b.variables);
  return (method, url) => {
    const path = url.split('?', 1)[0] ?? '/';
    const hits = (byLength.get(segments(path)) ?? []).filter((each) => each.pattern.test(path));
    const hit = hits.find((each) => each.operation.method === method);
    if (hit !== undefined)
      return { operation: hit.operation, values: (hit.pattern.exec(path) ?? []).slice(1).map(decode) };
    return hits.length === 0
      ? undefined
      : { allow: [...new Set(hits.map((each) => each.operation.method))].join(', ') };
  };
}

const segments = (path: string): number => path.replace(/\/$/, '').split('/').length;

function patternOf(path: string): RegExp {
  const parts = path
    .replace(/\/$/, '')
    .split(/\{[^{}]+\}/)
    .map((part) => encodeURI(part).replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('([^/]+)')}/?$`, 'i');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
