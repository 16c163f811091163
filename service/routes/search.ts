import { ok } from '../http/answer.ts';
import type { Call } from '../http/call.ts';
import type { EntityName } from '../world/clues.ts';
import { inForm } from './define.ts';

const QUERY_NAMES = ['query', 'q', 'searchText', 'text', 'term', 'name'];
const MAX_SUGGESTIONS = 20;

export const vocabularyOperations = inForm('/api/v1', 'any', {
  'GET /vocabs/keys': (call) => {
    const name = call.query.text('searchName')?.toLowerCase();
    const all = call.world.vocabulary
      .values()
      .filter(({ key }) => name === undefined || key.toLowerCase().includes(name));
    const page = call.query.int32('page', 0, 0);
    const take = call.query.int32('take', 20, 1);
    return ok({ total: all.length, data: all.slice(page * take, page * take + take) });
  },
});

export const suggestOperations = inForm('/api', 'any', {
  'GET /v2/search/suggest': (call) => ok(suggest(call).map(({ name }) => name)),
  'GET /v3/search/suggest': (call) =>
    ok({
      suggestions: suggest(call).map(({ name, entityType, origin }) => ({ text: name, entityType, code: origin })),
    }),
});

/** The newest names that contain the query. */
function suggest(call: Call): EntityName[] {
  const given = QUERY_NAMES.map((name) => call.query.text(name)).find((value) => value !== undefined);
  const wanted = (given ?? '').toLowerCase();
  const all = call.world.clues.names().toReversed();
  return all.filter(({ name }) => name.toLowerCase().includes(wanted)).slice(0, MAX_SUGGESTIONS);
}
