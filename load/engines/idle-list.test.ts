import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { IdleList } from './idle-list.ts';
import type { Idler } from './idle-list.ts';

class Member implements Idler<Member> {
  idle = false;
  idleBefore: Member | undefined;
  idleAfter: Member | undefined;
}

it('is a queue without repeats', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom('add', 'take', 'remove'), fc.nat(5))), (steps) => {
      const members = Array.from({ length: 6 }, () => new Member());
      const list = new IdleList<Member>();
      let model: Member[] = [];
      for (const [step, index] of steps) {
        const member = members[index]!;
        if (step === 'add') {
          list.add(member);
          if (!model.includes(member)) model.push(member);
        } else if (step === 'remove') {
          list.remove(member);
          model = model.filter((other) => other !== member);
        } else expect(list.take()).toBe(model.shift());
        expect(list.size).toBe(model.length);
      }
      for (const member of model) expect(list.take()).toBe(member);
    }),
  );
});
