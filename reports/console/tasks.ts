import type { ConsoleOptions } from './console.ts';
import { styleOf } from './console.ts';
import { taskLine } from './progress.ts';
import { createScreen } from './screen.ts';

const FRAME_MS = 200;

/** Output of a number of tasks, such as the runs of `prove`: their results, and on a terminal a live line below them. */
export interface TaskConsole {
  /** Prints the result of a task that has ended. */
  ended(line: string): void;
  stop(): void;
}

export function createTaskConsole(options: ConsoleOptions, tasks: number): TaskConsole {
  const { paint, width } = styleOf(options);
  const screen = createScreen(options.stream, options.isTTY, width);
  const began = performance.now();
  const state = { done: 0, tasks, lastMs: 0 };
  const draw = (): void => screen.status(taskLine(state, performance.now() - began), paint.dim);
  const timer = setInterval(draw, FRAME_MS).unref();
  draw();
  return {
    ended(line) {
      state.done += 1;
      state.lastMs = performance.now() - began;
      screen.lines([line]);
      draw();
    },
    stop() {
      clearInterval(timer);
      screen.clear();
    },
  };
}
