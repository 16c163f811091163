import { expect, it } from 'vitest';
import { variableWarnings } from './environment.ts';

it('warns of a variable that is a typing error away from one with an effect', () => {
  const others = {
    ASSAY_TOKEN_2: 'x',
    ASSAY_PACKAGE: 'x',
    ASSAY_IMAGE: 'x',
    ASSAY_TOKEN_FILE: 'x',
    ASSAY_OTHER_TENANT_TOKEN: 'x',
    ALOW: 'x',
  };
  expect(variableWarnings({ ...others, ASSAY_ALOW: 'read', ASSAY_ALLOW: 'read' }, { ASSAY_BASEURL: 'x' })).toEqual([
    'Warning: ASSAY_ALOW has no effect (did you mean ASSAY_ALLOW?)',
    'Warning: ASSAY_BASEURL in .env has no effect (did you mean ASSAY_BASE_URL?)',
  ]);
});
