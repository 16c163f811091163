import '../snapshot/behaviour.suite.ts';
