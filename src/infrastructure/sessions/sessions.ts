import { hash, randomBytes } from "node:crypto";
import type { Cancellation } from "#foundation/concurrency/cancellation.js";
import { Problem } from "#foundation/errors.js";
import { SUCCEEDED } from "../audit/audit-entry.js";
import type { AuditTrail } from "../audit/audit-trail.js";
import { type Database, inTransaction } from "../db/database.js";
import { withConnection } from "../db/query.js";
import type { User } from "../identity/caller.js";
import * as store from "./session-store.js";
import { createSessionWatch } from "./session-watch.js";
import { useGrant } from "./staff-grant-store.js";

/** Maximum duration of a session. */
export const SESSION_LIFETIME_S = 8 * 3600;

const TOKEN_BYTES = 32;

/** Maximum length of a token. Longer tokens are not looked up. */
const MAX_TOKEN_LENGTH = 100;

export interface NewSession {
  /** The secret for the browser's cookie: 256 random bits. It is stored nowhere else. */
  readonly token: string;
  readonly username: string;
  readonly expiresAt: Date;
}

/** The sessions of staff in the console. */
export interface Sessions {
  /**
   * Begins a session for the bearer of a sign-in link, which is used up.
   * @throws Problem `permission-denied` if the link is not valid
   */
  redeem(secret: string, origin: Origin, signal: AbortSignal): Promise<NewSession>;
  /** Begins the session of staff who signed in through an identity provider. */
  begin(staff: store.StaffMember, origin: Origin, signal: AbortSignal): Promise<NewSession>;
  /**
   * Begins the session of a person who signed in through an identity provider, and to whom an administrator has granted
   * roles.
   * @returns undefined if the account has no grant
   */
  beginGranted(
    person: Pick<User, "username" | "issuer" | "subject">,
    origin: Origin,
    signal: AbortSignal,
  ): Promise<NewSession | undefined>;
  /** Returns the user of a session. @throws Problem `unauthenticated` if the session has ended */
  callerOf(token: string, cancellation: Cancellation): Promise<User>;
  /**
   * Calls `listener` within seconds after the session has ended for any reason. Listening doesn't keep the session
   * alive: without calls, it ends after an hour.
   * @returns a function that stops listening
   */
  onEnd(token: string, listener: (problem: Problem) => void): () => void;
  /** Does nothing if there is no session. */
  end(token: string, origin: Origin, signal: AbortSignal): Promise<void>;
}

/** The request that begins or ends a session, for the audit trail. */
interface Origin {
  readonly method: string;
  readonly requestId: string;
  readonly client: string;
}

export function createSessions({
  database,
  audit,
}: {
  readonly database: Database;
  readonly audit: AuditTrail;
}): Sessions {
  const { knex } = database;
  const watch = createSessionWatch(knex);

  async function record(username: string, { method, requestId, client }: Origin, signal: AbortSignal) {
    const caller = { kind: "staff", name: username } as const;
    const entry = { caller, method, requestId, source: client, learners: [username], others: [] };
    audit.end(await audit.enter(entry, signal), SUCCEEDED);
  }

  /** Records a new session in the audit trail. If that fails, the session ends at once. */
  async function recorded(session: NewSession, origin: Origin, signal: AbortSignal) {
    try {
      await record(session.username, origin, signal);
      return session;
    } catch (error) {
      await store.deleteSession(knex, hashOf(session.token));
      throw error;
    }
  }

  return {
    async redeem(secret, origin, signal) {
      const session = await inTransaction(database, signal, async (transaction) => {
        const staff = isPlausible(secret) ? await store.takeLink(transaction, hashOf(secret)) : undefined;
        if (!staff) {
          throw new Problem(
            "permission-denied",
            "This sign-in link was already used, has expired, or never existed: request a new one.",
          );
        }
        return beginIn(transaction, staff);
      });
      return recorded(session, origin, signal);
    },

    async begin(staff, origin, signal) {
      const session = await inTransaction(database, signal, (transaction) => beginIn(transaction, staff));
      return recorded(session, origin, signal);
    },

    async beginGranted({ username, issuer, subject }, origin, signal) {
      // A username may be reassigned one day, so a grant is bound to an account.
      if (issuer === undefined || subject === undefined) return undefined;
      const session = await inTransaction(database, signal, async (transaction) => {
        const granted = await useGrant(transaction, { username, issuer, subject });
        if (!granted) return undefined;
        const { roles, organisations } = granted;
        const rights = { roles, organisations: organisations ?? undefined, isGranted: true };
        return beginIn(transaction, { username, issuer, subject, ...rights });
      });
      return session && recorded(session, origin, signal);
    },

    async callerOf(token, { signal }) {
      const tokenHash = hashOf(token);
      const found = isPlausible(token)
        ? await withConnection(database, signal, (connection) => store.findSession(connection, tokenHash))
        : undefined;
      if (!found) throw ended();
      if (found.isStale) await store.updateLastUse(knex, tokenHash);
      const { isStale: _, expiresAt, ...staff } = found;
      const session = { isStaff: staff.roles.length > 0, session: tokenHash.toString("hex") };
      return { kind: "user", ...session, ...staff, expiresAt: expiresAt.getTime() };
    },

    onEnd: (token, listener) => watch.watch(hashOf(token), () => listener(ended())),

    async end(token, origin, signal) {
      const username = isPlausible(token) ? await store.deleteSession(knex, hashOf(token)) : undefined;
      if (username !== undefined) await record(username, origin, signal);
    },
  };
}

function ended(): Problem {
  return new Problem("unauthenticated", "This session has ended: sign in again.");
}

async function beginIn(
  transaction: Parameters<typeof store.insertSession>[0],
  staff: store.StaffMember,
): Promise<NewSession> {
  const token = newSecret(TOKEN_BYTES);
  const expiresAt = await store.insertSession(transaction, hashOf(token), staff, SESSION_LIFETIME_S);
  return { token, username: staff.username, expiresAt };
}

export function newSecret(bytes: number): string {
  return randomBytes(bytes).toString("base64url");
}

/** Returns the hash of a secret. Secrets themselves are not stored. */
export function hashOf(secret: string): Buffer {
  return hash("sha256", secret, "buffer");
}

function isPlausible(secret: string): boolean {
  return secret !== "" && secret.length <= MAX_TOKEN_LENGTH;
}
