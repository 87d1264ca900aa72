import type { Cancellation } from "#foundation/concurrency/cancellation.js";
import { Problem } from "#foundation/errors.js";
import { createBatchLoader } from "#infrastructure/db/batch-loader.js";
import type { Database } from "#infrastructure/db/database.js";
import { type BorrowedConnection, query } from "#infrastructure/db/query.js";
import type { CheckAccount, User } from "#infrastructure/identity/caller.js";
import { type NamedSubject, storeSubject } from "./account-subjects.js";
import { API_OWNER } from "./owners.js";

/** Milliseconds for which a passed check is cached. A deactivated account keeps access for up to this time. */
const CACHE_MS = 5_000;

const MAX_BATCH = 500;

/**
 * Finds inactive learner records, and the subjects that already use the usernames. A missing or withdrawn record
 * doesn't lock anyone out, because staff need no record.
 */
const accountStatement = `
  select username, null as issuer, null as subject, owner
  from learners where username = any(?::text[]) and not is_active and not is_deleted
  union all
  select known.username, known.issuer, known.subject, null
  from unnest(?::text[], ?::text[]) as requested (username, issuer)
  join account_subjects as known on (known.username, known.issuer) = (requested.username, requested.issuer)`;

interface AccountRow {
  readonly username: string;
  /** Null if the row reports an inactive account. */
  readonly issuer: string | null;
  readonly subject: string;
  /** The source that reported the account as inactive. */
  readonly owner: string | null;
}

interface Account {
  readonly isInactive: boolean;
  /** The first subject from this issuer that used the username; null if there is none. */
  readonly knownSubject: string | null;
}

interface AccountCheckDeps {
  readonly database: Database;
  /** Whether only the first subject from an issuer to use a username may keep using it. */
  readonly pinSubject: boolean;
  /** Milliseconds since 1970; default: the system's clock. */
  readonly now?: () => number;
}

/**
 * Creates a check that an account is active and still belongs to the same person. A token may outlive its account, and
 * a username may be reassigned.
 *
 * Each token is looked up at most once in five seconds. Look-ups are batched.
 */
export function createAccountCheck({ database, pinSubject, now = Date.now }: AccountCheckDeps): CheckAccount {
  const lookUp = createBatchLoader(database.reads, MAX_BATCH, (connection, users: User[]) =>
    readAccounts(connection, users, pinSubject),
  );
  // While a token is cached, its `User` is always the same object. When the token leaves that cache, this map loses the
  // entry of that `User`, too.
  const passedUntil = new WeakMap<User, number>();

  async function lookAt(user: User, cancellation: Cancellation): Promise<void> {
    const requestedAt = now();
    const { isInactive, knownSubject } = await lookUp(user, cancellation);
    if (isInactive)
      throw new Problem("permission-denied", "The account of this learner is not active.", {
        reason: "ACCOUNT_NOT_ACTIVE",
      });
    if (pinSubject && hasSubject(user)) await checkSubject(database, user, knownSubject, cancellation);
    passedUntil.set(user, requestedAt + CACHE_MS);
  }

  return (user, cancellation) =>
    now() < (passedUntil.get(user) ?? 0) ? undefined : lookAt(user, cancellation);
}

type NamedUser = User & NamedSubject;

/**
 * Returns whether the token's subject identifies the person. A subject that is missing or equals the username does not.
 */
function hasSubject(user: User): user is NamedUser {
  const { username, issuer, subject } = user;
  return issuer !== undefined && subject !== undefined && subject !== username;
}

async function checkSubject(
  database: Database,
  { username, issuer, subject }: NamedUser,
  knownSubject: string | null,
  cancellation: Cancellation,
): Promise<void> {
  if (knownSubject === null) await storeSubject(database, { username, issuer, subject }, cancellation.signal);
  else if (knownSubject !== subject) {
    throw new Problem(
      "permission-denied",
      'This username belongs to a different account (a different "sub"): ask an administrator to release the name.',
    );
  }
}

async function readAccounts(
  connection: BorrowedConnection,
  users: User[],
  pinSubject: boolean,
): Promise<Account[]> {
  const named = pinSubject ? users.filter(hasSubject) : [];
  const { rows } = await query<AccountRow>(connection, "accounts", accountStatement, [
    users.map(({ username }) => username),
    named.map(({ username }) => username),
    named.map(({ issuer }) => issuer),
  ]);
  const inactive = new Map(
    rows.flatMap(({ username, owner }) => (owner === null ? [] : [[username, owner] as const])),
  );
  const subjects = new Map(rows.map((row) => [nameKey(row), row.subject]));
  return users.map((user) => ({
    isInactive: isBlocking(user, inactive.get(user.username)),
    knownSubject: subjects.get(nameKey(user)) ?? null,
  }));
}

/**
 * Returns whether an inactive record locks out the user. A platform's records lock out learners, but not staff, because
 * a member of staff may have the same username as a learner.
 * @param owner the source that reported the account as inactive
 */
function isBlocking({ isStaff }: User, owner: string | undefined): boolean {
  return owner !== undefined && (!isStaff || owner === API_OWNER);
}

/** Returns a key for a username and its issuer, neither of which can contain line breaks. */
function nameKey({ username, issuer }: { username: string; issuer?: string | null | undefined }): string {
  return `${username}\n${issuer ?? ""}`;
}
