import { fork } from 'node:child_process';
import { endProcess } from '../../spec/end-process.ts';
import { SAME_TARGET } from '../command-options.ts';
import { MAIN, shareService } from '../embedded.ts';
import { flagsOf } from '../options/command-line.ts';
import { removeLeftFolders } from './share-folder.ts';
import type { RunTarget } from '../target/target.ts';

/** Starts agents on this machine. They end with this process. */
export function startAgents(
  count: number,
  broker: { readonly url: string; readonly password: string },
  { allow, service }: Pick<RunTarget, 'allow' | 'service'>,
): { close(): Promise<void> } {
  const { words, env: secrets } = flagsOf([...SAME_TARGET, 'maxRate']);
  const shared = service === undefined ? {} : shareService(service);
  const env = { ...process.env, ...secrets, ...shared, ASSAY_FLEET_PASSWORD: broker.password };
  const children = Array.from({ length: count }, () =>
    fork(MAIN, ['agent', '--fleet', broker.url, '--allow', allow.join(','), ...words], {
      env,
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    }),
  );
  return {
    close: async () => {
      await Promise.all(children.map((child) => endProcess(child)));
      removeLeftFolders();
    },
  };
}
