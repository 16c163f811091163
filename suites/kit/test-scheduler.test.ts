import { expect, it } from 'vitest';
import { TestScheduler } from './test-scheduler.ts';
import type { Schedulable } from './test-scheduler.ts';

interface Named extends Schedulable {
  readonly name: string;
}

const test = (name: string, resource: string, isolated = false): Named => ({ name, resource, isolated });

/** Lets tests begin together; `end` ends one. */
function begin(tests: readonly Named[], limit: number) {
  const scheduler = new TestScheduler(tests, limit);
  const running = new Map<string, () => void>();
  for (const each of tests)
    void scheduler.run(each, async () => {
      await new Promise<void>((resolve) => running.set(each.name, resolve));
    });
  const names = async (): Promise<readonly string[]> => {
    await new Promise((resolve) => setImmediate(resolve));
    return [...running.keys()];
  };
  const end = async (name: string): Promise<readonly string[]> => {
    running.get(name)?.();
    running.delete(name);
    return names();
  };
  return { names, end };
}

it('runs as many tests at a time as it may, in their order', async () => {
  const { names, end } = begin([test('a', 'x'), test('b', 'x'), test('c', '')], 2);
  expect(await names()).toEqual(['a', 'b']);
  expect(await end('a')).toEqual(['b', 'c']);
});

it('runs isolated tests last, one at a time, beside tests of other resources', async () => {
  const tests = [test('i1', 'x', true), test('x', 'x'), test('i2', 'x', true), test('y', 'y')];
  const { names, end } = begin(tests, 1);
  expect(await names()).toEqual(['x']);
  expect(await end('x')).toEqual(['i1', 'y']);
  expect(await end('y')).toEqual(['i1']);
  expect(await end('i1')).toEqual(['i2']);
});

it('goes on after a test that failed', async () => {
  const [a, b] = [test('a', 'x'), test('b', 'x', true)];
  const scheduler = new TestScheduler([a, b], 1);
  const failed = scheduler.run(a, () => Promise.reject(new Error('failed')));
  const next = scheduler.run(b, () => Promise.resolve('ran'));
  await expect(failed).rejects.toThrow('failed');
  await expect(next).resolves.toBe('ran');
});
