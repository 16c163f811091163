import { AssayError, EXIT } from '../spec/index.ts';
import type { Hello, Report } from './messages.ts';

/** An agent as the controller knows it. */
export interface Member {
  readonly hello: Hello;
  /** By the broker's clock: when its last report was written. */
  lastAt: number;
  /** All reports up to this one are on disk. */
  committed: number;
  readonly ahead: Set<number>;
  boundMs: number;
  tickDelayMs: number;
  lost: boolean;
  /** Left in order. */
  left: boolean;
}

/** The agents of a run and what is on disk of each. */
export class Roster {
  readonly members = new Map<string, Member>();
  readonly refused = new Map<string, Hello>();

  welcome(hello: Hello, now: number): void {
    if (hello.refusal !== undefined) this.refused.set(hello.agent, hello);
    else if (!this.members.has(hello.agent)) this.members.set(hello.agent, newMember(hello, now));
  }

  /** False where the report is on disk already. */
  isNew({ agent, seq }: Report): boolean {
    const member = this.members.get(agent);
    return member === undefined || (seq > member.committed && !member.ahead.has(seq));
  }

  /** The report is on disk. */
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

  /** Agents that have been silent for so long, told once. */
  newlyLost(before: number): readonly Member[] {
    const lost = [...this.members.values()].filter((member) => !member.lost && !member.left && member.lastAt < before);
    for (const member of lost) member.lost = true;
    return lost;
  }

  get live(): readonly Member[] {
    return [...this.members.values()].filter(({ lost, left }) => !lost && !left);
  }

  get boundMs(): number {
    return Math.max(0, ...this.live.map(({ boundMs }) => boundMs));
  }

  get tickDelayMs(): number {
    return Math.max(0, ...this.live.map(({ tickDelayMs }) => tickDelayMs));
  }
}

function newMember(hello: Hello, now: number): Member {
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

/** The error where agents are missing: says who came, and why others were refused. */
export function tooFew(roster: Roster, agents: number, gatherMs: number): AssayError {
  const here = [...roster.members.keys()];
  const refused = [...roster.refused.values()].map(({ refusal }) => refusal?.reason ?? '');
  const names = here.length === 0 ? '' : ` (${here.join(', ')})`;
  const reasons = refused.length === 0 ? '' : ` Refused: ${refused.join('; ')}.`;
  return new AssayError(`${here.length} of ${agents} agents came within ${gatherMs / 1000} s${names}.${reasons}`, {
    hint:
      [...roster.refused.values()][0]?.refusal?.hint ??
      'Start them with "assay agent" on the same broker and key, or give a smaller number of --agents.',
    exitCode: EXIT.unreachable,
  });
}

/** The error of an agent that cannot go on. */
export function failed({ message, hint, exitCode }: NonNullable<Report['failure']>): AssayError {
  return new AssayError(message, { hint, exitCode: exitCode });
}
