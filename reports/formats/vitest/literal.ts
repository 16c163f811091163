import { escapeRegExp } from '../../../spec/escape.ts';
import type { FindingScript, ScriptRequest } from '../../../spec/index.ts';
import { isShortId, shortIdInUrl } from '../../../spec/short-id.ts';

/** Texts of the run that are replaced by variables of the test. */
export type Names = ReadonlyMap<string, string>;

export const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

export function namesOf(script: FindingScript): Names {
  const ids = script.requests.flatMap(({ captures = [] }) => captures.map(({ id }) => id));
  const names = new Map(ids.map((id, index) => [id, `id${index + 1}`]));
  for (const id of script.requests.flatMap(({ url }) => url.toLowerCase().match(UUID) ?? [])) {
    const similar = ids.find((each) => id === each.slice(0, -1) + (each.endsWith('0') ? '1' : '0'));
    if (similar !== undefined && !names.has(id)) names.set(id, `otherDigit(${names.get(similar) ?? ''})`);
  }
  // What creates nothing that is known, or looked for, by a name can be sent again as it was.
  const tag = script.tag ?? '';
  const isLookedFor = ({ method, url }: ScriptRequest): boolean => tag !== '' && method === 'GET' && url.includes(tag);
  const isNamed = script.requests.some((each) => each.creates ?? each.captures ?? each.listed ?? isLookedFor(each));
  if (script.tag !== undefined && isNamed) names.set(script.tag.toLowerCase(), 'tag');
  return names;
}

/** A text as a literal of JavaScript in which ids, the tag of names and secrets are variables. */
export function literal(text: string, names: Names): string {
  const keys = [...names.keys()].map((key) =>
    // A word or a number of a few characters more may still be a part of another one.
    isShortId(key) ? shortIdInUrl(key) : escapeRegExp(key).replace(/^\w{1,7}$/, String.raw`(?<!\w)$&(?!\w)`),
  );
  const secrets = [
    'Basic \\$ASSAY_CREDENTIAL_\\w+',
    '\\$ASSAY_\\w+',
    '\\$\\{ASSAY_\\w+%\\?\\}',
    '\\$\\(echo "\\$ASSAY_\\w+" \\| tr A-Z a-z\\)',
  ];
  const pattern = new RegExp(`(${[...keys, ...secrets].join('|')})`, 'gi');
  const parts = text.split(pattern);
  if (parts.length === 1) return quoted(text);
  const inside = parts.map((part, index) => (index % 2 === 1 ? variable(part, names) : escaped(part)));
  return `\`${inside.join('')}\``;
}

/** A text without variables. */
export function quoted(text: string): string {
  return text.includes("'")
    ? JSON.stringify(text)
    : `'${JSON.stringify(text)
        .slice(1, -1)
        .replaceAll(String.raw`\"`, '"')}'`;
}

function variable(part: string, names: Names): string {
  if (part.startsWith('Basic $')) return `Basic \${btoa(env('${part.slice('Basic $'.length)}'))}`;
  if (part.startsWith('${')) return `\${env('${part.slice('${'.length, -'%?}'.length)}').slice(0, -1)}`;
  if (part.startsWith('$(')) return `\${env('${/ASSAY_\w+/.exec(part)?.[0] ?? ''}').toLowerCase()}`;
  if (part.startsWith('$')) return `\${env('${part.slice(1)}')}`;
  const name = names.get(part.toLowerCase()) ?? '';
  return part === part.toLowerCase() ? `\${${name}}` : `\${${name}.toUpperCase()}`;
}

function escaped(part: string): string {
  return JSON.stringify(part)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll('`', String.raw`\``)
    .replaceAll('${', String.raw`\${`);
}
