/** A token as issued by the platform. */
export interface GivenToken {
  readonly text: string;
  /** Its lifetime in seconds; undefined if it does not expire. */
  readonly lifetime: number | undefined;
}

/**
 * Sends a request with a token, which is reused until it is old or refused. If it is refused, retries once with a new
 * one.
 * @param isRefused default: the status is 401
 */
export type AskWithToken = <Answer extends { readonly status: number }>(
  ask: (token: string) => Promise<Answer>,
  isRefused?: (answer: Answer) => boolean,
) => Promise<Answer>;

/** Fraction of its lifetime after which a token is renewed. */
const RENEWED_AFTER = 0.8;

/** Concurrent requests without a token wait for the same new one. */
export function createTokenKeeper(fetchToken: () => Promise<GivenToken>): AskWithToken {
  let token: { readonly text: string; readonly until: number } | undefined;
  let renewing: Promise<string> | undefined;

  async function renew(): Promise<string> {
    const { text, lifetime = Number.POSITIVE_INFINITY } = await fetchToken();
    token = { text, until: Date.now() + lifetime * 1000 * RENEWED_AFTER };
    return text;
  }

  async function current(): Promise<string> {
    if (token && token.until > Date.now()) return token.text;
    renewing ??= renew().finally(() => {
      renewing = undefined;
    });
    return renewing;
  }

  return async (ask, isRefused = ({ status }) => status === 401) => {
    const used = await current();
    const answer = await ask(used);
    if (!isRefused(answer)) return answer;
    if (token?.text === used) token = undefined;
    return ask(await current());
  };
}
