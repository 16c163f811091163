import { expect, test } from 'vitest';
import { OK, loadPaths } from '../testing/description-file.ts';

const ids = async (written: object): Promise<readonly string[]> =>
  (await loadPaths(written)).requirements.map(({ id }) => id);

test('requirements that cannot apply to a description are not listed for it', async () => {
  const small = await ids({ '/things': { get: { responses: OK } } });
  expect(small).toContain('errors.documented-status');
  expect(small.filter((id) => /^(?:auth|forms|paging|ids)\.|errors\.(?:created|conflict|forbidden)/.test(id))).toEqual(
    [],
  );
  const security = [{ key: [] }];
  const larger = await ids({
    '/things/{id}': { delete: { responses: { ...OK, 409: { description: '' } }, security } },
  });
  expect(larger).toEqual(expect.arrayContaining(['auth.missing', 'auth.bearer', 'ids.required', 'errors.conflict']));
  expect(larger).not.toContain('errors.created');
  const content = { 'application/json': {}, 'application/yaml': {} };
  const both = await ids({ '/things': { get: { responses: { 200: { description: '', content } } } } });
  expect(both).not.toContain('versioning.responses-json');
});

test('what the declared security states is documented, in the words of any credentials', async () => {
  const load = async (security: object[]) =>
    (await loadPaths({ '/things/{id}': { get: { responses: OK, security } } })).requirements;
  const secured = await load([{ key: [] }]);
  expect(secured.find(({ id }) => id === 'auth.missing')).toEqual({
    id: 'auth.missing',
    section: '',
    grade: 'documented',
    gradeElsewhere: 'inferred',
    text: 'A request without credentials returns 401',
  });
  expect(secured.find(({ id }) => id === 'errors.unauthorized')).toMatchObject({ grade: 'inferred' });
  expect(secured.find(({ id }) => id === 'errors.not-found')?.untestable).toContain('does not say for which ids');
});
