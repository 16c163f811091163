import '../contract/paging.suite.ts';
import '../contract/ordering.suite.ts';
import '../state/filters/policies.suite.ts';
import '../state/filters/metadata.suite.ts';
import '../state/jobs/filters.suite.ts';
