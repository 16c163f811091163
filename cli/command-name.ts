import { basename, dirname } from 'node:path';

/** How each package manager runs a command of a package. */
const RUNNERS: Readonly<Record<string, string>> = {
  npm: 'npx assay',
  pnpm: 'pnpm exec assay',
  yarn: 'yarn assay',
  bun: 'bunx assay',
};

/** The words that start Assay again in the way it was started: `assay`, `npx assay`, `pnpm exec assay`, … */
export function startedAs(environment: Readonly<Record<string, string | undefined>>, script: string): string {
  const [manager = ''] = (environment['npm_config_user_agent'] ?? '').split('/');
  const isLocal = basename(dirname(script)) === '.bin';
  return RUNNERS[manager] ?? (isLocal ? 'npx assay' : 'assay');
}

export const COMMAND = startedAs(process.env, process.argv[1] ?? '');

/** A text whose commands start Assay as this process was started, so that they can be pasted. */
export function pasteable(text: string, command = COMMAND): string {
  return text.replaceAll(
    /(?<=^|[\s`'"(])(?<!(?:npx|exec|yarn|bunx) )assay (?=(?:verify|load|capacity|agent|serve|prove|report|replay|explain|list|doctor|spec|clean|init|fleet|history|complete)\b)/gmu,
    `${command} `,
  );
}
