import type { Contract, Operation } from '../../spec/index.ts';
import type { Target } from '../pipeline.ts';
import type { JournalEntry } from './entries.ts';
import { formOf } from './list-all.ts';

/** What became of an attempt to remove something. */
export type Removal =
  | { readonly gone: true }
  | { readonly gone: false; readonly reason: string; readonly lost: boolean };

async function removeThrough(
  target: Target,
  operation: Operation,
  formName: string | undefined,
  entry: JournalEntry,
  id: string,
): Promise<Removal> {
  const form = formOf(operation, formName);
  if (!form) return { gone: false, reason: `${operation.id} has no form`, lost: false };
  const { response, failure } = await target.send({ operation, form, path: { [entry.idName]: id } });
  if (!response) return { gone: false, reason: failure?.message ?? 'no answer came', lost: true };
  if (response.status >= 200 && response.status < 300) return { gone: true };
  return { gone: false, reason: `${operation.id} answered ${response.status}`, lost: false };
}

function saysNotThere(removal: Removal): boolean {
  return !removal.gone && / answered (404|410)$/.test(removal.reason);
}

/** Removes one item by its id. Not there (404, 410) through every form of the operation is as good as removed. */
export async function removeOne(target: Target, contract: Contract, entry: JournalEntry, id: string): Promise<Removal> {
  const operation = contract.operation(entry.remove);
  if (!operation) return { gone: false, reason: `the description has no ${entry.remove}`, lost: false };
  const preferred = formOf(operation, entry.form)?.name;
  const names = [preferred, ...operation.forms.map((form) => form.name).filter((name) => name !== preferred)];
  let removal: Removal = { gone: true };
  for (const name of names) {
    removal = await removeThrough(target, operation, name, entry, id);
    if (!saysNotThere(removal)) return removal;
  }
  return { gone: true };
}
