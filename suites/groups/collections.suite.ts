import '../properties/lists.suite.ts';
import '../properties/orders.suite.ts';
