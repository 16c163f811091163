import '../contract/unusual.suite.ts';
import '../contract/methods.suite.ts';
