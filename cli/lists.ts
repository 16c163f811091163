export interface ListRow {
  readonly name: string;
  readonly about: string;
}

interface List {
  readonly summary: string;
  readonly rows: () => Promise<readonly ListRow[]>;
}

const rowsOf = <T>(members: Readonly<Record<string, T>>, aboutOf: (member: T) => string): readonly ListRow[] =>
  Object.entries(members).map(([name, member]) => ({ name, about: aboutOf(member) }));

/** Every list of names that the command line takes. */
export const LISTS = {
  suites: {
    summary: 'folders of tests, for --only and --skip',
    rows: async () => rowsOf((await import('../suites/index.ts')).SUITES_ABOUT, (about) => about),
  },
  checks: {
    summary: 'rules, for --only, --skip and assay explain',
    rows: async () => rowsOf((await import('../spec/index.ts')).CHECKS, ({ rule }) => rule),
  },
  codes: {
    summary: 'finding codes, for assay explain',
    rows: async () =>
      Object.entries((await import('../spec/index.ts')).FINDING_CODES).flatMap(([check, codes]) =>
        Object.entries(codes).map(([name, about]) => ({ name: `${check}/${name}`, about })),
      ),
  },
  scenarios: {
    summary: 'traffic, for assay load and assay capacity',
    rows: async () => rowsOf((await import('../load/index.ts')).SCENARIOS, ({ title }) => title),
  },
  profiles: {
    summary: 'shapes of the load, for --profile',
    rows: async () => rowsOf((await import('../load/index.ts')).LOAD_PROFILES, ({ title }) => title),
  },
  operators: {
    summary: 'kinds of defects, for assay prove; assay prove --list shows every defect',
    rows: async () => rowsOf((await import('../prove/index.ts')).OPERATORS, ({ title }) => title),
  },
  faults: {
    summary: 'defects by name, for assay serve --fault and assay prove; also assay prove --list',
    rows: async () => {
      const [{ faultRows }, { loadContract }] = await Promise.all([
        import('../prove/index.ts'),
        import('../spec/index.ts'),
      ]);
      return faultRows(await loadContract());
    },
  },
  formats: {
    summary: 'reports, for --report',
    rows: async () => rowsOf((await import('../reports/formats/index.ts')).FORMATS, ({ about }) => about),
  },
} as const satisfies Readonly<Record<string, List>>;
