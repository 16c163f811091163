import type { Operation } from '../../../spec/index.ts';
import type { Answer, Kind, Request } from '../../oracle/index.ts';
import type { Violation } from '../../kit/context.ts';
import type { Subject } from './subject.ts';
import { NOT_AS_SENT } from '../../kit/violation.ts';

/** What was done just before a look. */
export interface Act {
  readonly kind: Kind | 'create' | 'set-order' | 'wait';
  /** In words, with who did it where it was refused. */
  readonly name: string;
  readonly refused: boolean;
  readonly operation?: Operation;
  /** What it was done to. */
  readonly subject?: Subject;
}

export interface SeenAfter {
  readonly subject: Subject;
  readonly request: Request;
  readonly answer: Answer;
}

type Blame = Pick<Violation, 'check' | 'cause' | 'message'> & {
  readonly operation?: Operation;
  readonly requirement?: string;
};

/** The promise that a departure breaks, in the words that the single laws use for the same defect. */
export function blameFor(act: Act, seen: SeenAfter): Blame {
  const { check, cause, requirement } = ruleFor(act, seen);
  const operation = act.operation;
  return {
    check,
    cause,
    message: `${operation?.id ?? act.name}: ${cause}`,
    ...(operation === undefined ? {} : { operation }),
    ...(requirement === undefined ? {} : { requirement }),
  };
}

interface Rule {
  readonly check: Violation['check'];
  readonly cause: string;
  readonly requirement?: string;
}

function ruleFor(act: Act, { subject, request, answer }: SeenAfter): Rule {
  const own = act.subject === subject;
  const what = difference(subject, request, answer);
  if (act.refused)
    return {
      check: 'refused-changes-nothing',
      requirement: 'auth.refused-changes-nothing',
      cause: `${act.kind} is refused, and afterwards ${what}`,
    };
  const switches = act.kind === 'activate' || act.kind === 'deactivate';
  if (!own && switches && request.kind === 'list-active')
    return { check: 'activation', requirement: `policies.${act.kind}`, cause: `${act.kind} moves another policy` };
  if (act.kind === 'wait') return { check: 'model-conformance', cause: `when all calls have ended, ${what}` };
  if (!own)
    return {
      check:
        act.kind === 'delete' ? 'deleted-is-gone' : act.kind === 'update' ? 'updated-reads-back' : 'model-conformance',
      cause: `${act.kind === 'set-order' ? 'the order is set' : `${act.kind} of another one`}, and ${what}`,
    };
  if (switches) {
    return {
      check: 'activation',
      requirement: `policies.${act.kind}`,
      cause:
        request.kind === 'list-active'
          ? `not ${act.kind === 'activate' ? 'active' : 'inactive'} after ${act.kind}`
          : `${act.kind}, and ${what}`,
    };
  }
  if (act.kind === 'delete')
    return {
      check: 'deleted-is-gone',
      ...sentence(subject, 'remove'),
      cause:
        request.kind === 'read'
          ? answer.status === 200
            ? 'still readable'
            : `status ${answer.status} for what was deleted`
          : 'still listed',
    };
  if (act.kind === 'update' && request.kind !== 'list-active')
    return {
      check: 'updated-reads-back',
      ...sentence(subject, 'update'),
      cause: request.kind === 'read' && answer.status === 200 ? NOT_AS_SENT : what,
    };
  if (act.kind === 'patch') return { check: 'json-patch', cause: what };
  if (act.kind === 'dry-run' || act.kind === 'preview') return { check: 'dry-run', cause: `${act.kind}, and ${what}` };
  return { check: 'model-conformance', cause: `${act.kind}, and ${what}` };
}

/** The sentence that says what the change leaves. */
function sentence({ made, knowledge }: Subject, change: 'update' | 'remove'): { readonly requirement?: string } {
  const [requirement] = knowledge.lifecycleRequirements(made.resource)[change];
  return requirement === undefined ? {} : { requirement };
}

/** How what was seen differs from what is known, free of ids. */
function difference({ known }: Subject, request: Request, { status, listed, content }: Answer): string {
  const where = request.kind === 'list-active' ? ` among the ${request.filterActive ? 'active' : 'inactive'}` : '';
  if (request.kind === 'read' && status !== (known.there ? 200 : 404))
    return status === 200 ? 'it is there again' : `it is not readable (${status})`;
  if (listed !== undefined && content === undefined)
    return listed ? `it is listed${where}` : `it is not listed${where}`;
  if (content !== undefined && content !== known.content)
    return /^c\w+$/.test(content)
      ? 'it shows what was sent before'
      : `it shows ${content.replaceAll(/\bc\w+\b/g, 'one body')}`;
  return listed === undefined ? 'it is shown otherwise' : `it is ${listed ? '' : 'not '}listed${where}`;
}
