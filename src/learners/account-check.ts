import type { Cancellation } from "../concurrency/cancellation.js";
import { createBatchLoader } from "../db/batch-loader.js";
import type { Database } from "../db/database.js";
import { type BorrowedConnection, run } from "../db/query.js";
import { Problem } from "../errors.js";
import type { CheckAccount, User } from "../identity/caller.js";
import { keepSubject, type NamedSubject } from "./account-subjects.js";

/** How long an account that was in order is not looked at again, in milliseconds: so late may a learner be shut out. */
const BELIEVED_MS = 5_000;

const MAX_BATCH = 500;

/**
 * What there is against accounts: who is shut out, and whose names are known. Nothing is, of nearly all of them. A learner
 * whom the platform has not told of, or has withdrawn, is not shut out: staff need no record.
 */
const accountStatement = `
  select username, null as issuer, null as subject
  from learners where username = any(?::text[]) and not is_active and not is_deleted
  union all
  select known.username, known.issuer, known.subject
  from unnest(?::text[], ?::text[]) as asked (username, issuer)
  join account_subjects as known on (known.username, known.issuer) = (asked.username, asked.issuer)`;

interface AccountRow {
  readonly username: string;
  /** null: the username is shut out. */
  readonly issuer: string | null;
  readonly subject: string;
}

interface Account {
  readonly isShutOut: boolean;
  /** Whose the name was when a token of that issuer first had it; null: none was seen. */
  readonly knownSubject: string | null;
}

/** How accounts are looked at. */
export interface AccountCheckDeps {
  readonly database: Database;
  /** A username belongs to the first subject that an issuer has named so. */
  readonly pinSubject: boolean;
  /** Milliseconds since 1970; the system's clock unless given. */
  readonly now?: () => number;
}

/**
 * Creates the check that a user's account is in use, as the platform tells, and still that of the same person: a token
 * outlives the account that it was issued to, and a name may be given to somebody else. Each token is looked up at most
 * once in five seconds, together with others.
 */
export function createAccountCheck({ database, pinSubject, now = Date.now }: AccountCheckDeps): CheckAccount {
  const lookUp = createBatchLoader(database.reads, MAX_BATCH, (connection, users: User[]) =>
    readAccounts(connection, users, pinSubject),
  );
  // A caller who is remembered is the same object each time: what is known of them goes when they are forgotten.
  const believedUntil = new WeakMap<User, number>();

  async function lookAt(user: User, cancellation: Cancellation): Promise<void> {
    const askedAt = now();
    const { isShutOut, knownSubject } = await lookUp(user, cancellation);
    if (isShutOut) throw new Problem("permission-denied", "The account of this learner is not active.");
    if (pinSubject && saysSubject(user)) await checkSubject(database, user, knownSubject);
    believedUntil.set(user, askedAt + BELIEVED_MS);
  }

  return (user, cancellation) =>
    now() < (believedUntil.get(user) ?? 0) ? undefined : lookAt(user, cancellation);
}

type NamedUser = User & NamedSubject;

/** A `sub` that is the name itself, or is missing, tells nothing. */
function saysSubject(user: User): user is NamedUser {
  const { username, issuer, subject } = user;
  return issuer !== undefined && subject !== undefined && subject !== username;
}

async function checkSubject(
  database: Database,
  { username, issuer, subject }: NamedUser,
  knownSubject: string | null,
): Promise<void> {
  if (knownSubject === null) await keepSubject(database, { username, issuer, subject });
  else if (knownSubject !== subject) {
    throw new Problem(
      "permission-denied",
      'This username has belonged to another account (another "sub"): have an operator release the name.',
    );
  }
}

async function readAccounts(
  connection: BorrowedConnection,
  users: User[],
  pinSubject: boolean,
): Promise<Account[]> {
  const named = pinSubject ? users.filter(saysSubject) : [];
  const { rows } = await run<AccountRow>(connection, "accounts", accountStatement, [
    users.map(({ username }) => username),
    named.map(({ username }) => username),
    named.map(({ issuer }) => issuer),
  ]);
  const shutOut = new Set(rows.filter(({ issuer }) => issuer === null).map(({ username }) => username));
  const subjects = new Map(rows.map((row) => [nameKey(row), row.subject]));
  return users.map((user) => ({
    isShutOut: shutOut.has(user.username),
    knownSubject: subjects.get(nameKey(user)) ?? null,
  }));
}

/** Neither holds a line break. */
function nameKey({ username, issuer }: { username: string; issuer?: string | null | undefined }): string {
  return `${username}\n${issuer ?? ""}`;
}
