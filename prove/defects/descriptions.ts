import type { Defect } from '../defect.ts';
import { asObject } from '../proxy/json.ts';
import type { JsonMap } from '../proxy/json.ts';
import { everyJson } from '../healthy/changes.ts';
import type { Make } from '../proxy/message.ts';
import { defect, warningDefect } from './kit.ts';

/** Changes the description that is served. */
const described = (change: (description: JsonMap) => JsonMap): Make =>
  everyJson((value, { path }) => (path.endsWith('/swagger.json') ? change(asObject(value)) : value));

/** Changes the operations of one path, or removes it. */
const path =
  (name: string, change: (item: JsonMap) => JsonMap | undefined) =>
  (description: JsonMap): JsonMap => {
    const { [name]: item, ...rest } = asObject(description['paths']);
    const changed = change(asObject(item));
    return { ...description, paths: changed === undefined ? rest : { ...rest, [name]: changed } };
  };

const LIST = '/api/accesscontrolpolicies';

export const DESCRIPTIONS: readonly Defect[] = [
  defect(
    'description-declares-v2',
    'the machine-readable description declares its version as v1 (section 9)',
    [],
    ['served-description'],
  ).by(described((description) => ({ ...description, info: { ...asObject(description['info']), version: 'v2' } }))),
  defect(
    'description-states-another-permission',
    'each endpoint declares the permission it needs in its summary (section 5)',
    [],
    ['served-description'],
  ).by(
    described(path(LIST, (item) => ({ ...item, get: { ...asObject(item['get']), summary: 'Lists policies (Auth)' } }))),
  ),
  warningDefect(
    'description-lacks-a-form',
    'each path exists in both forms (section 4)',
    [],
    ['served-description'],
  ).by(described(path(LIST, () => undefined))),
];
