import type { ApiContext } from '../context.ts';
import { settled } from '../context.ts';
import { walk } from '../read-list.ts';
import { operationOf } from './operations.ts';
import { freshPolicy } from './policies.ts';

/**
 * True where searchName also finds a policy whose name has only some of the words, as a full-text search does: how it matches is not
 * documented. A search that ignores the name, so that it finds the policy by any word, is none. Determined once per run.
 */
export function findsByAnyWord(t: ApiContext): Promise<boolean> {
  return t.once('finds by any word', async () => {
    const { id, name } = await freshPolicy(t, 'words');
    const isFound = async (searchName: string): Promise<boolean> => {
      const seen = await walk(t, operationOf(t, 'policies'), { query: { searchName }, label: 'search by words' });
      return seen?.ids.includes(id.toLowerCase()) === true;
    };
    await settled(t, () => isFound(name));
    const words = name.split('-').toReversed();
    // A search that only looks at the beginning of what is searched for finds neither.
    return (await isFound(`unused-${words[0]}`)) && !(await isFound(words.join('')));
  });
}
