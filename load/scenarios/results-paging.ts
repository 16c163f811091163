import { formOf } from './making.ts';
import { totalOf } from './items.ts';
import { ranJob } from './ran-job.ts';
import type { Scenario, ScenarioRequest } from './scenario.ts';

const OPERATION = 'GET /aijob/{id}/results/{type}';
const SIZES = [5, 10, 20] as const;
const DIRECTIONS = [0, 1] as const;
const MOST_PAGES = 100;

/** The one-based pages of an AI job's results, of several sizes, in both directions. */
export const resultsPaging: Scenario = {
  name: 'results-paging',
  title: 'One-based pages of AI results are read.',
  effects: ['read'],
  thresholds: ['p99<300', 'errors<0.1%', 'violations==0'],
  rate: 100,
  async setup(context) {
    const job = await ranJob(context);
    const operation = context.operation(OPERATION);
    const form = formOf(operation);
    const path = { id: job.jobId, type: job.type };
    const { response } = await context.expectSuccess({ operation, form, path, query: { pageNumber: 1, pageSize: 1 } });
    const total = totalOf(response?.json) ?? 50;
    const base = form.path
      .replace('{id}', encodeURIComponent(job.jobId))
      .replace('{type}', encodeURIComponent(job.type));
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
    return { requests, teardown: job.remove };
  },
};
