import { hash, randomBytes } from "node:crypto";
import { readSigned, writeSigned } from "#foundation/text/signed.js";

/** Distinguishes signatures of login states from other signatures made with the same secret. */
const PURPOSE = "learning-credentials lti state v1";

/** Maximum time between a login and its launch, in seconds. */
export const LOGIN_LIFETIME_S = 600;

/**
 * Maximum number of characters of the login's query in the state. A longer query is left out, because platforms return
 * the state in a URL.
 */
const MAX_RESTART = 2000;

/** A login that was started. It is sent in the parameter `state`, so nothing is stored until a launch succeeds. */
export interface LoginState {
  /** Identifies the cookie, or the value in the platform's storage, that binds the login to the browser. */
  readonly id: string;
  readonly registrationId: number;
  readonly nonce: string;
  /** SHA-256 of the browser's secret, in base64url. */
  readonly browserHash: string;
  /** SHA-256 of the `target_link_uri`, in base64url. */
  readonly targetHash: string;
  /** Name of the frame with the platform's storage; empty if there is none. */
  readonly storage: string;
  /** The query string with which the login can be started again in a new tab; empty if it is too long. */
  readonly restart: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Starts a login. Returns its state, and the secret for the browser. */
export function newLogin(
  {
    registrationId,
    target,
    storage,
    restart,
  }: Pick<LoginState, "registrationId" | "storage" | "restart"> & {
    readonly target: string;
  },
  now: number,
): { readonly state: LoginState; readonly browserSecret: string } {
  const browserSecret = randomBytes(32).toString("base64url");
  const state = {
    id: randomBytes(9).toString("base64url"),
    registrationId,
    nonce: randomBytes(24).toString("base64url"),
    browserHash: digest(browserSecret),
    targetHash: digest(target),
    storage,
    restart: restart.length > MAX_RESTART ? "" : restart,
    expiresAt: now + LOGIN_LIFETIME_S * 1000,
  };
  return { state, browserSecret };
}

export function writeState(secret: string, state: LoginState): string {
  return writeSigned(secret, PURPOSE, state);
}

/** Returns `undefined` if the state has expired, or if none of the secrets has signed it. */
export function readState(secrets: readonly string[], text: string, now: number): LoginState | undefined {
  return readSigned<LoginState>(secrets, PURPOSE, text, now);
}

export function isDigestOf(held: string, text: string): boolean {
  return digest(text) === held;
}

function digest(text: string): string {
  return hash("sha256", text, "buffer").toString("base64url");
}
