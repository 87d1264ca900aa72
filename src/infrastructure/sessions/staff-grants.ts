import type { Logger } from "pino";
import { changedMeanwhile, failedPrecondition, Problem, quoted } from "#foundation/errors.js";
import { type Database, inTransaction } from "../db/database.js";
import type { Knex } from "../db/query.js";
import { type Role, withIncluded } from "../identity/roles.js";
import {
  countAdmins,
  countGrants,
  deleteGrant,
  deleteGrantedSessions,
  findGrant,
  lockGrants,
  type StaffGrant,
  saveGrant,
} from "./staff-grant-store.js";

const MAX_GRANTS = 1000;

interface NewGrant {
  readonly username: string;
  readonly roles: readonly Role[];
  /** If empty, the person is not restricted to organisations. */
  readonly organisations: readonly string[];
  readonly grantedBy: string;
  /** Etag of the grant to replace; empty for a new grant. */
  readonly etag: string;
}

interface GrantChange {
  readonly before: StaffGrant | undefined;
  readonly after: StaffGrant | undefined;
}

interface GrantRules {
  /** Whether the identity provider also names administrators. If so, the last administrator's grant can be removed. */
  readonly providerNamesAdmins: boolean;
}

/**
 * Grants roles to a person, replacing an earlier grant. If the person loses rights, the person's sessions end.
 * @throws Problem `already-exists`, `not-found` or `aborted` if the etag is not the etag of the current grant,
 *   `resource-exhausted`, and `failed-precondition` for the last administrator
 */
export async function grantRoles(
  transaction: Knex,
  { username, roles, organisations, grantedBy, etag }: NewGrant,
  rules: GrantRules,
): Promise<GrantChange> {
  await lockGrants(transaction);
  const before = await findGrant(transaction, username);
  if (etag === "" && before)
    throw new Problem("already-exists", `${quoted(username)} has roles already: change them instead.`);
  if (etag !== "") checkEtag(before, username, etag);
  if (!before && (await countGrants(transaction)) >= MAX_GRANTS)
    throw new Problem(
      "resource-exhausted",
      `There are already ${MAX_GRANTS} grants, the maximum: revoke one first.`,
    );
  const granted = {
    username,
    roles: withIncluded(roles),
    organisations: organisations.length > 0 ? [...new Set(organisations)].sort() : null,
    grantedBy,
  };
  const after = await requiringAdmin(transaction, rules, () => saveGrant(transaction, granted));
  if (before && removesRights(before, after)) await deleteGrantedSessions(transaction, username);
  return { before, after };
}

/**
 * Revokes a person's roles, and ends the sessions that were based on these roles.
 * @throws Problem `not-found`, `aborted`, and `failed-precondition` for the last administrator
 */
export async function revokeRoles(
  transaction: Knex,
  { username, etag }: Pick<NewGrant, "username" | "etag">,
  rules: GrantRules,
): Promise<GrantChange> {
  await lockGrants(transaction);
  const before = await findGrant(transaction, username);
  checkEtag(before, username, etag);
  await requiringAdmin(transaction, rules, () => deleteGrant(transaction, username));
  await deleteGrantedSessions(transaction, username);
  return { before, after: undefined };
}

export interface ReportingDeps {
  readonly database: Database;
  readonly log: Logger;
}

/**
 * Makes a change in a transaction, for example the erasure of a learner, which can't be refused. Logs an error if it
 * removed the last administrator.
 */
export async function reportingLastAdmin<T>(
  { database, log }: ReportingDeps,
  signal: AbortSignal,
  change: (transaction: Knex.Transaction) => Promise<T>,
): Promise<T> {
  const { result, removedLastAdmin } = await inTransaction(database, signal, (transaction) =>
    withAdminCheck(transaction, () => change(transaction)),
  );
  if (removedLastAdmin)
    log.error(
      "the last administrator was removed; to sign in and appoint another, run: console <username> --role admin",
    );
  return result;
}

/** Makes a change, and finds out whether it removed the last administrator. */
async function withAdminCheck<T>(
  transaction: Knex,
  change: () => Promise<T>,
): Promise<{ readonly result: T; readonly removedLastAdmin: boolean }> {
  const admins = await countAdmins(transaction);
  const result = await change();
  return { result, removedLastAdmin: admins > 0 && (await countAdmins(transaction)) === 0 };
}

/** Throws if the change would remove the last administrator, so that the transaction is rolled back. */
async function requiringAdmin<T>(
  transaction: Knex,
  { providerNamesAdmins }: GrantRules,
  change: () => Promise<T>,
): Promise<T> {
  const { result, removedLastAdmin } = await withAdminCheck(transaction, change);
  if (removedLastAdmin && !providerNamesAdmins)
    throw failedPrecondition(
      "This is the last administrator: grant the role admin, in all organisations, to someone else first.",
      { reason: "LAST_ADMIN" },
    );
  return result;
}

function checkEtag(grant: StaffGrant | undefined, username: string, etag: string): void {
  if (!grant) throw new Problem("not-found", `${quoted(username)} has no granted roles.`);
  if (grant.etag !== etag) throw changedMeanwhile(`The grant of ${quoted(username)}`);
}

function removesRights(before: StaffGrant, after: StaffGrant): boolean {
  const isNarrower =
    after.organisations !== null &&
    (before.organisations === null ||
      before.organisations.some((each) => !after.organisations?.includes(each)));
  return isNarrower || before.roles.some((role) => !after.roles.includes(role));
}
