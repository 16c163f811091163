import { isObject } from '../../spec/json.ts';
import type { Scenario, ScenarioRequest } from './scenario.ts';

const OPERATION = 'GET /aijob/{id}/results/{type}';
const SIZES = [5, 10, 20] as const;
const DIRECTIONS = [0, 1] as const;
const MOST_PAGES = 100;

/** The one-based pages of an AI job's results, of several sizes, in both directions. */
export const resultsPaging: Scenario = {
  name: 'results-paging',
  title: 'Reads one-based pages of AI results.',
  effects: ['read'],
  thresholds: ['p99<300ms', 'errors<0.1%', 'violations==0'],
  rate: 100,
  operations: [OPERATION],
  uses: [],
  async setup({ api, operation, expectSuccess, removeCreated }) {
    // Imported here to keep `--help`, which lists the scenarios, fast.
    const { ranJob, resultType } = await import('../../domain/builtin/runs.ts');
    const results = operation(OPERATION);
    const form = results.forms.at(-1) ?? { name: '', path: '' };
    const path = { id: (await ranJob(api)).jobId, type: await resultType(api) };
    const query = { pageNumber: 1, pageSize: 1 };
    const { response } = await expectSuccess({ operation: results, path, query });
    const total = isObject(response?.json) ? Number(response.json['totalCount'] ?? 50) : 50;
    const base = form.path
      .replace('{id}', encodeURIComponent(path.id))
      .replace('{type}', encodeURIComponent(path.type));
    const requests = SIZES.flatMap((size) =>
      DIRECTIONS.flatMap((direction) => {
        const pages = Math.min(MOST_PAGES, Math.max(1, Math.ceil(total / size)));
        return Array.from({ length: pages }, (_, page): ScenarioRequest => ({
          operation: OPERATION,
          form: form.name,
          method: 'GET',
          path: `${base}?pageNumber=${page + 1}&pageSize=${size}&sortDirection=${direction}`,
        }));
      }),
    );
    return { requests, teardown: removeCreated };
  },
};
