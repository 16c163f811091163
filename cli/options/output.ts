import { FORMAT_NAMES } from '../../reports/formats/index.ts';
import { choices, flag, text, texts } from './kinds.ts';
import { optional, withDefault } from './spec.ts';

export const outputOptions = {
  out: withDefault(text('dir'), 'assay-report', 'directory for the reports'),
  report: withDefault(
    choices([...FORMAT_NAMES, 'console'], 'format'),
    [],
    `report formats beside the console and JSON: ${FORMAT_NAMES.join(', ')}`,
  ),
  config: optional(text('file'), 'configuration file; default: assay.config.{ts,js,json} if it exists', {
    flagOnly: true,
  }),
  compare: withDefault(texts('dir'), [], 'earlier run to compare with', { flagOnly: true }),
  debug: withDefault(flag, false, 'show stack traces'),
};
