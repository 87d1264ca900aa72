export interface IssuedToken {
  readonly text: string;
  /** Lifetime in seconds; undefined if the token does not expire. */
  readonly lifetime: number | undefined;
}

/**
 * Sends a request with a cached token. If the token is rejected, retries once with a new token.
 * @param isRefused default: the status is 401
 */
export type RequestWithToken = <Answer extends { readonly status: number }>(
  request: (token: string) => Promise<Answer>,
  isRefused?: (answer: Answer) => boolean,
) => Promise<Answer>;

/** Fraction of a token's lifetime after which it is renewed. */
const RENEWAL_FRACTION = 0.8;

/** Creates a cache for the token. Concurrent requests without a token wait for the same new token. */
export function createTokenCache(fetchToken: () => Promise<IssuedToken>): RequestWithToken {
  let token: { readonly text: string; readonly until: number } | undefined;
  let renewing: Promise<string> | undefined;

  async function renew(): Promise<string> {
    const { text, lifetime = Number.POSITIVE_INFINITY } = await fetchToken();
    token = { text, until: Date.now() + lifetime * 1000 * RENEWAL_FRACTION };
    return text;
  }

  async function current(): Promise<string> {
    if (token && token.until > Date.now()) return token.text;
    renewing ??= renew().finally(() => {
      renewing = undefined;
    });
    return renewing;
  }

  return async (request, isRefused = ({ status }) => status === 401) => {
    const used = await current();
    const answer = await request(used);
    if (!isRefused(answer)) return answer;
    if (token?.text === used) token = undefined;
    return request(await current());
  };
}
