import '../contract/authentication.suite.ts';
import '../contract/permissions.suite.ts';
import '../contract/ids.suite.ts';
import '../contract/parameters.suite.ts';
import '../contract/bodies.suite.ts';
import '../contract/media.suite.ts';
