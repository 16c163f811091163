import { afterEach, inject } from 'vitest';
import { describeTest } from './describe-test.ts';
import type { AllureContext, DescribedTest } from './describe-test.ts';

declare module 'vitest' {
  interface ProvidedContext {
    allureContext: AllureContext;
  }
}

/** Vitest set-up file, beside allure-vitest's own: describes each test of the suites from its record. */
afterEach(async ({ task }) => {
  const record = (task.meta as { readonly assay?: { readonly test: Omit<DescribedTest, 'name'> } }).assay?.test;
  if (record !== undefined) await describeTest({ ...record, name: task.name }, inject('allureContext'));
});
