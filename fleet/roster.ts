import { AssayError, EXIT } from '../spec/index.ts';
import type { Hello, Report } from './messages.ts';

/** An agent as the controller knows it. */
export interface KnownAgent {
  readonly hello: Hello;
  /** Broker time of its last report. */
  lastAt: number;
  /** All reports up to this one are on disk. */
  committed: number;
  /** Sequence numbers of reports on disk after a gap. */
  readonly ahead: Set<number>;
  boundMs: number;
  tickDelayMs: number;
  lost: boolean;
  /** Left the run on its own. */
  left: boolean;
}

/** The agents of a run, and which of their reports are on disk. */
export class Roster {
  readonly members = new Map<string, KnownAgent>();
  readonly refused = new Map<string, Hello>();

  add(hello: Hello, now: number): void {
    if (hello.refusal !== undefined) this.refused.set(hello.agent, hello);
    else if (!this.members.has(hello.agent)) this.members.set(hello.agent, newMember(hello, now));
  }

  /** False if the report is on disk already. */
  isNew({ agent, seq }: Report): boolean {
    const member = this.members.get(agent);
    return member === undefined || (seq > member.committed && !member.ahead.has(seq));
  }

  /** Records that the report is on disk. */
  commit({ agent, seq, sentAt, boundMs, tickDelayMs, leaving = false }: Report): void {
    const member = this.members.get(agent);
    if (member === undefined) return;
    member.ahead.add(seq);
    while (member.ahead.delete(member.committed + 1)) member.committed += 1;
    member.lastAt = Math.max(member.lastAt, sentAt);
    member.boundMs = boundMs;
    member.tickDelayMs = Math.max(tickDelayMs, member.tickDelayMs * 0.8);
    member.lost = false;
    member.left ||= leaving;
  }

  /** Marks agents without a report since `before` as lost, and returns the newly marked. */
  markLost(before: number): readonly KnownAgent[] {
    const lost = [...this.members.values()].filter((member) => !member.lost && !member.left && member.lastAt < before);
    for (const member of lost) member.lost = true;
    return lost;
  }

  get live(): readonly KnownAgent[] {
    return [...this.members.values()].filter(({ lost, left }) => !lost && !left);
  }

  get boundMs(): number {
    return Math.max(0, ...this.live.map(({ boundMs }) => boundMs));
  }

  get tickDelayMs(): number {
    return Math.max(0, ...this.live.map(({ tickDelayMs }) => tickDelayMs));
  }
}

function newMember(hello: Hello, now: number): KnownAgent {
  return {
    hello,
    lastAt: now,
    committed: 0,
    ahead: new Set(),
    boundMs: hello.boundMs,
    tickDelayMs: 0,
    lost: false,
    left: false,
  };
}

/** The error if agents are missing: names those that joined, and why others refused. */
export function tooFew(roster: Roster, agents: number, gatherMs: number): AssayError {
  const joined = [...roster.members.keys()];
  const refused = [...roster.refused.values()].map(({ refusal }) => refusal?.reason ?? '');
  const names = joined.length === 0 ? '' : ` (${joined.join(', ')})`;
  const reasons = refused.length === 0 ? '' : ` Refused: ${refused.join('; ')}.`;
  return new AssayError(`${joined.length} of ${agents} agents joined within ${gatherMs / 1000} s${names}.${reasons}`, {
    hint:
      [...roster.refused.values()][0]?.refusal?.hint ??
      'Start agents with "assay agent", with the same broker and key, or reduce --agents.',
    exitCode: EXIT.unreachable,
  });
}
