import { isRefused, showsAcceptance } from '../token-acceptance.ts';
import type { TokenName } from '../../spec/index.ts';
import type { LiveToken } from '../credentials/live-token.ts';
import { methodOf } from '../request-spec.ts';
import type { RequestSpec, Send } from '../request-spec.ts';
import { labelOf } from '../tokens.ts';
import type { Availability } from './availability.ts';

/** Successful reads that are kept, to repeat them and see whether the token is still accepted. */
const KEPT_READS = 3;

/** What a 401 means: it belongs to the operation, there is another token now, or the token is no longer accepted. */
export type Meaning = 'operation' | 'renewed' | 'refused';

/** Calls during a running call share the next one, so that each result is newer than its call. */
function batched<T>(work: () => Promise<T>): () => Promise<T> {
  let current: Promise<T> | undefined;
  let following: Promise<T> | undefined;
  const start = (): Promise<T> => {
    const started = work().finally(() => {
      if (current === started) current = undefined;
    });
    current = started;
    return started;
  };
  return () => {
    if (current === undefined) return start();
    following ??= current
      .catch(() => undefined)
      .then(() => {
        following = undefined;
        return start();
      });
    return following;
  };
}

/** Tracks which reads succeed with one token, and determines what a 401 means. */
export class TokenWatch {
  readonly explain: () => Promise<Meaning>;
  readonly #name: TokenName;
  readonly #token: LiveToken;
  readonly #send: Send;
  readonly #availability: Availability;
  readonly #reads = new Map<string, RequestSpec>();
  /** A token obtained after a refusal and not accepted yet. */
  #unproven: string | undefined;

  constructor(name: TokenName, token: LiveToken, send: Send, availability: Availability) {
    this.#name = name;
    this.#token = token;
    this.#send = send;
    this.#availability = availability;
    this.explain = batched(() => this.#explain());
  }

  /** Records a response that shows that the token was accepted. */
  note(spec: RequestSpec, status: number, token: string): void {
    if (!showsAcceptance(status)) return;
    if (token === this.#unproven) this.#unproven = undefined;
    if (methodOf(spec) !== 'GET' || spec.operation.effect !== 'read') return;
    this.#reads.delete(spec.operation.id);
    this.#reads.set(spec.operation.id, spec);
    if (this.#reads.size > KEPT_READS) this.#reads.delete(this.#reads.keys().next().value ?? '');
  }

  async #explain(): Promise<Meaning> {
    const refused = this.#token.current;
    const isAccepted = await this.#isAccepted();
    if (isAccepted === true) return 'operation';
    let why = 'and is not renewed';
    if (this.#token.isRenewable && refused !== undefined) {
      if (refused === this.#unproven) why = 'although it was renewed';
      else {
        const renewed = await this.#renew(refused);
        if ('token' in renewed) {
          // Requests of load tests bypass this class, so their success is not recorded.
          if ((await this.#isAccepted()) === true) this.#unproven = undefined;
          return 'renewed';
        }
        why = renewed.why;
      }
    }
    if (isAccepted === undefined) return 'operation';
    this.#lose(why);
    return 'refused';
  }

  async #renew(refused: string): Promise<{ readonly token: string } | { readonly why: string }> {
    try {
      const token = await this.#token.replacing(refused);
      if (token === undefined) return { why: 'and renewal returned the same token' };
      this.#unproven = token;
      return { token };
    } catch (error) {
      return { why: `and could not be renewed: ${error instanceof Error ? error.message : String(error)}` };
    }
  }

  #lose(why: string): void {
    const { name, option, variable } = labelOf(this.#name);
    const { endsAt, isRenewable } = this.#token;
    const given = isRenewable ? '' : ` (${option} / ${variable})`;
    const ended =
      endsAt !== undefined && endsAt <= Date.now() ? `; it expired at ${new Date(endsAt).toISOString()}` : '';
    this.#availability.lose({
      code: 'token-refused',
      token: this.#name,
      message: `${name}${given} is no longer accepted (401), ${why.replace(/\.$/u, '')}${ended}`,
    });
  }

  /** Repeats the kept reads: true if they are not refused, undefined if none is conclusive. */
  async #isAccepted(): Promise<boolean | undefined> {
    const statuses: number[] = [];
    for (const spec of [...this.#reads.values()].toReversed()) {
      const status = (await this.#send(spec)).response?.status;
      if (status !== undefined && status !== 429 && status < 500) statuses.push(status);
    }
    return statuses.length === 0 ? undefined : !isRefused(statuses, (status) => status !== 401);
  }
}
