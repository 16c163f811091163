/** Vitest reporter that ends the output with one line, `N passed, N failed, N skipped`, and before it says which tests were left out. */
class Tally {
  onTestRunEnd(modules, errors) {
    const counts = { passed: 0, failed: errors.length, skipped: 0 };
    let nightly = 0;
    for (const module of modules) {
      const tests = [...module.children.allTests()];
      for (const test of tests) {
        const { state } = test.result();
        counts[state === 'pending' ? 'skipped' : state] += 1;
        if (test.tags.includes('nightly') && !['passed', 'failed'].includes(state)) nightly += 1;
      }
      if (module.state() === 'failed' && !tests.some((test) => test.result().state === 'failed')) counts.failed += 1;
    }
    const line = `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`;
    const omitted = nightly === 0 ? '' : `${nightly} nightly tests did not run: npm run test:all\n`;
    process.once('exit', () => process.stdout.write(`${omitted}${line}`));
  }
}

// oxlint-disable-next-line import/no-default-export -- Vitest loads a reporter by its default export
export default Tally;
