interface Property {
  name: string;
  type: string;
  kind: number;
  friendlyType: string;
  friendlyName: string;
  defaultValue: string | null;
  value: unknown;
  isStringOnly: boolean;
  excludedProperties: string[];
  isRequired: boolean;
}

function property(name: string, friendlyName: string, isRequired: boolean): Property {
  const type = 'System.String';
  return {
    name,
    type,
    kind: 0,
    friendlyType: 'Text',
    friendlyName,
    defaultValue: null,
    value: null,
    isStringOnly: true,
    excludedProperties: [],
    isRequired,
  };
}

function action(name: string, type: string, properties: readonly Property[]) {
  return {
    name,
    type,
    supportsPreview: false,
    properties,
    supportsProcessingRuleScopes: [0, 1],
    supportsRuleUsages: [8],
  };
}

/** Available actions of policy rules. */
export const RULE_ACTIONS = [
  action('View', 'AccessControl.View', []),
  action('Mask', 'AccessControl.Mask', [property('mask', 'Mask', true)]),
  action('Hide', 'AccessControl.Hide', [property('vocabularyKeys', 'Vocabulary keys', false)]),
] as const;
