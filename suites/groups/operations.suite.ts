import '../contract/description.suite.ts';
import '../contract/operations.suite.ts';
