/** A token as the platform has given it. */
export interface GivenToken {
  readonly text: string;
  /** Seconds that it is good for; undefined if it does not expire. */
  readonly lifetime: number | undefined;
}

/** Keeps a token until it is old, or refused. */
export interface TokenKeeper {
  current(): Promise<string>;
  /** Gives up a token that was refused: the next one is fetched. */
  drop(refused: string): void;
}

/** The token is renewed when this part of its life is over. */
const RENEWED_AFTER = 0.8;

/** Several requests that find no token wait for the same one. */
export function createTokenKeeper(fetchToken: () => Promise<GivenToken>): TokenKeeper {
  let token: { readonly text: string; readonly until: number } | undefined;
  let renewing: Promise<string> | undefined;

  async function renew(): Promise<string> {
    const { text, lifetime = Number.POSITIVE_INFINITY } = await fetchToken();
    token = { text, until: Date.now() + lifetime * 1000 * RENEWED_AFTER };
    return text;
  }

  return {
    current() {
      if (token && token.until > Date.now()) return Promise.resolve(token.text);
      renewing ??= renew().finally(() => {
        renewing = undefined;
      });
      return renewing;
    },
    drop(refused) {
      if (token?.text === refused) token = undefined;
    },
  };
}
