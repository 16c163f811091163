import type { Json, Parameter } from '../../spec/index.ts';
import type { RequestPlan } from '../plan.ts';

const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

function wellFormed(text: string): string {
  return text.replace(LONE_SURROGATE, '\uFFFD');
}

function encode(value: string): string {
  return encodeURIComponent(wellFormed(value));
}

function plain(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function renderPath(plan: RequestPlan): string {
  return plan.form.path.replace(/\{([^}]*)\}/g, (hole, name: string) => {
    const value = plan.path?.[name];
    return value === undefined ? encode(hole) : encode(value);
  });
}

function renderOne(name: string, value: Json, parameter: Parameter | undefined): string[] {
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => `${encode(name)}=${encode(plain(item))}`);
  if (parameter?.style === 'deepObject' && typeof value === 'object' && value !== null) {
    return Object.entries(value).map(([key, item]) => `${encode(name)}[${encode(key)}]=${encode(plain(item))}`);
  }
  return [`${encode(name)}=${encode(plain(value))}`];
}

function renderQuery(plan: RequestPlan): string {
  const parts = Object.entries(plan.query ?? {}).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const parameter = plan.operation.parameters.find((each) => each.in === 'query' && each.name === name);
    return renderOne(name, value, parameter);
  });
  if (plan.rawQuery !== undefined && plan.rawQuery !== '') parts.push(plan.rawQuery.replace(/^[?&]/, ''));
  return parts.join('&');
}

/** Path and query of a plan, after the base URL, ready for the wire. */
export function renderUrl(plan: RequestPlan): string {
  const query = renderQuery(plan);
  const url = query === '' ? renderPath(plan) : `${renderPath(plan)}?${query}`;
  return wellFormed(url).replace(/[^\x21-\x7e]/gu, (char) => encodeURIComponent(char));
}
