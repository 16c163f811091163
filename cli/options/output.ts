import { FORMAT_NAMES } from '../../reports/formats/index.ts';
import { choices, flag, text, texts } from './kinds.ts';
import { optional, withDefault } from './spec.ts';

export const outputOptions = {
  out: withDefault(text('dir'), 'assay-report', 'directory for the reports'),
  report: withDefault(
    choices([...FORMAT_NAMES, 'console'], 'format'),
    ['html'],
    `report formats, in addition to console and JSON: ${FORMAT_NAMES.join(', ')}; default: html`,
  ),
  open: withDefault(flag, false, 'open the HTML report in the browser when the run ends', { flagOnly: true }),
  ui: withDefault(flag, false, 'serve a live page of the run on 127.0.0.1', { flagOnly: true }),
  verbose: withDefault(flag, false, 'print full details: untested requirements, all skips and notes'),
  quiet: withDefault(
    flag,
    false,
    'print only the verdict, a line for each group of findings and the paths of the reports',
  ),
  config: optional(text('file'), 'configuration file; default: assay.config.{ts,js,json} if it exists', {
    flagOnly: true,
  }),
  compare: withDefault(texts('dir'), [], 'earlier run to compare with', { flagOnly: true }),
  json: withDefault(flag, false, 'print JSON only', { flagOnly: true }),
  list: withDefault(
    flag,
    false,
    'list what would run (verify: the tests; prove: the defects and healthy variations), and exit',
    { flagOnly: true },
  ),
  debug: withDefault(flag, false, 'show stack traces'),
};
