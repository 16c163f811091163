import { vi } from 'vitest';
import { emptyDirectory } from '../../spec/testing/empty-directory.ts';
import { runLine } from '../run-line.ts';

interface Done {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface Surroundings {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Collects what is written to a stream in place of writing it. */
function collect(stream: NodeJS.WriteStream): string[] {
  const parts: string[] = [];
  vi.spyOn(stream, 'write').mockImplementation((part) => parts.push(String(part)) > 0);
  return parts;
}

/** Runs a command line in this process: ten times as fast, for what ends before a request is sent. Only one at a time. */
export async function runInProcess(
  words: readonly string[],
  { cwd = emptyDirectory(), env = {} }: Surroundings = {},
): Promise<Done> {
  for (const name of Object.keys(process.env)) if (/^(?:ASSAY_|GITHUB_|CI$)/u.test(name)) vi.stubEnv(name, undefined);
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  vi.spyOn(process, 'cwd').mockReturnValue(cwd);
  const [stdout, stderr] = [collect(process.stdout), collect(process.stderr)];
  try {
    const code = await runLine(words);
    return { code, stdout: stdout.join(''), stderr: stderr.join('') };
  } finally {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  }
}
