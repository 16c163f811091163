/** What `assay serve --json` prints when it is ready. */
export interface ServeLine {
  readonly baseUrl: string;
  readonly tokens: { readonly full: string; readonly limited: string; readonly expired: string };
}
