import type { Call } from '../../http/call.ts';
import type { Tokens } from '../../http/identity.ts';
import { contract } from '../fault.ts';
import type { Defect } from '../fault.ts';
import * as op from '../operations.ts';
import { before, refusing } from '../parts.ts';

const MISSING = 'A request without a token is answered with 401.';
const INVALID = 'A request with an invalid token is answered with 401.';
const EXPIRED = 'A request with an expired token is answered with 401.';
const LACKING = 'A token that lacks the permission is answered with 403.';
const ANY = 'An endpoint that declares only Auth needs any valid token.';

type Kind = 'none' | 'invalid' | 'full' | 'limited' | 'expired';

function kindOf({ authorization }: Call, tokens: Tokens): Kind {
  if (authorization === undefined) return 'none';
  const token = authorization.replace(/^bearer /i, '');
  if (token === tokens.full) return 'full';
  if (token === tokens.limited) return 'limited';
  return token === tokens.expired ? 'expired' : 'invalid';
}

/** Serves the calls of one kind as if they carried the full token. */
function admitting(kind: Kind): (tokens: Tokens) => Defect {
  return (tokens) => ({
    outer: before((call) => {
      if (kindOf(call, tokens) === kind) call.authorization = `Bearer ${tokens.full}`;
    }),
  });
}

/** Turns away the calls of one kind with a status. */
function rejecting(status: number, kind: Kind): (tokens: Tokens) => Defect {
  return (tokens) => ({ outer: refusing(status, (call) => kindOf(call, tokens) === kind) });
}

const hasToken = ({ authorization }: Call) => authorization !== undefined;

export const authFaults = {
  'no-token-accepted-policies': contract(
    'Policies are served without a token',
    MISSING,
    op.POLICY_AREA,
    admitting('none'),
  ),
  'no-token-accepted-skills': contract('Skills are served without a token', MISSING, [op.SKILLS], admitting('none')),
  'no-token-accepted-delete': contract('A job is deleted without a token', MISSING, [op.DELETE_JOB], admitting('none')),
  'no-token-accepted-clue': contract('Clues are taken without a token', MISSING, [op.CLUE], admitting('none')),
  'no-token-403': contract(
    'A request without a token is answered with 403',
    MISSING,
    op.AI_AREA,
    rejecting(403, 'none'),
  ),
  'no-token-500': contract(
    'A request without a token makes the service fail',
    MISSING,
    [op.AUDIT, op.AUDIT_MANY],
    rejecting(500, 'none'),
  ),
  'no-token-404': contract(
    'A request without a token is answered with 404',
    MISSING,
    [op.VOCABULARY],
    rejecting(404, 'none'),
  ),
  'invalid-token-accepted': contract(
    'Any token is taken for a valid one',
    INVALID,
    op.POLICY_AREA,
    admitting('invalid'),
  ),
  'invalid-token-accepted-agents': contract('Any token reads the agents', INVALID, [op.AGENTS], admitting('invalid')),
  'invalid-token-403': contract(
    'An invalid token is answered with 403',
    INVALID,
    op.WITH_TOKEN,
    rejecting(403, 'invalid'),
  ),
  'malformed-header-accepted': contract(
    'An Authorization header without Bearer is accepted',
    'The header carries Bearer, one space and the token.',
    op.AI_AREA,
    (tokens) => ({
      outer: before((call) => {
        const bare = call.authorization?.split(/\s+/).at(-1);
        if (bare === tokens.full) call.authorization = `Bearer ${bare}`;
      }),
    }),
  ),
  'malformed-header-500': contract(
    'An Authorization header without Bearer makes the service fail',
    INVALID,
    op.POLICY_AREA,
    () => ({ outer: refusing(500, (call) => hasToken(call) && !/^bearer \S/i.test(call.authorization ?? '')) }),
  ),
  'expired-token-accepted': contract('An expired token is accepted', EXPIRED, op.WITH_TOKEN, admitting('expired')),
  'expired-token-accepted-runs': contract('An expired token queues a run', EXPIRED, [op.RUN_NOW], admitting('expired')),
  'expired-token-403': contract(
    'An expired token is answered with 403',
    EXPIRED,
    [...op.ANY_TOKEN, op.POLICIES],
    rejecting(403, 'expired'),
  ),
  'limited-accepted-policies': contract(
    'A token without the permission manages policies',
    LACKING,
    op.POLICY_AREA,
    admitting('limited'),
  ),
  'limited-accepted-agents': contract(
    'A token without the permission manages agents and jobs',
    LACKING,
    op.AI_AREA,
    admitting('limited'),
  ),
  'limited-accepted-actions': contract(
    'A token without the permission reads the rule actions',
    LACKING,
    [op.ACTIONS],
    admitting('limited'),
  ),
  'limited-accepted-delete': contract(
    'A token without the permission deletes policies',
    LACKING,
    [op.DELETE_POLICY],
    admitting('limited'),
  ),
  'limited-401': contract(
    'A token without the permission is answered with 401',
    LACKING,
    op.POLICY_AREA,
    rejecting(401, 'limited'),
  ),
  'limited-404': contract(
    'A token without the permission is answered with 404',
    LACKING,
    [op.READ_JOB, op.RUNS],
    rejecting(404, 'limited'),
  ),
  'limited-refused-skills': contract('The skills need a permission', ANY, [op.SKILLS], rejecting(403, 'limited')),
  'limited-refused-audit': contract(
    'The audit log needs a permission',
    ANY,
    [op.AUDIT, op.AUDIT_MANY],
    rejecting(403, 'limited'),
  ),
  'status-needs-token': contract(
    'The status check needs a token',
    'The status check is called without an Authorization header.',
    [op.STATUS],
    rejecting(401, 'none'),
  ),
  'full-refused-actions': contract(
    'The rule actions are refused to everybody',
    'A token with the permission is served.',
    [op.ACTIONS],
    rejecting(403, 'full'),
  ),
} as const;
