import '../state/overlap.suite.ts';
