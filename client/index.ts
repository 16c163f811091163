export type * from './plan.ts';
export type { Target, TargetStats } from './target/target.ts';
export type { RetryOptions, TargetOptions } from './target/options.ts';
export type { TokenName, Tokens } from './target/tokens.ts';
export { createTarget } from './target/target.ts';
export { TOKEN_NAMES } from './target/tokens.ts';
export { toCurl } from './show/curl.ts';
export { showExchange } from './show/show.ts';
