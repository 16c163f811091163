import { quoted } from './literal.ts';
import type { Statement } from './statements.ts';

const bare = (path: string): string => path.replaceAll(/\{[^{}/]*\}/g, '{}').toLowerCase();

/** The operations of the served description, by method and path in lower case, as code. */
const served = (answer: string): readonly string[] => [
  "const bare = (path: string) => path.replaceAll(/\\{[^{}/]*\\}/g, '{}').toLowerCase();",
  `const { paths, servers = [{ url: '' }] } = ${answer}.json;`,
  'const described = servers.flatMap(({ url }: any) => Object.entries<any>(paths).map(([path, item]) => [bare(url + path), item]));',
];

/** It states the version of the description in use. */
export const declaredVersion: Statement = ({ answer, script }) => [
  `expect(${answer}.json.info.version).toBe(${quoted(script.version)});`,
];

/** The summary of the operation, in each form, names its permission. */
export const declaredPermission: Statement = ({ answer, script: { permission }, finding: { subject = '' } }) => {
  const [method = '', path = ''] = subject.split(' ');
  if (permission === undefined) return undefined;
  return [
    `const forms = Object.entries<any>(${answer}.json.paths).filter(([path, item]) => path.endsWith(${quoted(path)}) && item.${method.toLowerCase()} !== undefined);`,
    'expect(forms).not.toEqual([]);',
    `for (const [, item] of forms) expect(item.${method.toLowerCase()}.summary).toContain(${quoted(permission)});`,
  ];
};

/** It has the operation, the form or the query parameter that the subject names. */
export const declaredInterface: Statement = ({ answer, finding: { subject = '' } }) => {
  const [method = '', path = '', place = '', ...rest] = subject.split(' ');
  const name = rest.at(-1) ?? '';
  const address = bare(place === 'form' ? name + path : path);
  const all = `described.filter(([path, item]: any) => path.endsWith(${quoted(address)}) && item.${method.toLowerCase()} !== undefined)`;
  if (place !== 'query') return [...served(answer), `expect(${all}).not.toEqual([]);`];
  return [
    ...served(answer),
    `for (const [, item] of ${all}) expect(item.${method.toLowerCase()}.parameters.map(({ name }: any) => name.toLowerCase())).toContain(${quoted(name.toLowerCase())});`,
  ];
};
