import { flag, text, texts, words } from './kinds.ts';
import { optional, withDefault } from './spec.ts';

export const outputOptions = {
  out: withDefault(text('dir'), 'assay-report', 'where the reports go'),
  report: withDefault(
    words('list'),
    [],
    'report formats beside the console: json (always), html, junit, markdown, github, sarif, allure',
  ),
  config: optional(text('file'), 'configuration; default: assay.config.{ts,js,json} where it exists', {
    flagOnly: true,
  }),
  compare: withDefault(texts('dir'), [], 'an earlier run to compare with', { flagOnly: true }),
  debug: withDefault(flag, false, 'show the stack of an error'),
};
