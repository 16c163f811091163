import '../state/overlap.suite.ts';
import '../state/sequences.suite.ts';
