import { expect, test } from 'vitest';
import { aRequest, targetServing } from '../testing/fixtures.ts';
import { traceIds } from './trace.ts';

test('the trace that was sent, and the ids of the answer in headers and in the error', async () => {
  const target = await targetServing((_request, response) => {
    response.writeHead(400, { 'content-type': 'application/problem+json', 'x-request-id': 'r-17', 'x-other': 'no id' });
    response.end('{"title":"Bad Request","traceId":"00-5f2d-01","requestId":17}');
  });
  const exchange = await target.send(aRequest());
  expect(traceIds(exchange)).toEqual({
    trace: exchange.request.headers['traceparent']?.slice(3, 35),
    'x-request-id': 'r-17',
    traceId: '00-5f2d-01',
  });
});
