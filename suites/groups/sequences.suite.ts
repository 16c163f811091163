import '../state/sequences.suite.ts';
