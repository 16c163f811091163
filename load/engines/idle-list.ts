export interface Idler<Self> {
  idle: boolean;
  idleBefore: Self | undefined;
  idleAfter: Self | undefined;
}

/** A queue without repeats; removing from the middle takes constant time. */
export class IdleList<Member extends Idler<Member>> {
  size = 0;
  #first: Member | undefined;
  #last: Member | undefined;

  add(member: Member): void {
    if (member.idle) return;
    member.idle = true;
    member.idleBefore = this.#last;
    if (this.#last) this.#last.idleAfter = member;
    else this.#first = member;
    this.#last = member;
    this.size += 1;
  }

  take(): Member | undefined {
    const first = this.#first;
    if (first) this.remove(first);
    return first;
  }

  remove(member: Member): void {
    if (!member.idle) return;
    const { idleBefore, idleAfter } = member;
    if (idleBefore) idleBefore.idleAfter = idleAfter;
    else this.#first = idleAfter;
    if (idleAfter) idleAfter.idleBefore = idleBefore;
    else this.#last = idleBefore;
    member.idle = false;
    member.idleBefore = undefined;
    member.idleAfter = undefined;
    this.size -= 1;
  }
}
