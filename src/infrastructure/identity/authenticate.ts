import { type Cancellation, untilCancelled } from "#foundation/concurrency/cancellation.js";
import { Problem } from "#foundation/errors.js";
import {
  type Authenticate,
  anonymous,
  type Caller,
  type CheckAccount,
  type PresentedCredentials,
  type User,
} from "./caller.js";
import { callerOf, type StaffClaims } from "./claims.js";
import { presentedTokens } from "./presented-token.js";
import { createVerifiedTokens } from "./verified-tokens.js";
import { createVerifyToken, type TokenRules } from "./verify-token.js";

/** The rules for accepting tokens, and the clock. */
type AuthenticationSettings = Omit<TokenRules, "now"> &
  StaffClaims & {
    /** Milliseconds since 1970; default: the system's clock. */
    readonly now?: (() => number) | undefined;
    /** If undefined, every valid token is accepted. */
    readonly checkAccount?: CheckAccount | undefined;
    /** Finds the user of a session. If undefined, sessions are not accepted. */
    readonly sessionCaller?: ((token: string, cancellation: Cancellation) => Promise<User>) | undefined;
    /** Finds the user of a page. If undefined, page tokens are not accepted. */
    readonly pageCaller?: ((token: string) => Promise<User>) | undefined;
    /** Whether a service's token is only accepted on a connection with a client certificate. */
    readonly certifiedServices?: boolean | undefined;
  };

/** Maximum number of verified tokens in the cache. They take about 3 MB. */
const MAX_CACHED_TOKENS = 10_000;

/**
 * Checks credentials: token -> claims -> caller -> account. A token that was verified within the last minute is
 * accepted immediately, without a promise. A rejected token is verified every time.
 * @throws Error if the settings have neither a secret nor public keys
 */
export function createAuthenticate(settings: AuthenticationSettings): Authenticate {
  const now = settings.now ?? Date.now;
  const verifyToken = createVerifyToken({ ...settings, now });
  const verified = createVerifiedTokens({ capacity: MAX_CACHED_TOKENS, now });

  async function verify(token: string): Promise<Caller> {
    const claims = await verifyToken(token);
    const expiresAt = claims.exp * 1000;
    const caller = { ...callerOf(claims, settings), expiresAt };
    verified.remember(token, caller, expiresAt);
    return caller;
  }

  /** Accepts the first valid token. A site that wants to lock the caller out may have forged the others. */
  async function verifyFirst(tokens: readonly string[]): Promise<Caller> {
    let refusal: unknown;
    for (const token of tokens) {
      try {
        return verified.find(token) ?? (await verify(token));
      } catch (error) {
        if (!(error instanceof Problem && error.kind === "unauthenticated")) throw error;
        refusal ??= error;
      }
    }
    throw refusal;
  }

  function letIn(
    caller: Caller,
    { hasCertificate }: PresentedCredentials,
    cancellation: Cancellation,
  ): Caller | Promise<Caller> {
    if (caller.kind === "service" && settings.certifiedServices && !hasCertificate) {
      throw new Problem(
        "unauthenticated",
        "A service's token is accepted only on a connection with a client certificate: connect with one.",
      );
    }
    const checking = caller.kind === "user" ? settings.checkAccount?.(caller, cancellation) : undefined;
    return checking === undefined ? caller : untilCancelled(cancellation, checking).then(() => caller);
  }

  async function bySource(
    session: string | undefined,
    page: string,
    cancellation: Cancellation,
  ): Promise<Caller> {
    const { sessionCaller, pageCaller } = settings;
    const found = session !== undefined ? sessionCaller?.(session, cancellation) : pageCaller?.(page);
    if (!found) throw new Error("a session or page token was presented to an edge that accepts none");
    return found;
  }

  return (credentials, cancellation) => {
    const { session, page } = credentials;
    if (session !== undefined || page !== undefined) {
      const finding = bySource(session, page ?? "", cancellation);
      return finding.then((found) => letIn(found, credentials, cancellation));
    }
    const tokens = presentedTokens(credentials);
    const [token, another] = tokens;
    if (token === undefined) return anonymous;
    const caller = verified.find(token);
    if (caller) return letIn(caller, credentials, cancellation);
    const verifying = another === undefined ? verify(token) : verifyFirst(tokens);
    return verifying.then((found) => letIn(found, credentials, cancellation));
  };
}
