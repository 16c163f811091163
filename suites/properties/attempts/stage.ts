import type { Exchange, Operation } from '../../../spec/index.ts';
import { uniqueName } from '../../session/create.ts';
import type { PathValues } from '../../session/subject.ts';
import type { Ask, Trial } from '../../session/trial.ts';
import type { Case } from '../hunt/case.ts';

/** Stands in cases for a name with the run's tag. */
export const NAME = 'assay-name';

/** Stands in the paths of cases for an id that only the run knows. */
export const PATH_ID = '00000000-0000-4000-8000-00000000a55a';

/** Stands in bodies for the id of an agent. */
export const AGENT_ID = '00000000-0000-4000-8000-0000000a6e27';

/** What the run knows and a case does not. */
export interface Stage {
  /** Values of the path that are the run's own. */
  readonly path: PathValues;
  /** What goes for a placeholder in the body. */
  readonly ids?: Readonly<Record<string, string>>;
}

/** A case as a request of this run. */
export function askOf(trial: Trial, operation: Operation, value: Case, stage: Stage): Ask {
  const { request } = value;
  const content = value.rawBody ?? (request.body === undefined ? undefined : JSON.stringify(request.body.value));
  const form = operation.forms[value.form % Math.max(1, operation.forms.length)];
  return {
    path: { ...request.path, ...stage.path },
    query: request.query,
    ...(form === undefined ? {} : { form }),
    ...(Object.keys(request.headers).length === 0 ? {} : { headers: request.headers }),
    ...(content === undefined ? {} : { body: { type: request.body?.type ?? 'application/json', content: filled(trial, content, stage) } }),
  };
}

function filled(trial: Trial, content: string, { ids = {} }: Stage): string {
  let text = content;
  for (const [placeholder, id] of Object.entries(ids)) text = text.replaceAll(placeholder, id);
  return text.includes(NAME) ? text.replaceAll(NAME, uniqueName(trial, 'p')) : text;
}

/** Sends a case; nothing is judged. */
export function sendCase(trial: Trial, operation: Operation, value: Case, stage: Stage): Promise<Exchange> {
  return trial.sendQuietly(operation, { ...askOf(trial, operation, value, stage), label: value.label ?? 'a generated request' });
}
