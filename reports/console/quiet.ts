import { summaryText } from '../formats/json.ts';
import { groupsOf } from '../summary/groups.ts';
import type { Summary } from '../summary/types.ts';
import { findingLine } from './findings.ts';
import { styleOf, warningText } from './console.ts';
import type { ConsoleOptions, RunConsole } from './console.ts';
import { verdictLines } from './ending.ts';
import type { Paint } from './paint.ts';
import { visibleLine } from '../text/visible.ts';

/** A console that prints only the verdict, one line for each group of findings, and where to read on. */
export function createQuietConsole(options: ConsoleOptions): RunConsole {
  const { paint, width } = styleOf(options);
  return {
    record: () => undefined,
    live: () => undefined,
    note: () => undefined,
    warn: warnApart,
    end(summary, files = []) {
      const parts = [verdictLines(summary, paint, width()), findingsOf(summary, paint), files];
      const texts = parts.filter((lines) => lines.length > 0).map((lines) => `${lines.join('\n')}\n`);
      options.stream.write(texts.join('\n'));
    },
    stop: () => undefined,
  };
}

/** A console that prints nothing but the summary, as JSON. */
export function createJsonConsole({ stream }: Pick<ConsoleOptions, 'stream'>): RunConsole {
  return {
    record: () => undefined,
    live: () => undefined,
    note: () => undefined,
    warn: warnApart,
    end: (summary) => void stream.write(summaryText({ summary })),
    stop: () => undefined,
  };
}

function warnApart(text: string): void {
  process.stderr.write(`${visibleLine(warningText(text))}\n`);
}

function findingsOf(summary: Summary, paint: Paint): string[] {
  return groupsOf(summary)
    .filter(({ lead }) => !lead.known)
    .map(({ lead }) => `${findingLine(lead, paint)} ${paint.dim(`(${lead.fingerprint})`)}`);
}
