import { expect, test } from 'vitest';
import { startService } from '../service/start.ts';
import { EFFECTS, loadContract } from '../spec/index.ts';
import { patternsWithoutTests } from './testing/built.ts';

test(
  'a pattern with the whole name of a test, as in a replay command, matches; one with an unknown name does not',
  { tags: ['nightly'] },
  async () => {
    const service = await startService({});
    const there =
      'properties/orders > POST /accesscontrolpolicies/setprocessingorder > any order of policies is set or refused';
    const none = 'properties/orders > POST /accesscontrolpolicies/setprocessingorder > nothing of the kind';
    const check = 'contract/ids & unknown-id & GET /aiagent/{id}';
    const noCheck = 'contract/ids & unknown-id & GET /aijobskills';
    try {
      const unknown = await patternsWithoutTests(
        {
          baseUrl: service.baseUrl,
          tokens: service.tokens,
          embedded: true,
          allow: EFFECTS,
          only: [there, none, 'properties', 'paging-base', check, noCheck],
          skip: [],
          seed: 1,
          runs: 10,
          settleMs: 300,
          strict: false,
          journalDir: '.',
          runId: 'declared',
        },
        await loadContract(),
      );
      expect(unknown).toEqual([none, noCheck]);
    } finally {
      await service.close();
    }
  },
);
