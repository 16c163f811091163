import type { JournalEntry } from '../../client/index.ts';
import { AssayError, EXIT, isObject } from '../../spec/index.ts';
import type { Form, Json, Operation } from '../../spec/index.ts';
import type { ScenarioContext } from './scenario.ts';

const AT_ONCE = 8;

/** Runs tasks a few at a time, in order of their items; stops taking new ones when the signal fires. */
export async function inTurn<Item>(
  items: readonly Item[],
  task: (item: Item) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const rest = items.values();
  const lane = async (): Promise<void> => {
    for (const item of rest) {
      if (signal?.aborted) return;
      await task(item);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

/** What to make, and how to remove it again. */
export interface Making {
  readonly create: string;
  readonly remove: string;
  readonly list: string;
  readonly name: string;
  readonly body: Json;
}

/** Makes one thing, written down in the journal before. The answer is its id, or an object that has one. */
export async function makeOne(context: ScenarioContext, making: Making): Promise<JournalEntry> {
  const { create, remove, list, name, body } = making;
  const operation = context.operation(create);
  const form = formOf(operation);
  const entry = await context.journal.intend({ create, remove, idName: 'id', tag: name, list, form: form.name });
  const { response } = await context.expectSuccess({
    operation,
    form,
    body: { type: 'application/json', content: JSON.stringify(body) },
  });
  const id = idFrom(create, response?.json);
  await context.journal.acknowledge(entry, id);
  return { ...entry, id };
}

/** Removes what was made, as far as the target lets it; the journal keeps what stays. */
export async function removeMade(context: ScenarioContext, entry: JournalEntry): Promise<void> {
  const operation = context.operation(entry.remove);
  if (entry.id === undefined) return;
  const { response } = await context.send({ operation, form: formOf(operation), path: { id: entry.id } });
  if (response && (response.status < 300 || response.status === 404)) await context.journal.removed(entry);
}

/** The preferred form: `/api/v1` where there is one. */
export function formOf(operation: Operation): Form {
  const form = operation.forms.find(({ name }) => name === '/api/v1') ?? operation.forms[0];
  if (!form) throw new Error(`${operation.id} has no form`);
  return form;
}

function idFrom(create: string, json: Json | undefined): string {
  const id = isObject(json) ? json['id'] : json;
  if (typeof id === 'string') return id;
  throw new AssayError(`${create} was answered without an id.`, {
    hint: 'Run "assay verify" first: it shows what the deployment answers.',
    exitCode: EXIT.failed,
  });
}
