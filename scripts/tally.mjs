/** Vitest reporter that ends the output with one line: `N passed, N failed, N skipped`. */
class Tally {
  onTestRunEnd(modules, errors) {
    const counts = { passed: 0, failed: errors.length, skipped: 0 };
    for (const module of modules) {
      const tests = [...module.children.allTests()];
      for (const test of tests) counts[test.result().state === 'pending' ? 'skipped' : test.result().state] += 1;
      if (module.state() === 'failed' && !tests.some((test) => test.result().state === 'failed')) counts.failed += 1;
    }
    const line = `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`;
    process.once('exit', () => process.stdout.write(line));
  }
}

// oxlint-disable-next-line import/no-default-export -- Vitest loads a reporter by its default export
export default Tally;
