import { settled } from '../../session/create.ts';
import { idsOf } from '../../session/lists.ts';
import type { Trial } from '../../session/trial.ts';
import { walk } from '../../session/walk.ts';
import { operationOf } from '../world/index.ts';
import type { Real } from './real.ts';
import { stateMember } from './state-member.ts';
import { makeSubject } from './subject.ts';
import type { Family, Subject } from './subject.ts';

/** What all sequences of a family share. */
export async function prepare(trial: Trial, family: Family): Promise<Pick<Real, 'search' | 'told' | 'make'>> {
  if (family !== 'createPolicy') return { search: {}, told: undefined, make: () => makeSubject(trial, family) };
  const told = await stateMember(trial);
  const search = await searchFor(trial);
  return { told, search, make: async () => withState(trial, await makeSubject(trial, family), search) };
}

/** A search that finds just what sequences made, where the list is narrowed by it; else none. */
function searchFor(trial: Trial): Promise<Real['search']> {
  return trial.session.once('search-for-sequences', async () => {
    const { id } = await makeSubject(trial, 'createPolicy');
    const operation = operationOf(trial.session, 'policies');
    const search = { searchName: `${trial.session.tag}-seq` };
    const finds = await settled(trial, async () => {
      const seen = await trial.send(operation, { query: { ...search, page: 0, take: 100 }, label: 'search' });
      const ids = idsOf(seen.response?.json);
      return ids?.includes(id) === true && ids.length < 50;
    });
    return finds ? search : {};
  });
}

/** Section 3 does not show the initial state: it is learned from the filter before anything is done. */
async function withState(trial: Trial, subject: Subject, search: Real['search']): Promise<Subject> {
  const operation = operationOf(trial.session, 'policies');
  const finds = async (filterActive: boolean): Promise<boolean> =>
    (await walk(trial, operation, { query: { ...search, filterActive } }))?.ids.includes(subject.id) === true;
  await settled(trial, async () => {
    const [active, inactive] = [await finds(true), await finds(false)];
    if (active !== inactive) subject.known = { ...subject.known, active };
    return active !== inactive;
  });
  return subject;
}
