import type { JournalEntry } from '../../client/index.ts';
import { inTurn, makeOne, removeMade } from './making.ts';
import type { ScenarioContext } from './scenario.ts';
import { sampleBody } from '../../domain/builtin/bodies/sample-body.ts';

export const CREATE = 'POST /accesscontrolpolicies';
export const REMOVE = 'DELETE /accesscontrolpolicies/{id}';
export const LIST = 'GET /accesscontrolpolicies';

/** Policies made for paging; each was journalled before it was made. */
export interface Policies {
  readonly count: number;
  /** What their names begin with. */
  readonly tag: string;
  readonly remove: () => Promise<void>;
}

/** Makes policies to page through. */
export async function makePolicies(context: ScenarioContext): Promise<Policies> {
  const tag = `assay-load-${context.runId}`;
  const made: JournalEntry[] = [];
  const remove = (): Promise<void> => inTurn(made, (entry) => removeMade(context, entry));
  const add = async (number: number): Promise<void> => {
    made.push(await makePolicy(context, `${tag}-${String(number).padStart(6, '0')}`));
  };
  try {
    await inTurn(
      Array.from({ length: context.items }, (_, index) => index),
      add,
      context.signal,
    );
  } catch (error) {
    await remove();
    throw error;
  }
  return { count: made.length, tag, remove };
}

async function makePolicy(context: ScenarioContext, name: string): Promise<JournalEntry> {
  return makeOne(context, {
    create: CREATE,
    remove: REMOVE,
    list: LIST,
    name,
    body: sampleBody(CREATE, name) ?? { name },
  });
}
