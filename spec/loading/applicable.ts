import type { Operation } from '../contract.ts';
import type { Requirement } from '../requirements.ts';

type Condition = (operation: Operation) => boolean;

const PAGING = /^(?:page(?:number|index|size)?|skip|offset|take|limit|(?:items)?perpage|size)$/i;

const requiresAuth: Condition = ({ permission, authUndeclared }) => permission !== 'none' && authUndeclared !== true;

const requiresPolicy: Condition = ({ permission }) => !['none', 'any', 'unstated'].includes(permission);

const acceptsBody =
  (type: RegExp): Condition =>
  ({ body }) =>
    body?.content.some((media) => type.test(media.type)) === true;

const offersResponse =
  (type: RegExp): Condition =>
  ({ responses }) =>
    responses.some(({ status, content }) => status.startsWith('2') && content.some((media) => type.test(media.type)));

const declaresStatus =
  (status: string): Condition =>
  ({ responses }) =>
    responses.some((each) => each.status === status);

const usesScheme =
  (schemes: (each: NonNullable<Operation['security']>[number][number]) => boolean): Condition =>
  (operation) =>
    requiresAuth(operation) && (operation.security === undefined || operation.security.flat().some(schemes));

const usesBearer = usesScheme(({ kind }) => kind === 'bearer');
const hasPathParameter: Condition = ({ parameters }) => parameters.some((each) => each.in === 'path');
const isChange: Condition = ({ method }) => method !== 'GET' && method !== 'HEAD';
const hasInput: Condition = ({ parameters, body }) => parameters.length > 0 || body !== undefined;
const never: Condition = () => false;

/** Conditions under which a requirement of the API document condition to another description; the others always apply. */
const CONDITIONS: Readonly<Record<string, Condition>> = {
  'forms.both-exist': ({ forms }) => forms.length > 1,
  'forms.equivalent': ({ forms }) => forms.length > 1,
  'forms.shared-state': ({ forms }) => forms.length > 1,
  'ids.uuid': ({ parameters }) =>
    parameters.some(
      ({ in: place, schema: { schema } }) =>
        place === 'path' && typeof schema === 'object' && schema['format'] === 'uuid',
    ),
  'ids.required': hasPathParameter,
  'content.request-json': acceptsBody(/^application\/json$/),
  'content.request-json-patch': acceptsBody(/^application\/json-patch\+json$/),
  'content.request-text-json': acceptsBody(/^text\/json$/),
  'content.request-any-json': acceptsBody(/^application\/\*\+json$/),
  'content.response-json': offersResponse(/^application\/json$/),
  'content.response-text-json': offersResponse(/^text\/json$/),
  'content.response-text-plain': offersResponse(/^text\/plain$/),
  'auth.bearer': usesBearer,
  'auth.malformed-header': usesBearer,
  'auth.missing': requiresAuth,
  'auth.invalid': requiresAuth,
  'auth.expired': usesScheme(({ takesToken }) => takesToken),
  'auth.lacking-permission': requiresPolicy,
  'auth.permission-suffices': requiresPolicy,
  'auth.tenant-isolation': usesScheme(({ takesToken }) => takesToken),
  'auth.refused-changes-nothing': (operation) => requiresAuth(operation) && isChange(operation),
  'auth.declared': requiresPolicy,
  'errors.created': declaresStatus('201'),
  'errors.bad-request': hasInput,
  'errors.validation': hasInput,
  'errors.unauthorized': requiresAuth,
  'errors.forbidden': (operation) => requiresPolicy(operation) || declaresStatus('403')(operation),
  'errors.not-found': hasPathParameter,
  'errors.conflict': declaresStatus('409'),
  'errors.refused-changes-nothing': isChange,
  'paging.partition': ({ parameters }) => parameters.some(({ name }) => PAGING.test(name)),
  'paging.past-end': ({ parameters }) => parameters.some(({ name }) => PAGING.test(name)),
  'versioning.description': never,
  'versioning.content-type': acceptsBody(/^application\/json$/),
  // Of the types that a description offers, any may be the answer to a request that asks for none.
  'versioning.responses-json': never,
};

/** Requirements that a description states where it declares security. */
const STATED_BY_SECURITY = new Set(['auth.malformed-header', 'auth.missing', 'auth.invalid', 'auth.expired']);

/**
 * The requirements that apply to at least one of the operations. Where one declares security, access without valid credentials
 * violates it as documented; which other status such a request gets stays inferred.
 */
export function applicable(
  requirements: readonly Requirement[],
  operations: readonly Operation[],
): readonly Requirement[] {
  const isSecured = operations.some(({ securityRequired }) => securityRequired === true);
  return requirements
    .filter(({ id }) => {
      const condition = CONDITIONS[id];
      return condition === undefined || operations.some((operation) => condition(operation));
    })
    .map((entry) =>
      isSecured && STATED_BY_SECURITY.has(entry.id)
        ? { ...entry, grade: 'documented', gradeElsewhere: entry.grade }
        : entry,
    );
}
