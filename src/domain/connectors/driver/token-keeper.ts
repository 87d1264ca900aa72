/** A token as the platform has given it. */
export interface GivenToken {
  readonly text: string;
  /** Seconds that it is good for; undefined if it does not expire. */
  readonly lifetime: number | undefined;
}

/**
 * Asks with a token, which is kept until it is old, or refused. Then the next one is tried, once.
 * @param isRefused default: the status is 401
 */
export type AskWithToken = <Answer extends { readonly status: number }>(
  ask: (token: string) => Promise<Answer>,
  isRefused?: (answer: Answer) => boolean,
) => Promise<Answer>;

/** The token is renewed when this part of its life is over. */
const RENEWED_AFTER = 0.8;

/** Several requests that find no token wait for the same one. */
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
