export interface Project {
  readonly baseUrl: string;
  readonly spec: string | undefined;
  readonly allow: readonly string[];
  /** Environment variables of its tokens and credentials; the first ones are required. */
  readonly secrets: readonly string[];
}

/** Variables of the tokens of a description whose operations take a bearer token. */
export const TOKEN_VARIABLES: readonly string[] = ['ASSAY_TOKEN', 'ASSAY_LIMITED_TOKEN', 'ASSAY_EXPIRED_TOKEN'];

/** A text as a literal of TypeScript. */
const quoted = (text: string): string => `'${text.replaceAll(/['\\]/gu, String.raw`\$&`)}'`;

export function configText({ baseUrl, spec, allow, secrets }: Project): string {
  return [
    "import { defineConfig } from 'assay';",
    '',
    ...(secrets.length === 0
      ? []
      : [`// Secrets stay out of this file, in the environment or in .env: ${secrets.join(', ')}.`]),
    'export default defineConfig({',
    `  baseUrl: ${quoted(baseUrl)},`,
    ...(spec === undefined ? [] : [`  spec: ${quoted(spec)},`]),
    `  allow: [${allow.map(quoted).join(', ')}],`,
    '});',
    '',
  ].join('\n');
}

/** Known findings, which do not fail the pipeline. */
export const BASELINE = 'assay-baseline.json';

const PACKAGE =
  '# ASSAY_PACKAGE: the tarball of npm pack, by its path or URL, or the name of the package in your registry.';

function environment(secrets: readonly string[]): string {
  const lines = secrets.map((name) => `\n          ${name}: \${{ secrets.${name} }}`);
  return lines.length === 0 ? '' : `\n        env:${lines.join('')}`;
}

const github = (secrets: readonly string[]): string => `${PACKAGE}
name: contract
on: [push]
jobs:
  contract:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with: { node-version: 22 }
      - run: npm install --global "$ASSAY_PACKAGE"
        env:
          ASSAY_PACKAGE: \${{ vars.ASSAY_PACKAGE }}
      - run: assay verify --seed 1 --baseline ${BASELINE} --report github,html,junit${environment(secrets)}
      - uses: actions/upload-artifact@v4
        if: always()
        with: { name: assay-report, path: assay-report/ }
`;

/** GitLab passes the variables of the project to each job. */
const gitlab = (): string => `${PACKAGE}
contract:
  image: node:22
  script:
    - npm install --global "$ASSAY_PACKAGE"
    - assay verify --seed 1 --baseline ${BASELINE} --report html,junit
  artifacts:
    when: always
    paths: [assay-report/]
    reports:
      junit: assay-report/junit.xml
`;

interface Pipeline {
  readonly file: string;
  /** The file that is written where the other one exists, which can include it. */
  readonly included?: string;
  readonly text: (secrets: readonly string[]) => string;
}

/** The pipelines that can be written, each with its file. */
export const PIPELINES: Readonly<Record<'github' | 'gitlab', Pipeline>> = {
  github: { file: '.github/workflows/assay.yml', text: github },
  gitlab: { file: '.gitlab-ci.yml', included: 'assay.gitlab-ci.yml', text: gitlab },
};

export const PIPELINE_NAMES = ['github', 'gitlab', 'none'] as const;
