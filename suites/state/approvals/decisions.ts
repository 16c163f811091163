import { randomUUID } from 'node:crypto';
import type { TestContext } from '../../kit/context.ts';
import { refusedIdentities } from '../define.ts';
import type { Refused } from '../define.ts';

/** Number of results that one approval names besides one of the last. A run of a few results leaves one for after the next run. */
const SEVERAL = 4;

const ELSEWHERE = { label: 'reject one through the other form', action: 1, throughOtherForm: true } as const;
const BESIDE_UNKNOWN = { label: 'approve one, and a result that does not exist', action: 0, isOpen: true } as const;

/** An approval, a rejection, or one that must be refused. */
export interface Decision {
  readonly label: string;
  /** Ids of the results that it names; all for a bulk approval. */
  readonly named: readonly string[];
  /** 0 approves, 1 rejects. */
  readonly action: 0 | 1;
  /** Set for one that is refused for its token: sent with each of these. */
  readonly identities?: readonly Refused[];
  /** The media type of its body; the default one where the deployment refuses it. */
  readonly type?: string;
  /** The ids to send, where the document does not show whether they are accepted; a refused decision must change nothing. */
  readonly sent?: readonly string[];
  /** Set for a decision that is sent through the other form of the path. */
  readonly throughOtherForm?: boolean;
  /** Set where the document does not show either what an accepted decision does to the results that it names. */
  readonly isOpen?: boolean;
}

/** Decisions to make one after another; the earlier ones must keep their effect. */
export function decisions(t: TestContext, isBulk: boolean, ids: readonly string[]): readonly Decision[] {
  const [first, ...rest] = ids;
  const refused: readonly Decision[] = [
    { label: 'approve with a token that is refused', named: [], action: 0, identities: refusedIdentities(t.session) },
  ];
  const all = { named: ids, action: 0 } as const;
  if (isBulk) return [...refused, { ...all, label: 'approve all' }, { ...all, label: 'approve all again', sent: ids }];
  const [last, elsewhere, mixed] = [rest[SEVERAL + 2], rest[SEVERAL + 3], rest.at(-1)];
  // One that no other decision names: where there are enough, beyond the default page of the list.
  const late = rest.slice(SEVERAL + 4, -1).slice(-1);
  const unknown = randomUUID();
  return [
    ...refused,
    { label: 'approve none', named: [], sent: [], action: 0 },
    ...about(mixed, (id) => ({ ...BESIDE_UNKNOWN, named: [id], sent: [id, unknown] })),
    ...about(first, (id) => ({ label: 'approve one', named: [id], action: 0 })),
    { label: 'approve several', named: [...rest.slice(0, SEVERAL), ...late], action: 0, type: 'text/json' },
    ...about(first, (id) => ({ label: 'approve one again', named: [], sent: [id], action: 0, isOpen: true })),
    { label: 'reject two', named: rest.slice(SEVERAL, SEVERAL + 2), action: 1, type: 'application/vnd.assay+json' },
    ...about(elsewhere === mixed ? undefined : elsewhere, (id) => ({ ...ELSEWHERE, named: [id] })),
    ...about(last, (id) => ({ label: 'approve one, named twice', named: [id], sent: [id, id], action: 0 })),
  ];
}

/** The decision about a result; none where there is no such result. */
function about(id: string | undefined, decision: (id: string) => Decision): readonly Decision[] {
  return id === undefined ? [] : [decision(id)];
}
