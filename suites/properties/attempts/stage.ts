import { isJson } from '../../../generators/index.ts';
import { scalarText, writeBody } from '../../../spec/index.ts';
import type { Exchange, Json, Operation } from '../../../spec/index.ts';
import { uniqueName } from '../../../domain/create.ts';
import type { Resource } from '../../../domain/resources.ts';
import type { PathValues } from '../../../domain/path-values.ts';
import type { RequestSpec, TestContext } from '../../kit/context.ts';
import { DRESSES, STRANGE_MEMBERS, withMember } from '../cases/dresses.ts';
import type { Case } from '../hunt/case.ts';
import type { Flaw } from '../hunt/flaw.ts';

/** Stands in cases for a name with the run's tag. */
export const NAME = 'assay-name';

/** Stands in the paths of cases, with the number of the parameter after it, for an id that only the run knows. */
export const PATH_ID = '00000000-0000-4000-8000-00000000a55';

/** What the run knows and a case does not. */
export interface Stage {
  /** Values of the path that are the run's own. */
  readonly path: PathValues;
  /** Cookies without which the call is not whole. */
  readonly cookies?: Readonly<Record<string, Json>>;
  /** What goes for a placeholder in the body. */
  readonly ids?: Readonly<Record<string, string>>;
  /** How the item was made that the path names. */
  readonly made?: Exchange;
}

/** The id of the item that the path names. */
export function itemOf({ path }: Stage, { idName }: Pick<Resource, 'idName'>): string | undefined {
  return path[idName] === undefined ? undefined : scalarText(path[idName]);
}

/** What became of a case. */
export interface Outcome {
  /** The request itself, before what was read afterwards. */
  readonly exchange: Exchange;
  readonly flaws: readonly Flaw[];
}

/** A case as a request of this run. */
export function askOf(t: TestContext, operation: Operation, value: Case, stage: Stage): RequestSpec {
  const { request } = value;
  const body = bodyOf(t, value, stage);
  const form = operation.forms[value.form % Math.max(1, operation.forms.length)];
  return {
    path: { ...request.path, ...stage.path },
    query: request.query,
    ...(form === undefined ? {} : { form }),
    ...(Object.keys(request.headers).length === 0 ? {} : { headers: request.headers }),
    ...(request.cookies === undefined && stage.cookies === undefined
      ? {}
      : { cookies: { ...stage.cookies, ...request.cookies } }),
    ...(body === undefined ? {} : { body }),
  };
}

function bodyOf(t: TestContext, value: Case, stage: Stage): NonNullable<RequestSpec['body']> | undefined {
  const {
    rawBody,
    request: { body },
  } = value;
  if (rawBody !== undefined) return dressed(value, filled(t, rawBody, stage));
  if (body === undefined) return undefined;
  const content = filled(t, JSON.stringify(body.value), stage);
  return isJson(body.type) ? dressed(value, content) : writeBody(body.type, JSON.parse(content) as Json);
}

/** The body as the case's variant writes it. */
function dressed({ request, variant = '' }: Case, content: string): NonNullable<RequestSpec['body']> {
  const type = request.body?.type ?? 'application/json';
  const dress = Object.hasOwn(DRESSES, variant) ? DRESSES[variant] : undefined;
  const strange = Object.hasOwn(STRANGE_MEMBERS, variant) ? STRANGE_MEMBERS[variant] : undefined;
  if (dress !== undefined) return { type: dress.type ?? type, content: dress.write(JSON.parse(content) as Json) };
  return { type, content: strange === undefined ? content : withMember(content, strange) };
}

function filled(t: TestContext, content: string, { ids = {} }: Stage): string {
  let text = content;
  for (const [placeholder, id] of Object.entries(ids))
    text = text.replaceAll(placeholder, id).replaceAll(placeholder.toUpperCase(), id.toUpperCase());
  return text.includes(NAME) ? text.replaceAll(NAME, uniqueName(t, 'p')) : text;
}

/** Sends a case; nothing is judged. */
export function sendCase(t: TestContext, operation: Operation, value: Case, stage: Stage): Promise<Exchange> {
  return t.sendQuietly(operation, {
    ...askOf(t, operation, value, stage),
    label: value.label ?? 'a generated request',
  });
}
