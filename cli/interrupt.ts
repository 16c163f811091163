import { EXIT } from '../spec/errors.ts';

/**
 * Aborts on the first Ctrl-C or SIGTERM, so that a run can remove what it made and write its reports; ends the process at once on the
 * second: the journal keeps what is left.
 */
export function listenForInterrupt(): { readonly signal: AbortSignal; readonly stop: () => void } {
  const controller = new AbortController();
  const onSignal = (): void => {
    if (controller.signal.aborted) process.exit(EXIT.interrupted);
    controller.abort();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  const stop = (): void => {
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
  };
  return { signal: controller.signal, stop };
}
