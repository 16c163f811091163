import { EXIT } from '../../spec/errors.ts';
import { endWithParent } from './parent.ts';

/** The modules of a run; errors of loading come again when the run loads them. */
async function preload(): Promise<void> {
  const [{ prepareRunner }, { contractOfShare }] = await Promise.all([
    import('../../suites/index.ts'),
    import('../target/connection.ts'),
    import('../commands/verify.ts'),
    import('../verify/verify-run.ts'),
    import('../target/find-service.ts'),
    import('../target/clean.ts'),
  ]);
  prepareRunner(contractOfShare());
}

/** Waits until the agent gives this process a share, as words of a command line, and loads meanwhile what the run will need. */
export function wordsOfShare(): Promise<readonly string[]> {
  endWithParent();
  // An exit removes the files of the test runner, which the signal alone would not. A run handles the signal itself.
  process.once('SIGTERM', () => process.exit(EXIT.interrupted));
  preload().catch(() => {});
  return new Promise((resolve) => {
    const take = (message: unknown): void => {
      if (!Array.isArray(message)) return;
      process.off('message', take);
      resolve(message.map(String));
    };
    process.on('message', take);
  });
}
