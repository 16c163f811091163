import '../contract/operations.suite.ts';
