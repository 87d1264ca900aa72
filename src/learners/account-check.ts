import type { Cancellation } from "../cancellation.js";
import { batched } from "../db/batched.js";
import type { Database } from "../db/database.js";
import { type Lease, run } from "../db/run.js";
import { Problem } from "../errors.js";
import type { CheckAccount, User } from "../identity/caller.js";

/** How long an account that was in order is not looked at again, in milliseconds: so late may a learner be shut out. */
const BELIEVED_MS = 5_000;

const MAX_BATCH = 500;

/** A learner whom the platform has not told of, or has withdrawn, is not shut out: staff need no record. */
const shutOutStatement = `
  select username from learners where username = any (?::text[]) and not is_active and not is_deleted`;

/**
 * Creates the check that a user's account is in use, as the platform tells: a token outlives the account that it was
 * issued to. Each token is looked up at most once in five seconds, together with others.
 */
export function createAccountCheck(database: Database, now: () => number = Date.now): CheckAccount {
  const isShutOut = batched(database.reads, MAX_BATCH, readShutOut);
  // A caller who is remembered is the same object each time: what is known of them goes when they are forgotten.
  const believedUntil = new WeakMap<User, number>();

  async function lookAt(user: User, cancellation: Cancellation): Promise<void> {
    const askedAt = now();
    if (await isShutOut(user.username, cancellation)) {
      throw new Problem("permission-denied", "The account of this learner is not active.");
    }
    believedUntil.set(user, askedAt + BELIEVED_MS);
  }

  return (user, cancellation) =>
    now() < (believedUntil.get(user) ?? 0) ? undefined : lookAt(user, cancellation);
}

async function readShutOut(lease: Lease, usernames: string[]): Promise<boolean[]> {
  const { rows } = await run<{ username: string }>(lease, "accounts shut out", shutOutStatement, [usernames]);
  const shutOut = new Set(rows.map(({ username }) => username));
  return usernames.map((username) => shutOut.has(username));
}
