import { choice, duration, flag, fleetUrl, integer, text, zones } from './kinds.ts';
import { optional, withDefault } from './spec.ts';

export const fleetOptions = {
  fleet: optional(
    fleetUrl,
    'broker of a fleet: redis[s]://USER@HOST:PORT, postgres://USER@HOST/DATABASE, or local: agents on this machine',
    { hidden: true },
  ),
  agents: optional(integer({ min: 1, max: 1000 }), 'agents to wait for; default: 3 with --fleet local, else 1'),
  zones: optional(zones, 'share of the load per agent zone, for example eu=70,us=30'),
  onLoss: withDefault(
    choice(['mark', 'stop', 'repeat'], 'reaction'),
    'mark',
    'when an agent is lost: mark the gap, stop the run, or repeat it once',
  ),
  gather: optional(duration({ min: 1000, max: 3_600_000 }, 's'), 'how long to wait for agents; default: 60 s'),
  lock: optional(
    duration({ min: 1000, max: 30_000 }, 's'),
    'time without a heartbeat after which an agent counts as lost; default: 5 s',
  ),
  resume: optional(text('run'), 'resume a run whose controller was lost; give its folder with --out', {
    flagOnly: true,
  }),
  zone: withDefault(text('name'), '', 'zone of this agent'),
  leaveAfter: withDefault(choice(['run', 'never'], 'moment'), 'run', 'when the agent exits: after one run, or never'),
  insecureFleet: withDefault(flag, false, 'allow an unencrypted connection to a broker on another machine'),
  fleetPassword: optional(text('password'), 'password of the broker', { secret: true, noFlag: true }),
  fleetKey: optional(text('key'), 'key that signs the messages of a fleet; the same on all its machines', {
    secret: true,
    noFlag: true,
  }),
};
