/** Settings of a new configuration. */
export interface Project {
  readonly baseUrl: string;
  readonly spec?: string | undefined;
  readonly allow: readonly string[];
}

/** A text as a literal of TypeScript. */
const quoted = (text: string): string => `'${text.replaceAll(/['\\]/gu, String.raw`\$&`)}'`;

/** `assay.config.ts`. */
export function configText({ baseUrl, spec, allow }: Project): string {
  return [
    "import { defineConfig } from 'assay';",
    '',
    '// Tokens stay out of this file: ASSAY_TOKEN, ASSAY_LIMITED_TOKEN and ASSAY_EXPIRED_TOKEN, in the environment or in .env.',
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

const GITHUB = `${PACKAGE}
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
      - run: assay verify --baseline ${BASELINE} --report github,html,junit
        env:
          ASSAY_TOKEN: \${{ secrets.ASSAY_TOKEN }}
          ASSAY_LIMITED_TOKEN: \${{ secrets.ASSAY_LIMITED_TOKEN }}
          ASSAY_EXPIRED_TOKEN: \${{ secrets.ASSAY_EXPIRED_TOKEN }}
      - uses: actions/upload-artifact@v4
        if: always()
        with: { name: assay-report, path: assay-report/ }
`;

const GITLAB = `${PACKAGE}
contract:
  image: node:22
  script:
    - npm install --global "$ASSAY_PACKAGE"
    - assay verify --baseline ${BASELINE} --report html,junit
  artifacts:
    when: always
    paths: [assay-report/]
    reports:
      junit: assay-report/junit.xml
`;

/** The pipelines that can be written, each with its file. */
export const PIPELINES = {
  github: { file: '.github/workflows/assay.yml', text: GITHUB },
  gitlab: { file: '.gitlab-ci.yml', text: GITLAB },
} as const;

/** Names of {@link PIPELINES}, and none. */
export const PIPELINE_NAMES = ['github', 'gitlab', 'none'] as const;
