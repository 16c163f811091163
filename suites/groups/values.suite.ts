import '../properties/valid-bodies.suite.ts';
import '../properties/valid-parameters.suite.ts';
import '../properties/patches.suite.ts';
import '../properties/invalid.suite.ts';
import '../properties/equivalence.suite.ts';
