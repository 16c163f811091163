import { summaryText } from '../formats/json.ts';
import { groupsOf } from '../summary/groups.ts';
import type { Summary } from '../summary/types.ts';
import { findingLine } from './findings.ts';
import { styleOf, warningText } from './console.ts';
import type { ConsoleOptions, RunConsole } from './console.ts';
import { verdictLines } from './ending.ts';
import type { Paint } from './paint.ts';
import { visibleLine } from '../text/visible.ts';

/** A console that prints nothing before the end but warnings, on standard error. */
function consoleAtEnd(end: RunConsole['end']): RunConsole {
  const nothing = (): void => undefined;
  const warn = (text: string): void => void process.stderr.write(`${visibleLine(warningText(text))}\n`);
  return { record: nothing, live: nothing, note: nothing, warn, end, stop: nothing };
}

/** A console that prints only the verdict, one line for each group of findings, and where to read on. */
export function createQuietConsole(options: ConsoleOptions): RunConsole {
  const { paint, width } = styleOf(options);
  return consoleAtEnd((summary, files) => {
    const parts = [verdictLines(summary, paint, width()), findingsOf(summary, paint), files];
    const texts = parts.filter((lines) => lines.length > 0).map((lines) => `${lines.join('\n')}\n`);
    options.stream.write(texts.join('\n'));
  });
}

/** A console that prints nothing but the summary, as JSON. */
export function createJsonConsole({ stream }: Pick<ConsoleOptions, 'stream'>): RunConsole {
  return consoleAtEnd((summary) => void stream.write(summaryText({ summary })));
}

function findingsOf(summary: Summary, paint: Paint): string[] {
  return groupsOf(summary)
    .filter(({ lead }) => !lead.known)
    .map(({ lead }) => `${findingLine(lead, paint)} ${paint.dim(`(${lead.fingerprint})`)}`);
}
