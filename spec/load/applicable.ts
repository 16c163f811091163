import type { Operation } from '../contract.ts';
import type { Requirement } from '../requirements.ts';

type Applies = (operation: Operation) => boolean;

const PAGING = /^(?:page(?:number|index|size)?|skip|offset|take|limit|(?:items)?perpage|size)$/i;

const demands: Applies = ({ permission, authUndeclared }) => permission !== 'none' && authUndeclared !== true;

const isOfPolicy: Applies = ({ permission }) => !['none', 'any', 'unstated'].includes(permission);

const sends =
  (type: RegExp): Applies =>
  ({ body }) =>
    body?.content.some((media) => type.test(media.type)) === true;

const offers =
  (type: RegExp): Applies =>
  ({ responses }) =>
    responses.some(({ status, content }) => status.startsWith('2') && content.some((media) => type.test(media.type)));

const answers =
  (status: string): Applies =>
  ({ responses }) =>
    responses.some((each) => each.status === status);

const takes =
  (schemes: (each: NonNullable<Operation['security']>[number][number]) => boolean): Applies =>
  (operation) =>
    demands(operation) && (operation.security === undefined || operation.security.flat().some(schemes));

const isBearer = takes(({ kind }) => kind === 'bearer');
const hasPathParameter: Applies = ({ parameters }) => parameters.some((each) => each.in === 'path');
const changes: Applies = ({ method }) => method !== 'GET' && method !== 'HEAD';
const takesInput: Applies = ({ parameters, body }) => parameters.length > 0 || body !== undefined;
const never: Applies = () => false;

/** Where a requirement of the API document can be true or false of another description; the others always can. */
const APPLIES: Readonly<Record<string, Applies>> = {
  'forms.both-exist': ({ forms }) => forms.length > 1,
  'forms.equivalent': ({ forms }) => forms.length > 1,
  'forms.shared-state': ({ forms }) => forms.length > 1,
  'ids.uuid': ({ parameters }) =>
    parameters.some(
      ({ in: place, schema: { schema } }) =>
        place === 'path' && typeof schema === 'object' && schema['format'] === 'uuid',
    ),
  'ids.required': hasPathParameter,
  'content.request-json': sends(/^application\/json$/),
  'content.request-json-patch': sends(/^application\/json-patch\+json$/),
  'content.request-text-json': sends(/^text\/json$/),
  'content.request-any-json': sends(/^application\/\*\+json$/),
  'content.response-json': offers(/^application\/json$/),
  'content.response-text-json': offers(/^text\/json$/),
  'content.response-text-plain': offers(/^text\/plain$/),
  'auth.bearer': isBearer,
  'auth.malformed-header': isBearer,
  'auth.missing': demands,
  'auth.invalid': demands,
  'auth.expired': takes(({ takesToken }) => takesToken),
  'auth.lacking-permission': isOfPolicy,
  'auth.permission-suffices': isOfPolicy,
  'auth.tenant-isolation': takes(({ takesToken }) => takesToken),
  'auth.refused-changes-nothing': (operation) => demands(operation) && changes(operation),
  'auth.declared': isOfPolicy,
  'errors.created': answers('201'),
  'errors.bad-request': takesInput,
  'errors.validation': takesInput,
  'errors.unauthorized': demands,
  'errors.forbidden': (operation) => isOfPolicy(operation) || answers('403')(operation),
  'errors.not-found': hasPathParameter,
  'errors.conflict': answers('409'),
  'errors.refused-changes-nothing': changes,
  'paging.partition': ({ parameters }) => parameters.some(({ name }) => PAGING.test(name)),
  'paging.past-end': ({ parameters }) => parameters.some(({ name }) => PAGING.test(name)),
  'versioning.description': never,
  'versioning.content-type': sends(/^application\/json$/),
  'versioning.responses-json': offers(/json/),
};

/** The requirements that can be true or false of at least one of the operations. */
export function applicable(
  requirements: readonly Requirement[],
  operations: readonly Operation[],
): readonly Requirement[] {
  return requirements.filter(({ id }) => {
    const applies = APPLIES[id];
    return applies === undefined || operations.some((operation) => applies(operation));
  });
}
