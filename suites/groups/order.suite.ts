import '../state/order.suite.ts';
