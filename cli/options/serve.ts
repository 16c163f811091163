import { flag, integer, knownCapacity, text, words } from './kinds.ts';
import { optional, withDefault } from './spec.ts';

export const serveOptions = {
  json: withDefault(flag, false, 'print one line of JSON when ready, and nothing else', { flagOnly: true }),
  list: withDefault(flag, false, 'only list what would be run', { flagOnly: true }),
  port: withDefault(integer({ min: 0, max: 65_535 }), 0, 'port to listen on; 0: any that is free'),
  host: withDefault(text('address'), '127.0.0.1', 'address to listen on'),
  data: optional(text('dir'), 'keep everything in this directory; without it in memory'),
  all: withDefault(flag, false, 'the whole catalogue; takes more than an hour, for nightly runs', { flagOnly: true }),
  fault: withDefault(
    words('name'),
    [],
    "switch a defect on, by its name in assay prove --list, such as 'status-202 POST /accesscontrolpolicies'",
  ),
  capacity: optional(
    knownCapacity,
    'a known capacity: so many servers, each so long at work on a request; 4:10 bears 400 a second',
  ),
};
